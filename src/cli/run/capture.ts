import type { Input, Intake } from '../../app/input.ts';
import { say } from '../io.ts';
import type { Outlet } from './outlet.ts';

const FIRST_PIECE = 1 << 16;
const PIECE = 1 << 20;

/** What came out of one pipe: printed already, small, or something for the engine. */
export type Captured =
  | { readonly kind: 'through' }
  | { readonly kind: 'small'; readonly bytes: Uint8Array }
  | { readonly kind: 'input'; readonly input: Input };

/** Takes what a command prints. What can't be held is printed as it comes. */
export class Capture {
  /** Bytes so far. */
  size = 0;
  private piece = Buffer.allocUnsafeSlow(FIRST_PIECE);
  private used = 0;
  private intake: Intake | undefined;
  private isThrough = false;
  private readonly begin: () => Intake;
  private readonly outlet: Outlet;

  /** `begin` loads the engine; it may throw. `outlet` gets what is not compressed. */
  constructor(begin: () => Intake, outlet: Outlet) {
    this.begin = begin;
    this.outlet = outlet;
  }

  push(bytes: Uint8Array): void {
    this.size += bytes.length;
    for (let at = 0; at < bytes.length;) {
      if (this.isThrough) return this.print([bytes.subarray(at)]);
      const end = Math.min(bytes.length, at + this.piece.length - this.used);
      this.piece.set(bytes.subarray(at, end), this.used);
      this.used += end - at;
      at = end;
      if (this.used === this.piece.length) this.hold(this.taken());
    }
  }

  /** All of it; nothing may be given any more. What is small is in memory. */
  end(): Captured {
    const last = this.taken(0);
    if (this.isThrough) return { kind: 'through' };
    if (this.intake === undefined) return { kind: 'small', bytes: last };
    if (last.length > 0) this.hold(last);
    return this.isThrough ? { kind: 'through' } : { kind: 'input', input: this.intake.input() };
  }

  private taken(next = PIECE): Uint8Array {
    const bytes = this.piece.subarray(0, this.used);
    this.piece = Buffer.allocUnsafeSlow(next);
    this.used = 0;
    return bytes;
  }

  private hold(bytes: Uint8Array): void {
    try {
      this.intake ??= this.begin();
    } catch (error) {
      return this.letThrough([bytes], error instanceof Error ? error.message : String(error));
    }
    const unspooled = this.intake.push(bytes);
    if (unspooled !== undefined)
      this.letThrough(unspooled.pieces, unspooled.isNews ? unspooled.reason : undefined);
  }

  private letThrough(pieces: Iterable<Uint8Array>, reason: string | undefined): void {
    this.isThrough = true;
    if (reason !== undefined) say(`${reason}; output passes through unchanged`);
    this.print(pieces);
  }

  private print(pieces: Iterable<Uint8Array>): void {
    for (const piece of pieces) this.outlet.write(piece);
  }
}
