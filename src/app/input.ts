/** Reads what is to be compressed: into memory, or into the spool where it is large. */
import type { Policy, Source } from '../core/model.ts';
import { memorySource } from '../core/source.ts';
import { isUnavailable } from '../store/port.ts';
import type { Spool, SpoolWriter } from '../store/spool.ts';

/** Inputs up to this size stay in memory; larger ones go to the spool as they come. */
export const IN_MEMORY = 32 << 20;
/** The same where nothing is stored. */
export const IN_MEMORY_ONLY = 256 << 20;

/** Opens the store once it is needed; undefined where there is none. Throws `StoreUnavailable`. */
export type OpenStore = () => Spool | undefined;

/** An input: in memory or in a file of the spool; `close` it when it has been printed. */
export class Input {
  readonly source: Source;
  /** Holds the bytes of a large input already. */
  readonly writer: SpoolWriter | undefined;

  constructor(source: Source, writer: SpoolWriter | undefined) {
    this.source = source;
    this.writer = writer;
  }

  *pieces(): Generator<Uint8Array> {
    const { source } = this;
    for (let at = 0; at < source.length; at += 1 << 22)
      yield source.read(at, Math.min(source.length, at + (1 << 22)));
  }

  close(): void {
    this.writer?.close();
  }
}

/** An input that the spool failed under: what was read and what is still to come. */
export interface Unspooled {
  readonly pieces: Iterable<Uint8Array>;
  readonly reason: string;
  /** Is it worth a line on stderr? */
  readonly isNews: boolean;
}

interface Limits {
  readonly maxStoreBytes: number;
  readonly storeFolder: string | undefined;
  readonly policy: Policy;
}

/**
 * Reads all of `pieces`; what can't be held goes to the spool. A large input that is binary, or larger than the store may
 * be, is not waited for.
 */
export function readInput(
  pieces: Iterable<Uint8Array>,
  limits: Limits,
  openStore: OpenStore,
): Input | Unspooled {
  const intake = new Intake(limits, openStore);
  const rest = pieces[Symbol.iterator]();
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    const unspooled = intake.push(next.value);
    if (unspooled !== undefined) return { ...unspooled, pieces: chained(unspooled.pieces, rest) };
  }
  return intake.input();
}

function* chained(first: Iterable<Uint8Array>, rest: Iterator<Uint8Array>): Generator<Uint8Array> {
  yield* first;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
}

/** An input that is given piece by piece. */
export class Intake {
  private held: Uint8Array[] = [];
  private size = 0;
  private writer: SpoolWriter | undefined;
  private readonly maxStoreBytes: number;
  private readonly mostHeld: number;
  private readonly openStore: OpenStore;

  constructor({ maxStoreBytes, storeFolder, policy }: Limits, openStore: OpenStore) {
    this.maxStoreBytes = maxStoreBytes;
    this.mostHeld = mostHeldOf(storeFolder, policy);
    this.openStore = openStore;
  }

  /** Takes a piece, which may not change any more. Where it can't be held, everything so far comes back, and no more is taken. */
  push(piece: Uint8Array): Unspooled | undefined {
    this.size += piece.length;
    if (this.writer === undefined && this.size <= this.mostHeld) {
      this.held.push(piece);
      return undefined;
    }
    const isBinary = piece.includes(0) || this.held.some((each) => each.includes(0));
    try {
      if (isBinary) throw new Error(BINARY);
      if (this.size > this.maxStoreBytes)
        throw new Error('it is larger than the store may grow (max_store_bytes)');
      this.writer ??= this.spooled();
      this.writer.write(piece);
      return undefined;
    } catch (error) {
      return { pieces: this.all(piece), reason: reasonOf(error), isNews: !isBinary };
    }
  }

  /** All of it; nothing may be given any more. */
  input(): Input {
    const { writer, held } = this;
    if (writer === undefined) {
      return new Input(memorySource(held.length === 1 ? held[0]! : Buffer.concat(held)), undefined);
    }
    return new Input({ length: writer.size, read: (start, end) => writer.read(start, end) }, writer);
  }

  private spooled(): SpoolWriter {
    const spool = this.openStore();
    if (spool === undefined)
      throw new Error('there is no store, and the input is too large to hold in memory');
    const writer = filled(spool, this.held);
    this.held = [];
    return writer;
  }

  private *all(piece: Uint8Array): Generator<Uint8Array> {
    const { writer } = this;
    if (writer !== undefined) {
      for (let at = 0; at < writer.size; at += 1 << 20)
        yield writer.read(at, Math.min(writer.size, at + (1 << 20)));
      writer.close();
    }
    yield* this.held;
    yield piece;
  }
}

export const BINARY = 'binary: it holds NUL bytes';

function mostHeldOf(storeFolder: string | undefined, { level }: Policy): number {
  return storeFolder === undefined || level === 'minimal' ? IN_MEMORY_ONLY : IN_MEMORY;
}

/** What is compressed, on its way into the store: written there once its hash is asked for. */
export class Original {
  writer: SpoolWriter | undefined;
  private readonly origin: Input;
  private readonly openStore: OpenStore;

  constructor(origin: Input, openStore: OpenStore) {
    this.origin = origin;
    this.openStore = openStore;
  }

  /** The SHA-256 of all of it. */
  seal(): string {
    this.writer ??= writerOf(this.origin, this.openStore);
    return this.writer.seal();
  }

  /** The writer of an input is closed by who reads that. */
  close(): void {
    if (this.writer !== this.origin.writer) this.writer?.close();
  }
}

/** The writer that holds the input already, or a new one with all of it. */
function writerOf(input: Input, openStore: OpenStore): SpoolWriter {
  if (input.writer !== undefined) return input.writer;
  return filled(openStore()!, input.pieces(), input.source.length);
}

/** A writer that holds `pieces`; where the disk is full, nothing of it stays. */
function filled(spool: Spool, pieces: Iterable<Uint8Array>, size?: number): SpoolWriter {
  const writer = spool.begin(size);
  try {
    for (const piece of pieces) writer.write(piece);
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** What a person reads of an error. */
export function reasonOf(error: unknown): string {
  if (isUnavailable(error)) return error.message;
  return error instanceof Error
    ? `${error.name === 'Error' ? '' : `${error.name}: `}${error.message}`
    : String(error);
}
