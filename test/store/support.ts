/** What the store tests share: a folder of their own, bytes that can be made again, and a put in one line. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Facts, Lookup, Reader, Sha, Store, ViewRecord } from '../../src/store/port.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Some noon; the tests have their own clock. */
export const T0 = Date.UTC(2025, 5, 1, 12);

const made: string[] = [];

/** A new empty folder that is removed when the tests of the file are done. */
export function tempFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ctxzip-store-'));
  made.push(path);
  return path;
}

afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

export function shaOf(bytes: Uint8Array): Sha {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A generator of numbers in [0, 1) that gives the same ones again. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** About `size` bytes of log lines that pack as logs do, all different by seed. */
export function logText(size: number, seed = 1): Buffer {
  const random = seeded(seed);
  const lines: string[] = [];
  for (let length = 0; length < size;) {
    const line = `2025-06-01T12:00:${String(lines.length % 60).padStart(2, '0')}Z INFO request ${lines.length} from 10.0.${Math.floor(random() * 255)}.7 took ${Math.floor(random() * 900)}ms status=200`;
    lines.push(line);
    length += line.length + 1;
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** Bytes that don't pack. */
export function noise(size: number, seed = 1): Buffer {
  const random = seeded(seed);
  const bytes = Buffer.allocUnsafe(size);
  for (let at = 0; at < size; at += 1) bytes[at] = Math.floor(random() * 256);
  return bytes;
}

export interface PutOptions {
  readonly ttlMs?: number;
  readonly nowMs?: number;
  readonly facts?: Partial<Facts>;
  readonly view?: ViewRecord;
}

/** Puts bytes in pieces of odd sizes; returns their hash. */
export async function put(store: Store, bytes: Buffer, options: PutOptions = {}): Promise<Sha> {
  const { ttlMs = 7 * DAY_MS, nowMs = T0, facts = {}, view } = options;
  const sha = shaOf(bytes);
  await store.put({
    sha,
    size: bytes.length,
    chunks: inPieces(bytes, 100_003),
    facts: { createdMs: nowMs, ...facts },
    ttlMs,
    nowMs,
    ...(view ? { view } : {}),
  });
  return sha;
}

export function* inPieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** All bytes of a lookup that found something, read in steps; throws if it did not. */
export function bytesOf(lookup: Lookup): Buffer {
  if (lookup.kind !== 'found') throw new Error(`not found but ${JSON.stringify(lookup)}`);
  try {
    return readAll(lookup.reader);
  } finally {
    lookup.reader.close();
  }
}

function readAll(reader: Reader): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < reader.size; at += 1 << 20) pieces.push(Buffer.from(reader.read(at, at + (1 << 20))));
  return Buffer.concat(pieces);
}
