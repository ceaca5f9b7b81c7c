/** What the README shows is what the build prints. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { compress } from '../src/library.ts';
import { ROOT } from './support/fixtures.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const sample = (name: string): string => readFileSync(join(ROOT, 'samples', name), 'utf8');
const viewOf = (text: string): string => Buffer.from(compress(text).view).toString();
const number = (n: number): string => n.toLocaleString('en-US');

it('shows the view of pods.txt, with its tokens', () => {
  const text = sample('pods.txt');
  const view = viewOf(text);
  expect(readme).toContain(`$ kubectl get pods -A | ctxzip\n${view}\`\`\``);
  expect(readme).toContain(
    `prints ${text.split('\n').length - 1} lines, ${number(countTokens(text))} tokens`,
  );
  expect(readme).toContain(
    `${view.split('\n').length - 1} lines, ${number(countTokens(view))} tokens (o200k)`,
  );
});

it('shows what jq makes of the view of events.json', () => {
  const text = sample('events.json');
  const view = viewOf(text);
  const { items } = JSON.parse(view) as { items: Array<{ reason?: string; _ctxzip?: string }> };
  const lines = items.map((item) => JSON.stringify([item.reason ?? null, item['_ctxzip'] ?? null]));
  expect(readme).toContain(`\n${lines.join('\n')}\n$ ctxzip expand`);
  expect(readme).toContain(`here ${number(countTokens(text))} tokens become\n${number(countTokens(view))})`);
});
