/**
 * Processes for the daemon, started by a thread of their own: whoever starts a process stands still until it runs, 10 ms
 * and on a busy machine several times that.
 */
import { Worker } from 'node:worker_threads';
import type { Ended } from './crew.ts';
import type { ReaderDone, ReaderWork } from './work.ts';

/** A command that is run to its end. */
export interface Errand {
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** At low priority? */
  readonly isPatient: boolean;
}

/** `failed`: it could not be started, took too long, printed too much or ended with another code than 0. */
export interface Ran {
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export type HandsWork =
  | { readonly id: number; readonly kind: 'errand'; readonly errand: Errand }
  | { readonly id: number; readonly kind: 'read'; readonly work: ReaderWork; readonly limitMs: number };

export type HandsSay =
  | { readonly kind: 'ran'; readonly id: number; readonly ran: Ran }
  | { readonly kind: 'read'; readonly id: number; readonly ended: Ended<ReaderDone> }
  | { readonly kind: 'tell'; readonly text: string };

/** What the thread is given. */
export interface HandsData {
  readonly self: readonly [string, string];
  readonly env: Readonly<Record<string, string | undefined>>;
}

export class Hands {
  private readonly file: string;
  private readonly data: HandsData;
  private readonly tell: (text: string) => void;
  private readonly pending = new Map<number, (said: HandsSay | undefined) => void>();
  private worker: Worker | undefined;
  private last = 0;
  private isClosed = false;

  constructor(file: string, data: HandsData, tell: (text: string) => void) {
    this.file = file;
    this.data = data;
    this.tell = tell;
  }

  /** Starts the thread, so that nobody waits for it. */
  warm(): void {
    this.thread();
  }

  async run(errand: Errand): Promise<Ran> {
    const said = await this.give({ id: this.next(), kind: 'errand', errand });
    return said?.kind === 'ran' ? said.ran : { failed: true, stdout: '', stderr: '' };
  }

  /** Has a reader answer. */
  async read(work: ReaderWork, limitMs: number): Promise<Ended<ReaderDone>> {
    const said = await this.give({ id: this.next(), kind: 'read', work, limitMs });
    return said?.kind === 'read' ? said.ended : { kind: 'gone', reason: 'it could not be asked' };
  }

  close(): void {
    this.isClosed = true;
    void this.worker?.terminate();
  }

  private next(): number {
    this.last += 1;
    return this.last;
  }

  private give(work: HandsWork): Promise<HandsSay | undefined> {
    if (this.isClosed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.pending.set(work.id, resolve);
      this.thread().postMessage(work, []);
    });
  }

  private thread(): Worker {
    if (this.worker !== undefined) return this.worker;
    const worker = new Worker(this.file, { workerData: this.data });
    worker.on('message', (said: HandsSay) => {
      if (said.kind === 'tell') return this.tell(said.text);
      this.pending.get(said.id)?.(said);
      this.pending.delete(said.id);
    });
    worker.on('error', (error) => this.tell(`the thread for processes failed: ${String(error)}`));
    worker.on('exit', () => {
      this.worker = undefined;
      for (const resolve of this.pending.values()) resolve(undefined);
      this.pending.clear();
    });
    this.worker = worker;
    return worker;
  }
}
