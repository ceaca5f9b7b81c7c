/** Runs the view: a chunk of its own, with ink and React in it. Events come in, the state goes on, the screen is drawn. */
import chalk from 'chalk';
import { render, renderToString, useInput } from 'ink';
import type { ReactNode } from 'react';
import { asciiOnly } from './format.ts';
import { keyNames } from './keys.ts';
import { Paper } from './paper.ts';
import type { Source } from './port.ts';
import { reduce } from './reduce.ts';
import { Overview, Screen } from './screen.tsx';
import { type Event, type KeyName, type Size, startState } from './state.ts';
import { MOST_RECENT, textGetter, watch } from './watch.ts';

/** Where it is shown. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  /** Writes to stdout at once; throws where nobody reads. */
  readonly write: (text: string) => void;
}

export interface Look {
  readonly hasColours: boolean;
  /** Is the terminal one without control sequences? */
  readonly isDumb: boolean;
  /** Can it show no more than ASCII? */
  readonly isAscii: boolean;
}

const PERIOD_MS = 1000;
/** Where every frame is a new page of paper. */
const DUMB_PERIOD_MS = 5000;

function sizeOf({ stdout }: Terminal): Size {
  // A terminal that does not know its size has 0.
  return { columns: stdout.columns || 80, rows: stdout.rows || 24 };
}

/** Shows the view until it is quit; returns the exit code. */
export async function top(
  source: Source,
  terminal: Terminal,
  look: Look,
  now: () => number,
): Promise<number> {
  if (!look.hasColours) chalk.level = 0;
  const { stdin } = terminal;
  const over = new AbortController();
  const { signal } = over;
  const size = (): Size => sizeOf(terminal);
  // The first reason is the exit code.
  const end = (exit: number): void => over.abort(exit);
  let state = startState({ size: size(), isAscii: look.isAscii, address: source.address, nowMs: now() });
  const { isDumb, isAscii } = look;
  const paper = new Paper({ write: terminal.write, size, isDumb, isAscii, onGone: () => end(0) });
  const release = hold(terminal, paper, end, () => dispatch({ kind: 'resized', size: size() }));
  const tree = (): ReactNode => (
    <>
      {stdin.isTTY && <Keyboard onKey={(key) => dispatch({ kind: 'key', key })} />}
      <Screen state={state} />
    </>
  );
  const shown = renderOn(paper, stdin, tree(), (error) => over.abort(error));
  const dispatch = (event: Event): void => {
    if (signal.aborted) return;
    state = reduce(state, event);
    getTexts(state);
    if (state.isOver) end(0);
    else shown.rerender(tree());
  };
  const getTexts = textGetter({ source, dispatch }, signal);
  try {
    await watch({ source, dispatch, now, signal, periodMs: isDumb ? DUMB_PERIOD_MS : PERIOD_MS });
  } finally {
    shown.unmount();
    release();
  }
  if (signal.reason instanceof Error) throw signal.reason;
  return signal.reason as number;
}

/** Whole frames go to the paper, at once. A defect in drawing ends the view: ink would show no more, and wait. */
function renderOn(
  paper: Paper,
  stdin: NodeJS.ReadStream,
  tree: ReactNode,
  fail: (error: unknown) => void,
): ReturnType<typeof render> {
  const stdout = paper as unknown as NodeJS.WriteStream;
  const shown = render(tree, { stdout, stdin, debug: true, exitOnCtrlC: false, patchConsole: false });
  shown.waitUntilExit().catch(fail);
  return shown;
}

function Keyboard({ onKey }: { readonly onKey: (key: KeyName) => void }): ReactNode {
  useInput((input, key) => keyNames(input, key).forEach(onKey));
  return null;
}

const EXITS: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Takes the terminal, and gives it back by the function returned, or when the process ends in another way. */
function hold(
  { stdin, stdout }: Terminal,
  paper: Paper,
  end: (exit: number) => void,
  onResize: () => void,
): () => void {
  const onSignal = (name: string): void => end(EXITS[name]!);
  const onHangup = (): void => end(0);
  const onExit = (): void => paper.close();
  paper.open();
  process.on('exit', onExit);
  for (const name of Object.keys(EXITS)) process.on(name, onSignal);
  stdout.on('resize', onResize);
  stdin.on('end', onHangup).on('error', onHangup);
  return () => {
    paper.close();
    process.off('exit', onExit);
    for (const name of Object.keys(EXITS)) process.off(name, onSignal);
    stdout.off('resize', onResize);
    stdin.off('end', onHangup).off('error', onHangup);
  };
}

/** One frame as plain text. Throws `Unreachable` where no daemon answers. */
export async function once(source: Source, size: Size, isAscii: boolean, nowMs: number): Promise<string> {
  chalk.level = 0;
  const { signal } = new AbortController();
  const [stats, recent, suggestions] = await Promise.all([
    source.stats(signal),
    source.recent(MOST_RECENT, signal),
    source.suggestions(signal),
  ]);
  const events: Event[] = [
    { kind: 'heard', nowMs, stats, recent },
    { kind: 'suggestions', suggestions },
  ];
  const state = events.reduce(reduce, startState({ size, isAscii, address: source.address, nowMs }));
  // Nothing is chosen where no key can be pressed.
  const still = { ...state, chosen: { index: -1 } };
  const text = renderToString(<Overview state={still} />, { columns: size.columns });
  return `${(isAscii ? asciiOnly(text) : text).replace(/[^\S\n]+$/gm, '')}\n`;
}
