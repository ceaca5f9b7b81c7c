/** What `explain` and `diff` share: an original by its hash, or the last one, and its view made again. */
import { type Again, makeAgain } from '../../app/again.ts';
import { lookupMessage } from '../../app/expand-words.ts';
import { readRuns } from '../../app/ledger.ts';
import { policyFrom, ruleNotes } from '../../config/policy.ts';
import { parseHandle } from '../../core/marker.ts';
import { isDamaged, type Reader } from '../../store/port.ts';
import { VERSION, type Wire } from '../../wire.ts';
import { say } from '../io.ts';
import { NO_STORE, openStore, type OpenedStore } from './store.ts';

export interface Remade extends Again {
  readonly sha: string;
  readonly reader: Reader;
  readonly tool: string | undefined;
  /** What rules of `tools:` decide for it now. */
  readonly ruleNotes: readonly string[];
}

/** So much is searched for what was recorded of a run. */
const READ_BYTES = 64 << 20;

/** Finds an original, makes its view again and hands both to `use`, which gives the exit code. */
export async function withView(wire: Wire, word: string, use: (remade: Remade) => number): Promise<number> {
  const opened = await openStore(wire);
  if (opened === undefined) {
    say(NO_STORE);
    return 1;
  }
  try {
    const hash = word === 'last' ? lastHash(opened) : hashIn(word);
    return typeof hash === 'number' ? hash : await remake(wire, opened, hash, use);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    say(`the stored original is damaged: ${error.message}`);
    return 1;
  } finally {
    await opened.store.close();
  }
}

function hashIn(word: string): string | number {
  const handle = parseHandle([word]);
  if (handle.kind === 'handle') return handle.hash;
  say(handle.message);
  return handle.kind === 'documentation' ? 1 : 2;
}

/** The original of the view that was printed last. */
function lastHash({ config }: OpenedStore): string | number {
  const runs = config.stateFolder === undefined ? [] : readRuns(config.stateFolder, { holding: '"hash":' });
  const hash = runs.findLast((run) => run.hash !== undefined)?.hash;
  if (hash !== undefined) return hash;
  say('no run is recorded that made a view: give a hash, which ctxzip list shows');
  return 1;
}

async function remake(
  wire: Wire,
  { store, config }: OpenedStore,
  hash: string,
  use: (remade: Remade) => number,
): Promise<number> {
  const lookup = await store.open(hash, wire.now());
  if (lookup.kind !== 'found') {
    const { exit, notes } = lookupMessage(lookup, hash);
    notes.forEach(say);
    return exit;
  }
  const { entry, reader } = lookup;
  const { sha, facts } = entry;
  try {
    const reach = { mostBytes: READ_BYTES, holding: sha };
    const runs = config.stateFolder === undefined ? [] : readRuns(config.stateFolder, reach);
    const run = runs.findLast((each) => each.hash === sha);
    const tool = facts.tool ?? facts.command ?? run?.tool;
    const wishes = tool === undefined ? {} : { tool };
    const policy = policyFrom(config, wishes);
    const again = makeAgain({ sha, reader, run, policy, version: VERSION });
    if (again.doubt !== undefined) say(again.doubt);
    return use({ ...again, sha, reader, tool, ruleNotes: ruleNotes(config, wishes) });
  } finally {
    reader.close();
  }
}
