import { type Measure, measureWords, type Measured } from '../../app/measure.ts';
import { recordDecisions } from '../../app/ledger.ts';
import { candidatesIn, type Candidate, type Decision } from '../../app/suggest.ts';
import { nearest } from '../../config/nearest.ts';
import { policyFrom } from '../../config/policy.ts';
import { printable } from '../../core/address.ts';
import type { Wire } from '../../wire.ts';
import { columns } from '../columns.ts';
import { say, writeOut } from '../io.ts';
import { span } from './spans.ts';
import { NO_STORE, openStore, type OpenedStore } from './store.ts';
import { working } from '../working.ts';

interface Options {
  readonly json?: boolean;
  readonly apply?: true | readonly string[];
  readonly dismiss?: true | readonly string[];
  readonly all?: boolean;
  readonly user?: boolean;
  readonly project?: boolean;
}

/** Candidates that are shown and measured. */
const MOST_SHOWN = 20;

/** `ctxzip suggestions`: words that expansions wanted, what keeping them costs, and what to do about them. */
export async function suggestionsCommand(wire: Wire, options: Options): Promise<number> {
  const fault = faultOf(options);
  if (fault !== undefined) {
    say(`${fault}; see: ctxzip suggestions --help`);
    return 2;
  }
  const opened = await openStore(wire);
  const state = opened?.config.stateFolder;
  if (opened === undefined || state === undefined) {
    say(NO_STORE);
    return 1;
  }
  try {
    const candidates = candidatesIn(state, wire.now()).filter(isOpen(opened));
    if (options.apply === undefined && options.dismiss === undefined)
      return await show(wire, opened, candidates, options.json === true);
    const chosen = choose(candidates, options);
    if (typeof chosen === 'number') return chosen;
    return options.apply === undefined
      ? dismissWords(wire, state, chosen)
      : await applyWords(wire, state, chosen, options);
  } finally {
    await opened.store.close();
  }
}

function faultOf({ apply, dismiss, all = false, user, project, json }: Options): string | undefined {
  const chosen = apply ?? dismiss;
  const faults: ReadonlyArray<readonly [boolean, string]> = [
    [apply !== undefined && dismiss !== undefined, 'one of --apply and --dismiss at a time'],
    [user === true && project === true, 'one of --user and --project at a time'],
    [chosen === true && !all, 'name the words, or add --all'],
    [chosen === undefined && all, '--all goes with --apply or --dismiss'],
    [Array.isArray(chosen) && all, 'name the words or say --all, not both'],
    [chosen !== undefined && json === true, '--json shows; it does not go with --apply or --dismiss'],
  ];
  return faults.find(([isFault]) => isFault)?.[1];
}

/** Is a candidate kept by no pattern of this place? */
function isOpen({ config }: OpenedStore): (candidate: Candidate) => boolean {
  const literals = config.settings.keepPatterns
    .filter((pattern) => !/^\/.+\/[a-z]*$/s.test(pattern))
    .map((pattern) => pattern.toLowerCase());
  return ({ word }) => !literals.some((literal) => word.toLowerCase().includes(literal));
}

/** The candidates that were named, or all suggestions. */
function choose(candidates: readonly Candidate[], { apply, dismiss }: Options): Candidate[] | number {
  const named = apply ?? dismiss;
  if (!Array.isArray(named)) {
    const suggested = candidates.filter(({ isSuggested }) => isSuggested);
    if (suggested.length === 0)
      say('there is no suggestion yet: a word is one when three outputs that hid it were expanded');
    return suggested.length === 0 ? 1 : suggested;
  }
  const chosen: Candidate[] = [];
  for (const word of named as readonly string[]) {
    const found = candidates.find((each) => each.word.toLowerCase() === word.toLowerCase());
    if (found === undefined) {
      const near = nearest(
        word,
        candidates.map((each) => each.word),
      );
      say(
        `"${printable(word)}" is no candidate${near === undefined ? '; see: ctxzip suggestions' : `; did you mean ${near}?`}`,
      );
      return 2;
    }
    chosen.push(found);
  }
  return chosen;
}

function decide(wire: Wire, state: string, words: readonly Candidate[], what: Decision['what']): boolean {
  const at = wire.now();
  const by = `${process.pid}-${wire.world.nowMs}`;
  return recordDecisions(
    state,
    words.map(({ word }) => ({ at, word, what, by })),
  );
}

function dismissWords(wire: Wire, state: string, words: readonly Candidate[]): number {
  if (!decide(wire, state, words, 'dismissed')) {
    say(`that can't be noted in ${state}`);
    return 1;
  }
  say(`dismissed: ${words.map(({ word }) => word).join(', ')}`);
  return 0;
}

