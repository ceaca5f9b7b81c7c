/** What the main thread and the workers say to each other. */
import type { PipeFlags } from '../cli/flags.ts';

export interface CompressWork {
  readonly kind: 'compress';
  /** The input, in order. */
  readonly blocks: ReadonlyArray<Uint8Array<ArrayBuffer>>;
  readonly flags: PipeFlags;
  readonly cwd: string;
  /** Strategies that may not be used. */
  readonly off: readonly string[];
}

export interface BatchWork {
  readonly kind: 'batch';
  /** The body of the request: JSON. */
  readonly blocks: ReadonlyArray<Uint8Array<ArrayBuffer>>;
  readonly cwd: string;
  readonly off: readonly string[];
}

export type Work = CompressWork | BatchWork;

/** What is answered, but for what the server adds. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

export interface Done {
  readonly reply: Reply;
  /** Milliseconds of each strategy that was used. */
  readonly uses: ReadonlyArray<{ readonly name: string; readonly ms: number }>;
  /** Where originals were stored, and how many bytes. */
  readonly stored: ReadonlyArray<{ readonly folder: string; readonly cwd: string; readonly bytes: number }>;
  /** For the metrics. */
  readonly views: ReadonlyArray<{
    readonly kind: 'view' | 'passthrough';
    readonly before: number;
    readonly after: number;
  }>;
  /** The store of calls that name no folder. */
  readonly home?: { readonly folder: string; readonly capBytes: number };
  /** The worker has grown with a large input, and is not worth keeping. */
  readonly isSpent: boolean;
  /** What is wrong with a configuration. */
  readonly warning?: string;
}

export interface ReaderWork {
  /** What stands behind `ctxzip expand`. */
  readonly argv: readonly string[];
  readonly cwd: string;
}

export interface ReaderDone {
  readonly exit: number;
  readonly bytes: Uint8Array;
  readonly notes: readonly string[];
  /** It is more than can be handed over. */
  readonly isTooLarge: boolean;
}

/** An error as it is answered. */
export function fault(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: `${JSON.stringify({ error: message })}\n`,
  };
}

/** Text as a header may hold it. */
export function asHeader(text: string): string {
  return text
    .slice(0, 600)
    .replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
