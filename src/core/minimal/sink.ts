/** No view is of so much. */
const MOST = 1 << 30;

/** Bytes in the making. */
export class Sink {
  private bytes: Uint8Array;
  size = 0;

  constructor(room = 1 << 16) {
    this.bytes = new Uint8Array(room);
  }

  byte(c: number): void {
    if (this.size === this.bytes.length) this.grow(1);
    this.bytes[this.size++] = c;
  }

  /** Adds the bytes `[from, to)` of `b`. */
  slice(b: Uint8Array, from: number, to: number): void {
    const length = to - from;
    if (this.size + length > this.bytes.length) this.grow(length);
    const { bytes } = this;
    let { size } = this;
    // A few bytes are copied sooner than a view of them is made.
    if (length < 32) for (let p = from; p < to; p += 1) bytes[size++] = b[p]!;
    else bytes.set(b.subarray(from, to), size);
    this.size += length;
  }

  /** Adds ASCII. */
  text(ascii: string): void {
    for (let i = 0; i < ascii.length; i += 1) this.byte(ascii.charCodeAt(i));
  }

  /** What was added. */
  done(): Uint8Array {
    return this.bytes.subarray(0, this.size);
  }

  private grow(more: number): void {
    const room = Math.max(this.bytes.length * 2, this.size + more);
    if (room > 2 * MOST) throw new RangeError('over 1 GiB');
    const larger = new Uint8Array(room);
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }
}
