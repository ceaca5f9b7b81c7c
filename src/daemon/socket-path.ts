import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Unix socket's address holds 104 bytes on some systems, with the NUL at its end. */
const MOST_BYTES = 100;

/** Where the daemon of a state folder listens: in it, or where that is too long in a short folder of its own, by its hash. */
export function socketPath(
  stateFolder: string,
  env: Readonly<Record<string, string | undefined>>,
  uid: number,
): string {
  const path = join(stateFolder, 'daemon', 'daemon.sock');
  if (Buffer.byteLength(path) <= MOST_BYTES) return path;
  const digest = createHash('sha256').update(stateFolder).digest('hex').slice(0, 16);
  return join(env['XDG_RUNTIME_DIR'] || tmpdir(), `ctxzip-${uid}`, digest, 'daemon.sock');
}
