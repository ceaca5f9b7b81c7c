/** SHA-256. The module is loaded on first use: it costs every process that imports it 2.4-3.5 ms. */
import type { Hash } from 'node:crypto';

/** A new SHA-256. */
export function sha256(): Hash {
  return process.getBuiltinModule('node:crypto').createHash('sha256');
}

/** The first 16 bytes of the SHA-256 over `parts`, one after the other: enough to notice damage. */
export function check16(...parts: ReadonlyArray<string | Uint8Array>): Buffer {
  const hash = sha256();
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 16);
}

/** True for a whole hash in lower-case hex. */
export function isSha(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
