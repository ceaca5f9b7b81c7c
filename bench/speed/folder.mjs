import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `use` in a folder that is gone afterwards; not at all, with a note, where the disk has too little room. */
export async function inFolder(megabytes, use) {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < (megabytes + 200) * 1e6) {
    console.error(`left out: ${megabytes} MB of room are needed in ${tmpdir()}`);
    return;
  }
  const home = mkdtempSync(join(tmpdir(), 'ctxzip-bench-'));
  const clean = () => remove(home);
  process.on('exit', clean);
  try {
    await use(home);
  } finally {
    process.off('exit', clean);
    clean();
  }
}

/** Removes a folder that what a large input has started in the background may still write to. */
export function remove(folder) {
  for (let left = 300; ; left -= 1) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (left === 0) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}
