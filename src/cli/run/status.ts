import { formatSize } from '../../app/expand-words.ts';
import { printable } from '../../core/address.ts';
import type { Wire } from '../../wire.ts';
import { isTerminal, showStatus } from '../io.ts';

/** A command runs so long before anything is shown; then that is written anew so often. */
const AFTER_MS = 2000;
const EVERY_MS = 1000;

/** A line on the terminal of stderr that says that a command still runs. */
export class Status {
  private timer: NodeJS.Timeout | undefined;
  private isShown = false;
  private readonly wire: Wire;
  private readonly command: string;

  constructor(wire: Wire, words: readonly string[]) {
    this.wire = wire;
    this.command = printable(words.join(' ').slice(0, 200));
  }

  /** Begins to show it, where there is a terminal that can replace a line. `bytes`: how much was printed so far. */
  async start(bytes: () => number): Promise<void> {
    if (this.wire.env['TERM'] === 'dumb' || !(await isTerminal('stderr'))) return;
    const startedMs = this.wire.now();
    this.timer = setInterval(() => {
      const ms = this.wire.now() - startedMs;
      if (ms < AFTER_MS) return;
      this.isShown = true;
      showStatus(`ctxzip: ${Math.round(ms / 1000)} s, ${formatSize(bytes())} so far: ${this.command}`);
    }, EVERY_MS);
  }

  /** Removes it for good. */
  stop(): void {
    clearInterval(this.timer);
    if (this.isShown) showStatus('');
    this.isShown = false;
  }
}
