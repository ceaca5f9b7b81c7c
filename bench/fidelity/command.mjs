// Our command and others, as black boxes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'bin', 'ctxzip.js');
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

/** Runs `use` with our command over a store of its own, which is gone afterwards. */
export function inHome(use) {
  const home = mkdtempSync(join(tmpdir(), 'ctxzip-bench-'));
  const cwd = join(home, 'cwd');
  mkdirSync(cwd);
  const env = { ...environment, HOME: home, CTXZIP_HOME: join(home, 'store'), CTXZIP_ESCAPES: 'keep' };
  try {
    return use((args, input) => {
      const { status, stdout, stderr, error } = spawnSync(process.execPath, [bin, ...args], {
        input,
        env,
        cwd,
        maxBuffer: 2 ** 30,
        timeout: 120_000,
      });
      if (status !== 0) throw new Error(`ctxzip ${args.join(' ')}: ${error ?? `${status}: ${stderr}`}`);
      return stdout;
    });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/** What a peer prints for an input; undefined where it fails or takes over a minute. */
export function runPeer(command, input) {
  const { status, stdout } = spawnSync(command, {
    shell: true,
    input,
    env: environment,
    maxBuffer: 2 ** 30,
    timeout: 60_000,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.toString() : undefined;
}
