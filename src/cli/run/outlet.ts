import { isClosedOutput, say } from '../io.ts';

/** An output of ours that a command's goes to. It never throws: when it can't be written any more, that is said once. */
export class Outlet {
  /** Nothing more can be written: nobody reads, or it failed. */
  isClosed = false;
  /** It failed for another reason than that nobody reads. */
  hasFailed = false;
  private readonly raw: (bytes: Uint8Array) => void;

  constructor(raw: (bytes: Uint8Array) => void) {
    this.raw = raw;
  }

  write(bytes: Uint8Array): void {
    if (this.isClosed) return;
    try {
      this.raw(bytes);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    this.isClosed = true;
    if (isClosedOutput(error)) return;
    this.hasFailed = true;
    say(error instanceof Error ? error.message : String(error));
  }
}
