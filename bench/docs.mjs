import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'benchmarks.md');

/** Puts a text between the two comments in docs/benchmarks.md that have its name. */
export function intoDocs(name, text) {
  const old = readFileSync(file, 'utf8');
  const start = `<!-- ${name} -->\n`;
  const end = `<!-- /${name} -->\n`;
  const from = old.indexOf(start) + start.length;
  const to = old.indexOf(end);
  if (from < start.length || to < from) throw new Error(`docs/benchmarks.md has no place for ${name}`);
  writeFileSync(file, `${old.slice(0, from)}\n${text}\n\n${old.slice(to)}`);
}
