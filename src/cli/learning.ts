/** What follows an expansion that was printed, or that found nothing. Whatever breaks in here, the command has done its work. */
import { type AuditEvent, emit } from '../app/events.ts';
import { programOf, recordExpansion, toolName } from '../app/ledger.ts';
import { learn, type Learnt, type Lesson } from '../app/suggest.ts';
import type { Config } from '../config/load.ts';
import { policyFrom } from '../config/policy.ts';
import type { Lookup } from '../store/port.ts';
import type { Wire } from '../wire.ts';

/** Where an expansion is recorded and told, and what was searched for. */
export interface Note extends Pick<Lesson, 'state' | 'grep'> {
  readonly wire: Wire;
  readonly config: Config;
  /** The file that audit events are added to. */
  readonly events: string | null;
  readonly say: (text: string) => void;
}

/** So many bytes of what is printed are looked at for words. */
export const LOOKED_AT = 1 << 16;
/** Words that the line on stderr and an event name; the others are in `ctxzip suggestions`. */
const SHOWN_WORDS = 3;
const EVENT_WORDS = 5;

/** Learns from what was printed, and says what has become a suggestion. */
export function learnFrom(
  note: Note | undefined,
  { entry, reader }: Extract<Lookup, { kind: 'found' }>,
  printed: { readonly bytes: number; readonly pieces: readonly Uint8Array[] },
): void {
  if (note === undefined) return;
  const { wire, config, state, grep } = note;
  const { command, tool: named } = entry.facts;
  const tool = named ?? (command === undefined ? undefined : programOf(command));
  const ruled = named ?? command;
  try {
    const learnt = learn({
      state,
      nowMs: wire.now(),
      by: `${process.pid}-${wire.world.nowMs}`,
      hash: entry.sha,
      ...(tool !== undefined && { tool: toolName(tool) }),
      printed: { bytes: printed.bytes, text: Buffer.concat(printed.pieces).subarray(0, LOOKED_AT) },
      reader,
      keepPatterns: policyFrom(config, ruled === undefined ? {} : { tool: ruled }).keepPatterns,
      ...(grep !== undefined && { grep }),
    });
    tell(note, learnt);
  } catch {
    // Then nothing is learnt.
  }
}

function tell({ events, state, say }: Note, { expansion, suggested }: Learnt): void {
  if (suggested.length > 0) say(lineOf(suggested.map(({ word }) => word)));
  if (events === null) return;
  const { at, hit, hash, bytes, tokens, tool, words } = expansion;
  const candidates = words && { candidates: words.slice(0, EVENT_WORDS) };
  const send = (event: AuditEvent): void => emit({ file: events, state, nowMs: at }, event);
  const named = tool !== undefined && { tool };
  send({ event: 'context_expanded', hash, hit, bytes, tokens, ...named, ...candidates });
  for (const { word, expansions, tools } of suggested)
    send({ event: 'context_pattern_suggested', pattern: word, expansions, tools });
}

function lineOf(words: readonly string[]): string {
  const more = words.length > SHOWN_WORDS ? ` and ${words.length - SHOWN_WORDS} more` : '';
  return `${words.slice(0, SHOWN_WORDS).join(', ')}${more}: wanted in three outputs that hid it; ctxzip suggestions shows what keeping it costs`;
}

/** Records that nothing was there. */
export function noteMiss(note: Note | undefined, hash: string): void {
  if (note === undefined) return;
  const { wire, state, events } = note;
  const nowMs = wire.now();
  const miss = { hash, hit: false, bytes: 0, tokens: 0 };
  recordExpansion(state, { at: nowMs, ...miss });
  if (events !== null) emit({ file: events, state, nowMs }, { event: 'context_expanded', ...miss });
}
