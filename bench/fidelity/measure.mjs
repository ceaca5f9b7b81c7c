// What of an input is in view, for how many tokens, by us and by others.
import { brotliCompressSync, constants } from 'node:zlib';
import { BASELINES } from './baselines.mjs';
import { inHome, runPeer } from './command.mjs';
import { countTokens } from './tokens.mjs';

export const BUDGETS = [500, 2000, 8000];

/**
 * Facts of an input `{ text or bytes, needles, keys?, shown? }` (see inputs.mjs): its tokens, ours, those of the baselines and of `peers`
 * (name → command), each with the needles that it shows.
 */
export function measure(input, peers = {}) {
  const { needles, keys = [], shown = 0, bytes = Buffer.from(input.text) } = input;
  const text = bytes.toString();
  const ours = compress(bytes);
  const methods = { ctxzip: { ...shownBy(ours.view, needles), isSpliced: ours.isSpliced } };
  const budget = methods.ctxzip.tokens;
  for (const [name, { run, isWhole }] of Object.entries(BASELINES)) {
    const output = run(text, budget);
    if (output !== undefined)
      methods[name] = isWhole ? whole(output, needles) : { ...shownBy(output, needles), isSpliced: false };
  }
  for (const [name, command] of Object.entries(peers)) {
    const output = runPeer(command, bytes);
    if (output !== undefined) methods[name] = { ...shownBy(output, needles), isSpliced: output === text };
  }
  const visible = withoutMarkers(ours.view);
  return {
    bytes: bytes.length,
    tokens: countTokens(text),
    brotli: brotliBytes(bytes),
    estimate: ours.estimate,
    expanded: budget + countTokens(ours.expanded),
    units: keys.filter((key) => visible.includes(key)).length,
    samples: shown + ours.samples,
    budgets: ours.budgets,
    methods,
  };
}

function shownBy(output, needles) {
  const visible = withoutMarkers(output);
  return {
    tokens: countTokens(output),
    found: needles.map(({ parts }) => parts.every((part) => visible.includes(part))),
  };
}

/** A marker tells of what went; it shows nothing of it. */
function withoutMarkers(view) {
  return view.replace(/<<ctxzip[^>]*>>/g, '');
}

function whole(output, needles) {
  return { tokens: countTokens(output), found: needles.map(() => true), isSpliced: true };
}

/** Our view with its proof, the text of a gap of median size, and views under budgets. */
function compress(bytes) {
  return inHome((ctxzip) => {
    const view = ctxzip([], bytes);
    const facts = JSON.parse(ctxzip(['--json'], bytes));
    const gaps = (facts.gaps ?? []).toSorted((a, b) => sizeOf(a) - sizeOf(b));
    const gap = gaps[gaps.length >> 1];
    const expanded = gap === undefined ? '' : ctxzip(['expand', facts.hash.slice(0, 12), gap.address], '');
    return {
      view: view.toString(),
      isSpliced: splice(bytes, view, facts.gaps ?? []).equals(bytes),
      estimate: facts.tokensAfter,
      samples: SAMPLES.reduce((sum, reason) => sum + (facts.reasons?.[reason] ?? 0), 0),
      expanded: expanded.toString(),
      budgets: BUDGETS.map((budget) =>
        countTokens(ctxzip(['--max-tokens', String(budget)], bytes).toString()),
      ),
    };
  });
}

/** Why units are in view that stand for others. */
const SAMPLES = ['exemplar', 'rare profile', 'edge'];

const sizeOf = ({ bytes: [start, end] }) => end - start;

/** The input again, from the view and what its gaps say. */
function splice(input, view, gaps) {
  const parts = [];
  let at = 0;
  for (const gap of gaps) {
    parts.push(view.subarray(at, gap.view[0]), input.subarray(...gap.bytes));
    at = gap.view[1];
  }
  return Buffer.concat([...parts, view.subarray(at)]);
}

/** Nearly what an ideal coder of bytes would need: quality 9, a window over all of it. */
function brotliBytes(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return brotliCompressSync(bytes, { params }).length;
}