async function applyWords(
  wire: Wire,
  state: string,
  words: readonly Candidate[],
  options: Options,
): Promise<number> {
  const { writeKeepPatterns } = await import('../../config/parse.ts');
  const target = options.user === true ? 'user' : options.project === true ? 'project' : undefined;
  const patterns = words.map(({ word }) => word);
  const written = writeKeepPatterns(wire.world, target, patterns);
  if (written.kind === 'refused') {
    say(printable(written.message));
    writeOut(block(patterns.map((word) => ({ word }))));
    return 1;
  }
  decide(wire, state, words, 'applied');
  say(
    `${patterns.join(', ')}: kept from now on, by ${printable(written.file)}${written.isNew ? ' (new)' : ''}`,
  );
  return 0;
}

async function show(
  wire: Wire,
  opened: OpenedStore,
  candidates: readonly Candidate[],
  isJson: boolean,
): Promise<number> {
  const shown = candidates.slice(0, MOST_SHOWN);
  const measured = await working(wire, 'reading the stored originals', () =>
    measureWords(
      opened.store,
      shown.map(({ word }) => word),
      ({ facts }) => policyFrom(opened.config, toolOf(facts.tool ?? facts.command)),
      wire.now(),
    ),
  );
  if (isJson) writeOut(`${JSON.stringify(jsonOf(candidates, measured), null, 2)}\n`);
  else if (candidates.length === 0) {
    say('nothing was wanted yet that a view had left out: candidates come from ctxzip expand');
  } else writeOut(textOf(wire, candidates, measured));
  return 0;
}

function toolOf(tool: string | undefined): { tool?: string } {
  return tool === undefined ? {} : { tool };
}

function jsonOf(candidates: readonly Candidate[], { words, originals, stored }: Measured): object {
  return {
    measured: { originals, stored, tokens: 'estimated' },
    candidates: candidates.map(({ lastMs, count, isSuggested, ...rest }) => {
      const measure = words.get(rest.word);
      return {
        ...rest,
        count: Math.round(count * 1000) / 1000,
        suggested: isSuggested,
        lastSeen: new Date(lastMs).toISOString(),
        ...(measure && {
          wouldHaveKept: measure.kept,
          tokens: measure.tokens,
          tokensSavedThere: measure.saved,
        }),
      };
    }),
    keep_patterns: candidates.filter(({ isSuggested }) => isSuggested).map(({ word }) => word),
  };
}

function textOf(wire: Wire, candidates: readonly Candidate[], measured: Measured): string {
  const rows = candidates.slice(0, MOST_SHOWN).map((candidate) => {
    const { word, expansions, originals, isSuggested, tools, lastMs } = candidate;
    const { kept, tokens } = measured.words.get(word)!;
    const name = `${isSuggested ? '*' : ' '} ${printable(word)}`;
    const seen = `${span(wire.now() - lastMs)} ago`;
    const numbers = [expansions, originals, kept, tokens].map(String);
    return [name, ...numbers, seen, printable(tools.join(', ') || '-').slice(0, 60)];
  });
  const heads = ['  WORD', 'EXPANSIONS', 'OUTPUTS', 'WOULD HAVE KEPT', 'COST IN TOKENS', 'LAST', 'TOOLS'];
  const more = candidates.length > MOST_SHOWN ? `and ${candidates.length - MOST_SHOWN} more: --json\n` : '';
  return `${columns([heads, ...rows], [1, 2, 3, 4])}${more}\n${summary(candidates, measured)}`;
}

function summary(candidates: readonly Candidate[], { words, originals, stored }: Measured): string {
  const base = `Measured over ${originals} of ${stored} stored originals; tokens are estimated.\n`;
  const suggested = candidates.filter(({ isSuggested }) => isSuggested);
  if (suggested.length === 0) return `${base}None was wanted in three outputs yet.\n`;
  const items = suggested.map(({ word, originals: of }) => {
    const measure = words.get(word);
    return { word, note: `wanted in ${of} outputs${measure === undefined ? '' : costOf(measure)}` };
  });
  return `${base}* wanted in three outputs or more: --apply WORD…|--all writes them for you, --dismiss WORD… forgets them.\n\n${block(items)}`;
}

/** A word that costs more than this share of what is saved is hardly worth it. */
const DEAR = 0.5;

function costOf({ tokens, saved }: Measure): string {
  return `, ${tokens} tokens${tokens > DEAR * saved && tokens > 0 ? `: most of the ${saved} that are saved` : ''}`;
}

/** What can be put into a `forge.yaml`. */
function block(items: ReadonlyArray<{ readonly word: string; readonly note?: string }>): string {
  const lines = items.map(({ word, note }) => {
    const text = /^[A-Za-z][\w-]*$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
    return `    - ${text}${note === undefined ? '' : ` # ${note}`}\n`;
  });
  return `compression:\n  keep_patterns:\n${lines.join('')}`;
}
