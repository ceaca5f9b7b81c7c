/** The examples of docs/library.md print what stands behind them. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from './support/fixtures.ts';

const text = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
const examples = [...text.matchAll(/```js\n([\s\S]*?)```\n\n```\n([\s\S]*?)```/g)].map((match) => ({
  code: match[1]!,
  printed: match[2]!,
}));

it('has examples', () => {
  expect(examples.length).toBeGreaterThanOrEqual(3);
  expect(examples.length).toBe(text.split('```js').length - 1);
});

it.each(examples)('prints what it says: $code', async ({ code, printed }) => {
  const folder = mkdtempSync(join(tmpdir(), 'ctxzip-docs-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'ctxzip'), 'junction');
    const file = join(folder, 'example.mjs');
    writeFileSync(file, code);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout).toBe(printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
