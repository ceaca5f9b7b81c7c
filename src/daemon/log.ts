/** The daemon's own log: a line an event, bounded. What Node itself says before it dies goes there, too. */
import { appendFileSync, copyFileSync, statSync, truncateSync } from 'node:fs';

/** Above this the file is copied to `log.1` and begun anew: others that write to it go on in the same file. */
const MOST_BYTES = 1 << 20;

/** Adds a line. Never throws: a full disk stops no daemon. */
export function logLine(path: string, nowMs: number, text: string): void {
  try {
    appendFileSync(path, `${new Date(nowMs).toISOString()} ${process.pid} ${text}\n`, { mode: 0o600 });
    if (statSync(path).size <= MOST_BYTES) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
  } catch {
    // There is no other place.
  }
}
