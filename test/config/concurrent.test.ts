import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { sandbox } from './sandbox.ts';

/** Loads 60 times; the one with an even number in argv takes another version each time, so that all of them write. */
const SCRIPT = `
import { mkdirSync } from 'node:fs';
import { loadConfig } from './src/config/load.ts';
const [home, cwd, number] = process.argv.slice(2);
const prepareState = folder => mkdirSync(folder, { recursive: true });
let bad = 0;
(async () => {
  for (let round = 0; round < 60; round++) {
    const version = Number(number) % 2 ? 'same' : number + '.' + round;
    const world = { env: {}, cwd, home, uid: process.getuid?.(), version, nowMs: Date.now(), prepareState };
    const { settings, problems } = await loadConfig(world);
    if (problems.length > 0 || settings.maxTokens !== 4711 || settings.keepPatterns.length !== 200) bad++;
  }
  process.exitCode = bad === 0 ? 0 : 1;
})();
`;

test('processes that read and write one cache at once all get the right configuration', async () => {
  const box = sandbox();
  const patterns = Array.from({ length: 200 }, (_, i) => `pattern-number-${i}`);
  box.project('max_tokens: 4711', `keep_patterns: [${patterns.join(', ')}]`);
  const outfile = join(box.home, 'loads.cjs');
  const stdin = { contents: SCRIPT, resolveDir: join(import.meta.dirname, '..', '..') };
  await build({ stdin, outfile, bundle: true, format: 'cjs', platform: 'node', logLevel: 'error' });
  const codes = await Promise.all(
    Array.from({ length: 6 }, async (_, number) => {
      const child = spawn(process.execPath, [outfile, box.home, box.repo, String(number)], {
        env: {},
        stdio: 'inherit',
      });
      return new Promise((resolve) => child.on('exit', resolve));
    }),
  );
  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  const left = readdirSync(join(box.home, '.local', 'state', 'ctxzip', 'config'));
  expect(left).toEqual([expect.stringMatching(/^\d{1,4}\.json$/)]);
});
