// What else could be done with an output: cut it, grep it, or write it shorter.
import { encode } from '@toon-format/toon';
import { countTokens } from './tokens.mjs';

/**
 * Columns beside ours: `(text, budget) → string`, or undefined where it doesn't apply. The first four get as many o200k
 * tokens as our view of the same input has. `isWhole`: nothing is left out, whatever it looks like.
 */
export const BASELINES = {
  head: { run: (text, budget) => take(linesOf(text), budget) },
  tail: { run: (text, budget) => tail(linesOf(text), budget) },
  'head+tail': { run: (text, budget) => headAndTail(linesOf(text), budget) },
  'grep+head+tail': { run: (text, budget) => grep(linesOf(text), budget) },
  'unique lines': { run: (text) => uniqueLines(linesOf(text)) },
  'minified JSON': { run: (text) => parsed(text, (value) => JSON.stringify(value)), isWhole: true },
  TOON: { run: (text) => parsed(text, encode), isWhole: true },
};

function linesOf(text) {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** The first lines that fit; of the first one that doesn't, what still does: an output may be one line. */
function take(lines, budget) {
  const taken = [];
  let left = budget;
  for (const line of lines) {
    const tokens = countTokens(line.slice(0, left * 12));
    if (tokens > left)
      return [...taken, line.slice(0, Math.floor((line.length * left) / countTokens(line)))].join('');
    taken.push(line);
    left -= tokens;
  }
  return taken.join('');
}

function tail(lines, budget) {
  const taken = [];
  let left = budget;
  for (const line of lines.toReversed()) {
    const tokens = countTokens(line.slice(-left * 12));
    if (tokens > left) {
      taken.push(line.slice(line.length - Math.floor((line.length * left) / countTokens(line))));
      break;
    }
    taken.push(line);
    left -= tokens;
  }
  return taken.toReversed().join('');
}

function headAndTail(lines, budget) {
  return `${take(lines, budget >> 1)}\n...\n${tail(lines, budget >> 1)}`;
}

const FAILURE = /error|fail|fatal|panic|exception|warn|denied|refused|timed? ?out|killed|crash|back-?off/i;

/** What looks like a failure for half of the budget, head and tail for the rest. */
function grep(lines, budget) {
  const found = take(
    lines.filter((line) => FAILURE.test(line)),
    budget >> 1,
  );
  return `${found}\n...\n${headAndTail(lines, budget - (budget >> 1))}`;
}

/** The first of all lines that are alike but for their digits. */
function uniqueLines(lines) {
  const seen = new Set();
  return lines
    .filter((line) => {
      const masked = line.replace(/[0-9a-f]*\d[0-9a-f]*/g, '#');
      return !seen.has(masked) && seen.add(masked);
    })
    .join('');
}

function parsed(text, write) {
  try {
    return write(JSON.parse(text));
  } catch {
    return undefined;
  }
}
