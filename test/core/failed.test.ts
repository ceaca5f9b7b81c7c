/** What stays of the output of a command that failed. */
import { expect, it } from 'vitest';
import { compress } from '../../src/core/compress.ts';
import type { Policy } from '../../src/core/model.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { memorySource } from '../../src/core/source.ts';
import { outlineSection } from '../../src/app/shapes.ts';

const FAILED: Policy = { ...DEFAULT_POLICY, failed: true };

function viewOf(text: string, policy: Policy): string {
  const made = compress(memorySource(Buffer.from(text)), policy, () => 'abcdefabcdef', outlineSection);
  return made.kind === 'view' ? Buffer.concat(made.chunks).toString() : text;
}

const steps = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `step ${i} of the build is done and well`);
const stamped = (count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) => `2026-05-01T12:00:${String(i % 60).padStart(2, '0')}Z INFO request id=${i} ok`,
  );

const TRACES: Record<string, string[]> = {
  python: [
    'Traceback (most recent call last):',
    ...Array.from(
      { length: 30 },
      (_, i) => `  File "/app/m${i}.py", line ${i}, in f${i}\n    return g${i}(x)`,
    ),
    'ValueError: the value is not good',
  ],
  java: [
    'Exception in thread "main" java.lang.IllegalStateException: no connection',
    ...Array.from({ length: 30 }, (_, i) => `\tat com.shop.Layer${i}.call(Layer${i}.java:${i})`),
    'Caused by: java.net.ConnectException: Connection refused',
    '\tat java.base/sun.nio.ch.Net.pollConnect(Native Method)',
    '\t... 30 more',
  ],
  node: [
    "TypeError: Cannot read properties of undefined (reading 'id')",
    ...Array.from({ length: 30 }, (_, i) => `    at layer${i} (/app/src/layer${i}.js:${i}:7)`),
  ],
};

it.each(Object.keys(TRACES))('a trace of %s is whole, in plain text and in a log', (language) => {
  const trace = TRACES[language]!.join('\n');
  const plain = [...steps(800), trace, ...steps(800)].join('\n');
  expect(viewOf(plain, FAILED)).toContain(trace);
  const log = [...stamped(800), '2026-05-01T12:30:00Z ERROR it failed', trace, ...stamped(800)].join('\n');
  expect(viewOf(log, FAILED)).toContain(trace);
  expect(viewOf(log, FAILED).length).toBeLessThan(log.length / 8);
  expect(viewOf(plain, DEFAULT_POLICY).length).toBeLessThan(viewOf(plain, FAILED).length);
});

it('so is each of those that say different things', () => {
  const text = ['red', 'green', 'blue'].flatMap((name) => [
    ...steps(300),
    `TypeError: ${name} is no function`,
    ...Array.from({ length: 12 }, (_, i) => `    at ${name}${i} (/app/src/${name}${i}.js:${i}:7)`),
  ]);
  const view = viewOf(text.join('\n'), FAILED);
  for (const line of text.filter((each) => each.includes('.js:'))) expect(view).toContain(line);
});

it('the last 20 lines stay, and more around the first failure', () => {
  const lines = steps(3000);
  lines[1500] = 'ERROR: the linker gave up';
  const text = lines.join('\n');
  const view = viewOf(text, FAILED);
  expect(view).toContain(lines.slice(-20).join('\n'));
  expect(view).toContain(lines.slice(1497, 1504).join('\n'));
  expect(viewOf(text, DEFAULT_POLICY)).not.toContain(lines[1503]);
});

it('a budget binds', () => {
  const text = [...steps(2000), ...TRACES['java']!, ...steps(2000)].join('\n');
  const view = viewOf(text, { ...FAILED, maxTokens: 300, budgetAsked: true });
  expect(view.length).toBeLessThan(1500);
  expect(view).toContain('no connection');
});

it('indented lines without frames are no trace', () => {
  const yaml = Array.from({ length: 300 }, (_, i) => `  item number ${i} of the list`);
  const text = [...steps(300), 'ERROR: this was not good:', ...yaml, ...steps(300)].join('\n');
  expect(viewOf(text, FAILED)).not.toContain(yaml[150]);
});
