/** What goes on beside the keys: asks the daemon again and again, and for the texts of what is opened. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Source } from './port.ts';
import type { Event, State, Text } from './state.ts';

export interface Watch {
  readonly source: Source;
  readonly dispatch: (event: Event) => void;
  readonly now: () => number;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Between two questions. */
  readonly periodMs: number;
}

const SUGGESTIONS_MS = 60_000;
/** Rows of the recent lists that are asked for. */
export const MOST_RECENT = 100;

/** Runs until the signal comes; whatever goes wrong is an event. */
export async function watch(all: Watch): Promise<void> {
  await Promise.all([watchStats(all), watchSuggestions(all)]);
}

async function watchStats({ source, dispatch, now, signal, periodMs }: Watch): Promise<void> {
  while (!signal.aborted) {
    try {
      const [stats, recent] = await Promise.all([source.stats(signal), source.recent(MOST_RECENT, signal)]);
      dispatch({ kind: 'heard', nowMs: now(), stats, recent });
    } catch (error) {
      dispatch({ kind: 'lost', nowMs: now(), why: messageOf(error) });
    }
    await pause(periodMs, signal);
  }
}

/** They change slowly, and cost the daemon more than all else. */
async function watchSuggestions({ source, dispatch, signal, periodMs }: Watch): Promise<void> {
  while (!signal.aborted) {
    let waitMs = SUGGESTIONS_MS;
    try {
      dispatch({ kind: 'suggestions', suggestions: await source.suggestions(signal) });
    } catch {
      // The other questions say what is wrong.
      waitMs = periodMs;
    }
    await pause(waitMs, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Gets the text of the opened row, whenever the state wants another one; what nobody waits for any more is ended. */
export function textGetter(
  { source, dispatch }: Pick<Watch, 'source' | 'dispatch'>,
  over: AbortSignal,
): (state: State) => void {
  let running: { readonly key: string; readonly stop: AbortController } | undefined;
  return (state) => {
    const wanted = wantedText(state);
    const key = wanted === undefined ? undefined : `${wanted.text} ${wanted.hash}`;
    if (running?.key === key) return;
    running?.stop.abort();
    running = undefined;
    if (wanted === undefined || key === undefined) return;
    running = { key, stop: new AbortController() };
    const { text, hash } = wanted;
    const signal = AbortSignal.any([over, running.stop.signal]);
    const got = source[text](hash, signal).catch((error: unknown) => [messageOf(error)]);
    void got.then((lines) => signal.aborted || dispatch({ kind: 'text', text, hash, lines }));
  };
}

function wantedText({ page }: State): { readonly text: Text; readonly hash: string } | undefined {
  if (page.kind !== 'item' || page.lines[page.text] !== undefined) return undefined;
  const { hash } = page.item;
  return hash === undefined ? undefined : { text: page.text, hash };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
