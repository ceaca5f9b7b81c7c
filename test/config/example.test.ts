import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { parseConfig } from '../../src/config/parse.ts';
import { KEYS, NAMES, SPECS } from '../../src/config/schema.ts';
import { DEFAULTS, type Name } from '../../src/config/settings.ts';
import { sandbox } from './sandbox.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'forge.example.yaml'), 'utf8');

test('forge.example.yaml has every key, in order, and no other', () => {
  expect(Object.keys(parseDocument(text).toJS().compression)).toEqual(KEYS);
});

test('every value of it is the default', () => {
  const { values, problems } = parseConfig(text, { source: 'user' });
  expect(problems).toEqual([]);
  expect({ storePath: null, eventsPath: null, ...values }).toEqual(DEFAULTS);
});

test('a comment stands above every key', () => {
  const lines = text.split('\n');
  const keyLines = lines.flatMap((line, index) => (/^ {2}[a-z_]+:/.test(line) ? [index] : []));
  expect(keyLines.map((index) => lines[index - 1])).toEqual(
    NAMES.map(() => expect.stringMatching(/^ {2}# /)),
  );
});

test('the examples in its comments are good configuration', () => {
  const examples = matches(/^ {2}# {3}(.*)$/);
  const { values, problems } = parseConfig(
    `compression:\n${examples.map((line) => `  ${line}\n`).join('')}`,
    { source: 'user' },
  );
  expect(problems).toEqual([]);
  expect(values.keepPatterns).toEqual(['ORDER-77', '/payment (id|ref)=\\d+/i']);
  expect(Object.keys(values.tools ?? {})).toEqual(['kubectl get secret*', 'terraform plan', 'journalctl']);
});

test('it can be copied into a project or the user folder as it is', async () => {
  const box = sandbox();
  box.write('forge.yaml', text);
  box.write(join(box.home, '.config', 'ctxzip', 'forge.yaml'), text);
  const { settings, problems } = await box.load();
  expect(settings).toEqual(DEFAULTS);
  expect(problems.filter(({ severity }) => severity !== 'note')).toEqual([]);
});

test.each(NAMES)('%s: the default as it is shown is read as the default', expectRoundTrip);

function expectRoundTrip<N extends Name>(name: N): void {
  const { kind } = SPECS[name];
  if (DEFAULTS[name] === null) return;
  expect(kind.read(kind.fromText(kind.show(DEFAULTS[name])))).toEqual({ value: DEFAULTS[name], faults: [] });
}

function matches(form: RegExp): string[] {
  return text.split('\n').flatMap((line) => form.exec(line)?.[1] ?? []);
}
