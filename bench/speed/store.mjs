// Putting originals into the store and getting them back, as whole processes.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder } from './folder.mjs';
import { bin, SHAPES, timed, writeInput } from './throughput.mjs';

/** Rows by size: expand of 21 lines in the middle and of all, from the spool and from LMDB, and the import between. */
export async function storeSpeed(sizes) {
  const rows = [];
  for (const megabytes of sizes) {
    await inFolder(megabytes * 4, async (home) => {
      const file = join(home, 'input');
      const empty = join(home, 'empty');
      writeInput(file, megabytes * 1e6, SHAPES.log);
      writeFileSync(empty, '');
      const { hash, lines } = stored(file, home);
      const run = async (...args) => (await timed([process.execPath, bin, ...args], empty, { home })).ms;
      const middle = `L${lines >> 1}-${(lines >> 1) + 20}`;
      const spool = { range: await run('expand', hash, middle), all: await run('expand', hash) };
      const imported = await run('gc');
      const lmdb = { range: await run('expand', hash, middle), all: await run('expand', hash) };
      rows.push({ megabytes, spool, imported, lmdb });
    });
  }
  return rows;
}

/** Compresses the file; the hash of its original and how many lines it has. */
function stored(file, home) {
  const fd = openSync(file, 'r');
  const env = { ...process.env, HOME: home, CTXZIP_HOME: join(home, 'store') };
  const { stdout } = spawnSync(process.execPath, [bin], {
    stdio: [fd, 'pipe', 'inherit'],
    env,
    maxBuffer: 2 ** 30,
  });
  closeSync(fd);
  const text = stdout.toString();
  const last = [...text.matchAll(/L\d+-(\d+)/g)].at(-1);
  return { hash: /ctxzip:([0-9a-f]{12})/.exec(text)[1], lines: Number(last[1]) };
}
