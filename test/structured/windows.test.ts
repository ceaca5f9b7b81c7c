/** Records in windows: what is read in pieces gives the view that one tape gives, byte for byte. */
import { describe, expect, it } from 'vitest';
import { policyOf } from '../../src/app/pure.ts';
import { compress } from '../../src/core/compress.ts';
import { RecordWindows } from '../../src/core/json/record-windows.ts';
import { indexLines } from '../../src/core/line-index.ts';
import { memorySource } from '../../src/core/source.ts';
import { outlineSection } from '../../src/strategies/index.ts';
import { readFixtures } from '../support/fixtures.ts';
import { HASH, inWindows, viewOf } from './windowed.ts';

/** Records of several shapes, with nested lists, a text between them, and a long string. */
function mixture(): Buffer {
  const lines: string[] = [];
  for (let i = 0; i < 400; i += 1) {
    const steps = Array.from({ length: 9 }, (_, n) => ({
      step: n,
      took: `${(i * n) % 17}ms`,
      note: 'as planned',
    }));
    lines.push(
      JSON.stringify({
        at: new Date(Date.UTC(2026, 2, 1) + i * 1000).toISOString(),
        level: i % 97 === 3 ? 'error' : 'info',
        msg: i % 97 === 3 ? 'connection refused' : 'berth assigned',
        ...(i % 5 === 0 && { steps }),
        ...(i === 211 && { rare: true }),
        ...(i % 60 === 7 && { trace: 'all quiet on the pier, '.repeat(80) }),
      }),
    );
    if (i === 120) lines.push('harbour restarted');
    if (i === 250)
      lines.push(
        `${JSON.stringify({ level: 'info', msg: 'a' })} ${JSON.stringify({ level: 'info', msg: 'b' })}`,
      );
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** The records of the mixture as one list, with scalars and lists between them. */
function list(indent: number): Buffer {
  const records: unknown[] = mixture()
    .toString()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && !line.includes('} {') ? [JSON.parse(line) as unknown] : []));
  records.splice(90, 0, 'harbour restarted', 17, null, [], [1, 2], 'a "quoted", ]bracket[ {text}', {});
  records.splice(200, 0, { note: 'deep water '.repeat(800) });
  records.splice(300, 0, ...Array.from({ length: 60 }, (_, i) => `pier ${i} closed, no berth left`));
  return Buffer.from(`\ufeff${JSON.stringify(records, null, indent)}\n \n`);
}

describe('records in windows', () => {
  it.each([
    [0, 4000],
    [2, 5000],
    [1, 20_000],
  ])('a list with an indentation of %i, windows of %i bytes', (indent, size) => {
    for (const policy of [
      policyOf({}),
      policyOf({ maxTokens: 900 }),
      policyOf({ query: 'berth 211 refused' }),
      policyOf({ keepPatterns: ['restarted', 'trace'] }),
    ]) {
      const seen = { windows: 0 };
      const input = list(indent);
      expect(viewOf(input, policy, inWindows(size, seen))).toEqual(viewOf(input, policy, outlineSection));
      expect(seen.windows).toBeGreaterThan(3);
    }
  });

  it.each([
    ['ends too early', (text: string) => text.slice(0, -40)],
    ['has two commas', (text: string) => text.replace('},', '},,')],
    ['has one at its end', (text: string) => text.replace(/\]\s*$/, ',]')],
    ['is followed by something', (text: string) => `${text}x`],
    ['has a value that is none', (text: string) => text.replace('null', 'nul')],
    ['has a record much larger than a window', (text: string) => text.replace('quoted', 'x'.repeat(40_000))],
  ])('a list that %s is unfit', (_, broken) => {
    const text = broken(
      list(0)
        .toString()
        .trim()
        .replace(/^\ufeff/, ''),
    );
    const index = indexLines(memorySource(Buffer.from(text)));
    expect(new RecordWindows(index, [0, index.source.length], 'list', { most: 8000 }).isUnfit).toBe(true);
  });

  it.each([1500, 20_000])('a mixture, windows of %i bytes', (size) => {
    for (const policy of [
      policyOf({}),
      policyOf({ maxTokens: 900 }),
      policyOf({ query: 'berth 211 refused' }),
    ]) {
      const seen = { windows: 0 };
      const input = mixture();
      expect(viewOf(input, policy, inWindows(size, seen))).toEqual(viewOf(input, policy, outlineSection));
      expect(seen.windows).toBeGreaterThan(3);
    }
  });

  it('every fixture of records', () => {
    const seen = { windows: 0 };
    for (const { input, policy } of readFixtures().filter(({ strategy }) =>
      /^(?:json|ndjson|envelope)$/.test(strategy),
    ))
      expect(viewOf(input, policy, inWindows(2000, seen))).toEqual(viewOf(input, policy, outlineSection));
    expect(seen.windows).toBeGreaterThan(3);
  });

  it('knows records of too many shapes, and too deep ones, as unfit', () => {
    const diverse = Array.from(
      { length: 20_000 },
      (_, i) => `{"k${i}":1,"l${i}":"${'x'.repeat(300)}"}\n`,
    ).join('');
    const deep = `{"a":1}\n${'['.repeat(600)}${']'.repeat(600)}\n`;
    for (const text of [diverse, deep]) {
      const found: boolean[] = [];
      compress(
        memorySource(Buffer.from(text.repeat(2))),
        policyOf({}),
        () => HASH,
        (index, section, policy) => {
          found.push(
            new RecordWindows(index, [section.from, section.to], 'lines', { most: 1 << 20 }).isUnfit,
          );
          return outlineSection(index, section, policy);
        },
      );
      expect(found).toContain(true);
    }
  });
});
