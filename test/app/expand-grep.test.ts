import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockSizes, bytesOf, indexes, linesOf, print } from './expand-kit.ts';

const LOG = ['start', 'ok 1', 'ok 2', 'FAIL 3', 'ok 4', 'ok 5', 'ok 6', 'fail 7', 'ok 8', 'end', ''].join(
  '\n',
);

/** What grep prints, by marking lines. */
function naiveGrep(
  lines: ReadonlyArray<{ line: Buffer; number: number }>,
  matches: (line: Buffer) => boolean,
  before: number,
  after: number,
): Array<{ line: Buffer; number: number; match: boolean }> {
  const hit = lines.map(({ line }) => matches(line));
  return lines
    .map((entry, i) => ({
      ...entry,
      match: hit[i]!,
      near: hit.slice(Math.max(0, i - after), i + before + 1).some(Boolean),
    }))
    .filter(({ near }) => near)
    .map(({ line, number, match }) => ({ line, number, match }));
}

describe('grep', () => {
  it('prints what grep prints, inside the address and the lines, before head and tail', () => {
    const ask = fc.record({
      from: fc.integer({ min: 1, max: 5 }),
      before: fc.nat(3),
      after: fc.nat(3),
      head: fc.option(fc.nat(9), { nil: undefined }),
      tail: fc.option(fc.nat(9), { nil: undefined }),
      numbers: fc.boolean(),
      index: indexes,
      blockSize: blockSizes,
    });
    fc.assert(
      fc.property(
        bytesOf('any'),
        ask,
        (bytes, { from, before, after, head, tail, numbers, index, blockSize }) => {
          const all = linesOf(bytes).map((line, i) => ({ line, number: i + 1 }));
          fc.pre(from <= all.length);
          let expected = naiveGrep(all.slice(from - 1), (line) => line.includes('fail'), before, after);
          if (head !== undefined) expected = expected.slice(0, head);
          if (tail !== undefined) expected = tail === 0 ? [] : expected.slice(-tail);
          const printed: Buffer[] = [];
          let last = Infinity;
          for (const { line, number, match } of expected) {
            if (before + after > 0 && number > last + 1) printed.push(Buffer.from('--\n'));
            if (numbers) printed.push(Buffer.from(`${number}${match ? ':' : '-'}`));
            printed.push(line);
            last = number;
          }
          const cuts = { ...(head !== undefined && { head }), ...(tail !== undefined && { tail }) };
          const grep = { pattern: 'fail', before, after };
          const { out, exit, hits } = print(
            bytes,
            { at: `L${from}-99`, grep, numbers, blockSize, ...cuts },
            index,
          );
          expect(out).toEqual(Buffer.concat(printed));
          expect(hits).toBe(expected.filter(({ match }) => match).length);
          expect(exit).toBe(expected.length > 0 || head === 0 || tail === 0 ? 0 : 1);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it.each([
    [{ pattern: 'fail' }, 'fail 7\n'],
    [{ pattern: 'fail', ignoreCase: true }, 'FAIL 3\nfail 7\n'],
    [{ pattern: '^(FAIL|end)' }, 'FAIL 3\nend\n'],
    [{ pattern: '7$' }, 'fail 7\n'],
    [{ pattern: 'FAIL', before: 1, after: 1 }, 'ok 2\nFAIL 3\nok 4\n'],
    [{ pattern: 'fail', ignoreCase: true, before: 1 }, 'ok 2\nFAIL 3\n--\nok 6\nfail 7\n'],
    [{ pattern: '' }, LOG],
  ])('%j', (grep, out) => {
    expect(print(LOG, { grep })).toMatchObject({ exit: 0, out: Buffer.from(out), notes: [] });
  });

  it('-n numbers matches with : and context with -, by the lines of the original', () => {
    const grep = { pattern: 'fail', ignoreCase: true, before: 1 };
    const { out } = print(LOG, { at: 'L2-9', grep, numbers: true });
    expect(out.toString()).toBe('3-ok 2\n4:FAIL 3\n--\n7-ok 6\n8:fail 7\n');
    const inside = print(LOG, { at: 'L2-9', lines: { from: 7, to: 8 }, grep, numbers: true });
    expect(inside.out.toString()).toBe('8:fail 7\n');
  });

  it('without a match: nothing, exit 1 and how to search more', () => {
    expect(print(LOG, { grep: { pattern: 'nope' } })).toEqual({
      exit: 1,
      out: Buffer.alloc(0),
      notes: ['no line of the original matches nope; try -i for any case'],
      hits: 0,
    });
    const inside = { at: 'L2-9', grep: { pattern: "isn't" }, lines: { from: 2, to: 3 } };
    expect(print(LOG, inside).notes).toEqual([
      `no line of lines 2-3 of L2-9 matches 'isn'\\''t'; try -i for any case, or ctxzip expand ac998fea694b --grep 'isn'\\''t' for all of it`,
    ]);
    expect(print(LOG, { grep: { pattern: 'nope', ignoreCase: true } }).notes).toEqual([
      'no line of the original matches nope',
    ]);
  });

  it('sees a line as it is and as the view shows it: without CR, with and without colours', () => {
    const text = 'pod \u001b[31mfailed\u001b[0m now\r\nfine\r\n';
    expect(print(text, { grep: { pattern: 'pod failed now$' } }).out.toString()).toBe(
      'pod \u001b[31mfailed\u001b[0m now\r\n',
    );
    expect(print(text, { grep: { pattern: '\\x1b\\[31m' } }).exit).toBe(0);
    expect(print(text, { grep: { pattern: '^fine$' } }).out.toString()).toBe('fine\r\n');
  });

  it('takes a valid line as text and another as latin1, in one original', () => {
    const bytes = Buffer.concat([Buffer.from('größe 😀\n'), Buffer.from([0x67, 0xf6, 0xff, 10])]);
    expect(print(bytes, { grep: { pattern: '^gr.ße .$' } }).out.toString()).toBe('größe 😀\n');
    expect(print(bytes, { grep: { pattern: '^gö\\xff$' } }).out).toEqual(bytes.subarray(-4));
    expect(print(bytes, { grep: { pattern: '\\p{Lu}', ignoreCase: true } }).exit).toBe(0);
  });

  it('takes habits of grep that the Unicode rules forbid', () => {
    expect(print('a-b <x>\n', { grep: { pattern: 'a\\-b \\<x' } }).exit).toBe(0);
  });

  it.each([
    ['foo(', 'unterminated group at character 4', "'foo\\('"],
    ['a)b', 'unmatched', "'a\\)b'"],
    ['*x', 'nothing to repeat at character 1', "'\\*x'"],
    ['[b-a]', 'at character 1', "'\\[b-a\\]'"],
    ['items[0', 'at character 6', "'items\\[0'"],
  ])('a bad pattern %s is refused with its place and its literal form', (pattern, fault, literal) => {
    const { exit, out, notes } = print(LOG, { grep: { pattern } });
    expect({ exit, size: out.length }).toEqual({ exit: 2, size: 0 });
    expect(notes[0]).toContain(fault);
    expect(notes[0]).toContain(`--grep ${literal}`);
  });

  it('a pattern over 1000 characters is refused', () => {
    expect(print(LOG, { grep: { pattern: 'x'.repeat(1001) } })).toMatchObject({ exit: 2 });
  });

  it('a pattern that backtracks for ever ends with words; what matched before is printed', () => {
    const text = `aaab\n${'ok\n'.repeat(500_000)}${'a'.repeat(60)}!\n`;
    const { exit, out, notes } = print(text, { grep: { pattern: '^(a+)+b$', timeLimitMs: 100 } });
    expect({ exit, out: out.toString() }).toEqual({ exit: 2, out: 'aaab\n' });
    expect(notes[0]).toContain('takes more than 0.1 s at line 500002');
  });

  it('searches a line of 50 MB', () => {
    const text = `${'x'.repeat(50_000_000)} needle`;
    expect(print(text, { grep: { pattern: 'needle' }, tail: 1 })).toMatchObject({ exit: 0, hits: 1 });
  });

  it('searches a line over 64 MB in its first part, and says so', () => {
    const text = Buffer.concat([Buffer.alloc(70 << 20, 'x'), Buffer.from(' needle\nneedle\n')]);
    const { out, notes } = print(text, { grep: { pattern: 'needle' } });
    expect(out.toString()).toBe('needle\n');
    expect(notes).toEqual(['line 1 was searched in its first 64 MB only']);
  });
});
