/** What the view asks for; all end early, with an error, when `signal` says so. `explain` and `diff` give lines that are safe to show. */
import type { DaemonStats, Recent } from '../daemon/protocol.ts';

export interface Source {
  /** Where the daemon is asked: the path of its socket. */
  readonly address: string;
  stats(signal: AbortSignal): Promise<DaemonStats>;
  recent(limit: number, signal: AbortSignal): Promise<Recent>;
  suggestions(signal: AbortSignal): Promise<readonly Suggestion[]>;
  explain(hash: string, signal: AbortSignal): Promise<readonly string[]>;
  diff(hash: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** A word that expansions wanted. */
export interface Suggestion {
  readonly word: string;
  /** Wanted in three outputs or more. */
  readonly isSuggested: boolean;
  /** Outputs that hid it and were expanded. */
  readonly originals: number;
  /** What keeping it would have cost, in estimated tokens, where that was measured. */
  readonly tokens?: number;
}

/** The daemon can't be asked, or its answer is of no use; the message is for the user. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}
