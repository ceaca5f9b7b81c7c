/** Places in files, and that each file stays with the number of its matches. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { HIT } from '../../src/core/search/hit.ts';
import { HitReader } from '../../src/core/search/hits.ts';
import { placeAt } from '../../src/core/search/located.ts';
import { messageSeverity } from '../../src/core/search/severity.ts';
import { viewOf } from '../support/fixtures.ts';

function split(line: string): [path: string, text: string] | undefined {
  const bytes = Buffer.from(line);
  const place = placeAt(bytes, 0, bytes.length);
  return place && [line.slice(0, place.pathEnd), line.slice(place.text)];
}

describe('a place in a file', () => {
  it.each([
    ['src/a.ts:12:text', 'src/a.ts', 'text'],
    ['src/a.ts:12:5: error: x', 'src/a.ts', ' error: x'],
    ['src/a.ts:12:5 - error TS1: x', 'src/a.ts', ' error TS1: x'],
    ['src/a.ts(12,5): error TS1: x', 'src/a.ts', ' error TS1: x'],
    ['C:\\x\\y z.ts:12:text', 'C:\\x\\y z.ts', 'text'],
    ['HEAD~2:src/a.ts:12:text', 'HEAD~2:src/a.ts', 'text'],
    ['app/[slug]/page.tsx:3:x', 'app/[slug]/page.tsx', 'x'],
    ['Makefile:3:x', 'Makefile', 'x'],
  ])('%s', (line, path, text) => expect(split(line)).toEqual([path, text]));

  it.each([
    '2024-01-01T12:34:56 started',
    '12:34:56 started',
    'http://host.example:80:x',
    'wheel:10:root',
    'listening on a.b:80: x',
    'key="a.ts:12:x"',
  ])('none: %s', (line) => expect(split(line)).toBeUndefined());
});

describe('search results', () => {
  it('stand below the path of their file', () => {
    const reader = new HitReader();
    const roles = ['src/a.ts', '12:x', '13-y', '', 'src/b.ts', '  4:2  error  z  rule'].map((line) => {
      const bytes = Buffer.from(line);
      return [reader.read(bytes, 0, bytes.length), reader.isLate];
    });
    expect(roles.slice(1, 3)).toEqual([
      [HIT.match, true],
      [HIT.context, false],
    ]);
    expect(roles[5]).toEqual([HIT.match, true]);
    expect(reader.paths).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('keep every file with its first match, and a gap counts the others of its file', () => {
    const matches = new Map(
      Array.from({ length: 40 }, (_, f) => [`src/dir/f${f}.ts`, 1 + ((f * 7) % 23)] as const),
    );
    const lines = [...matches].flatMap(([path, count]) =>
      Array.from(
        { length: count },
        (_, i) => `${path}:${i + 1}:  if (error${i % 5}) return fail(${i}, "${path.length * i}");`,
      ),
    );
    const view = viewOf(Buffer.from(`${lines.join('\n')}\n`), DEFAULT_POLICY);
    const counts = new Map<string, number>();
    let file = '';
    for (const line of view.bytes.toString().trimEnd().split('\n')) {
      const hidden = /^<<ctxzip\S* (\d+)_lines/.exec(line);
      if (hidden === null) file = line.slice(0, line.indexOf(':'));
      counts.set(file, (counts.get(file) ?? 0) + Number(hidden?.[1] ?? 1));
    }
    expect(counts).toEqual(matches);
    expect(view.gaps.every(({ failures }) => failures === 0)).toBe(true);
    expect(view.gaps.length).toBeGreaterThan(20);
  });
});

describe('a message', () => {
  it.each([
    [' error: x', 2],
    ['- error TS1: x', 2],
    [' warning: unused', 1],
    [' note: see', 0],
    [' F401 [*] unused', 1],
    [" 'x' is unused. [Error/no-x]", 2],
    [' unchecked (errcheck)', 1],
    ['  throw new Error("x");', undefined],
    ['const error = 1;', undefined],
  ])('%s', (text, severity) => expect(messageSeverity(text)).toBe(severity));
});
