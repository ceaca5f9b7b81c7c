/** Bodies of requests, within limits. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fault, type Reply } from './work.ts';

/** Bytes of bodies that are in memory, over all requests. */
export class Memory {
  held = 0;
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** False where it would be too much. */
  hold(bytes: number): boolean {
    if (this.held + bytes > this.most) return false;
    this.held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.held -= bytes;
  }
}

export type Body =
  | { readonly kind: 'body'; readonly blocks: Blocks }
  | { readonly kind: 'refused'; readonly reply: Reply }
  /** Nobody is there any more to be answered. */
  | { readonly kind: 'gone' };

interface Bounds {
  readonly most: number;
  readonly memory: Memory;
  /** Told of what is held for this request. */
  readonly onHeld: (bytes: number) => void;
}

/** Reads all of a body. What is refused is read no further than it takes for the answer to arrive. */
export function readBody(request: IncomingMessage, response: ServerResponse, bounds: Bounds): Promise<Body> {
  const { most, memory, onHeld } = bounds;
  const told = Number(request.headers['content-length'] ?? 0);
  if (told > most) return Promise.resolve({ kind: 'refused', reply: tooLarge(most) });
  // Who waits to be asked for it sends nothing in vain.
  if (request.headers.expect !== undefined) response.writeContinue();
  return new Promise((resolve) => {
    let blocks = new Blocks(told);
    let size = 0;
    const refuse = (reply: Reply): void => {
      blocks = new Blocks(0);
      request.off('data', take);
      request.resume();
      resolve({ kind: 'refused', reply });
    };
    const take = (piece: Buffer): void => {
      size += piece.length;
      if (size > most) return refuse(tooLarge(most));
      if (!memory.hold(piece.length)) return refuse(tooMuch());
      onHeld(piece.length);
      blocks.add(piece);
    };
    request.on('data', take);
    request.on('end', () => resolve({ kind: 'body', blocks }));
    request.on('close', () => resolve({ kind: 'gone' }));
    request.on('error', () => resolve({ kind: 'gone' }));
  });
}

const BLOCK_BYTES = 1 << 20;

/**
 * A body in blocks that can be handed to a worker. Pieces share their memory with what comes behind them on the
 * connection, so they are copied, each as it comes: copying a whole body at its end would take tens of milliseconds.
 */
export class Blocks {
  size = 0;
  private readonly full: Array<Uint8Array<ArrayBuffer>> = [];
  private last = new Uint8Array(0);
  private used = 0;
  private readonly told: number;

  /** `told` is how many bytes will come, as far as that is known. */
  constructor(told: number) {
    this.told = told;
  }

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      if (this.used === this.last.length) this.begin(piece.length - at);
      const part = piece.subarray(at, at + this.last.length - this.used);
      this.last.set(part, this.used);
      this.used += part.length;
      this.size += part.length;
      at += part.length;
    }
  }

  /** All of it, in order. */
  all(): Array<Uint8Array<ArrayBuffer>> {
    return [...this.full, this.last.subarray(0, this.used)];
  }

  private begin(least: number): void {
    if (this.used > 0) this.full.push(this.last);
    const left = Math.max(least, this.told - this.size);
    // Of what is not known, twice as much may come as did.
    const wanted = this.told > 0 ? left : Math.max(least, this.size);
    this.last = new Uint8Array(Math.min(BLOCK_BYTES, Math.max(1, wanted)));
    this.used = 0;
  }
}

function tooLarge(most: number): Reply {
  return fault(413, `the body is larger than ${most} bytes; pipe it through ctxzip, or raise --max-body`);
}

function tooMuch(): Reply {
  return fault(503, 'the requests in flight take all the memory there is for them; try again', {
    'retry-after': '1',
  });
}
