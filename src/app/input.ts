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
  { maxStoreBytes, storeFolder, policy }: Limits,
  openStore: OpenStore,
): Input | Unspooled {
  const mostHeld = mostHeldOf(storeFolder, policy);
  const held: Uint8Array[] = [];
  const rest = pieces[Symbol.iterator]();
  let size = 0;
  let writer: SpoolWriter | undefined;
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    const piece = next.value;
    size += piece.length;
    if (writer === undefined && size <= mostHeld) {
      held.push(piece);
      continue;
    }
    const isBinary = piece.includes(0) || held.some((each) => each.includes(0));
    try {
      if (isBinary) throw new Error(BINARY);
      if (size > maxStoreBytes) throw new Error('it is larger than the store may grow (max_store_bytes)');
      writer ??= spoolHeld(openStore, held);
      writer.write(piece);
    } catch (error) {
      const all = unspooled(writer, held, piece, rest);
      return { pieces: all, reason: reasonOf(error), isNews: !isBinary };
    }
  }
  if (writer === undefined) {
    return new Input(memorySource(held.length === 1 ? held[0]! : Buffer.concat(held)), undefined);
  }
  const file = writer;
  return new Input({ length: file.size, read: (start, end) => file.read(start, end) }, file);
}

export const BINARY = 'binary: it holds NUL bytes';

function mostHeldOf(storeFolder: string | undefined, { level }: Policy): number {
  return storeFolder === undefined || level === 'minimal' ? IN_MEMORY_ONLY : IN_MEMORY;
}

function spoolHeld(openStore: OpenStore, held: Uint8Array[]): SpoolWriter {
  const spool = openStore();
  if (spool === undefined) throw new Error('there is no store, and the input is too large to hold in memory');
  const writer = filled(spool, held);
  held.length = 0;
  return writer;
}

function* unspooled(
  writer: SpoolWriter | undefined,
  held: readonly Uint8Array[],
  piece: Uint8Array,
  rest: Iterator<Uint8Array>,
): Generator<Uint8Array> {
  if (writer !== undefined) {
    for (let at = 0; at < writer.size; at += 1 << 20)
      yield writer.read(at, Math.min(writer.size, at + (1 << 20)));
    writer.close();
  }
  yield* held;
  yield piece;
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield next.value;
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
