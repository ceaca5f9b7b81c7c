/** SHA-256. node:crypto is loaded on first use: it costs a process 3 to 5 ms; small amounts may be hashed otherwise. */
import { hex } from '../core/native.ts';

/** A hash in the making. */
export interface Sha256 {
  update(bytes: Uint8Array | string): Sha256;
  digest(): Uint8Array;
  digest(encoding: 'hex'): string;
}

/** Up to so many bytes the other way is faster than loading node:crypto. */
const SMALL = 1 << 19;

let small: ((parts: readonly Uint8Array[]) => Uint8Array) | undefined;

/** Gives another way for up to 512 KB. */
export function useSmallSha(hashOf: (parts: readonly Uint8Array[]) => Uint8Array): void {
  small = hashOf;
}

/** A new SHA-256 of at most `size` bytes; what is added must not change until the digest. */
export function sha256(size = Infinity): Sha256 {
  if (size <= SMALL && small !== undefined) return new SmallHash(small);
  return process.getBuiltinModule('node:crypto').createHash('sha256');
}

class SmallHash implements Sha256 {
  private readonly hashOf: (parts: readonly Uint8Array[]) => Uint8Array;
  private readonly parts: Uint8Array[] = [];

  constructor(hashOf: (parts: readonly Uint8Array[]) => Uint8Array) {
    this.hashOf = hashOf;
  }

  update(bytes: Uint8Array | string): this {
    this.parts.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    return this;
  }

  digest(): Uint8Array;
  digest(encoding: 'hex'): string;
  digest(encoding?: 'hex'): Uint8Array | string {
    const bytes = this.bytes();
    return encoding === undefined ? bytes : hex(bytes);
  }

  private bytes(): Uint8Array {
    try {
      return this.hashOf(this.parts);
    } catch {
      // Where it can't run, node:crypto can.
      const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
      for (const part of this.parts) hash.update(part);
      return hash.digest();
    }
  }
}

/** The first 16 bytes of the SHA-256 over `parts`, one after the other: enough to notice damage. */
export function check16(...parts: ReadonlyArray<string | Uint8Array>): Uint8Array {
  const hash = sha256(parts.reduce((sum, part) => sum + 3 * part.length, 0));
  for (const part of parts) hash.update(part);
  return hash.digest().subarray(0, 16);
}

/** True for a whole hash in lower-case hex. */
export function isSha(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
