/** Lines that are longer than what is read at once. */
import { describe, expect, it } from 'vitest';
import { indexLines } from '../../src/core/line-index.ts';
import { mayHoldMarkers } from '../../src/core/signs.ts';
import { memorySource } from '../../src/core/source.ts';

const MB = 1 << 20;
/** Where the first piece of a long line would end without commas. */
const CUT = 8 * MB;

function naiveStarts(text: Buffer): number[] {
  const starts = [0];
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) starts.push(at + 1);
  if (starts.at(-1) === text.length) starts.pop();
  return [...starts, text.length];
}

describe('a line that is read in pieces', () => {
  const record = '{"id":417,"state":"moored"},';
  const long = `[${record.repeat((20 * MB) / record.length)}{}]`;
  it.each([
    ['alone', long],
    ['alone, with a line end', `${long}\n`],
    ['first', `${long}\n  indented\n\nlast`],
    ['between others', `first\n${long}\r\n{"a":1}\n`],
    ['twice', `${long}\n${long}\n`],
    ['without commas', `first\n${'moored '.repeat(3 * MB)}\nlast\n`],
    ['with control sequences', `${long}\u001b[31m${long}\u001b[0m\n  last`],
  ])('%s', (_, text) => {
    const input = Buffer.from(text);
    const { starts, glances, count } = indexLines(memorySource(input));
    const expected = naiveStarts(input);
    expect([...starts.subarray(0, count + 1)]).toEqual(expected);
    const short = indexLines(memorySource(Buffer.from(text.replaceAll(record.repeat(1000), ''))));
    expect([...glances.subarray(0, count)]).toEqual([...short.glances.subarray(0, short.count)]);
  });

  it('finds a marker across the end of a piece', () => {
    for (let before = CUT - 12; before <= CUT + 2; before += 1) {
      const head = `[${record.repeat(before / record.length)}`;
      const text = `${head}${'"'.padEnd(before - head.length, 'x')}<<ctxzip:0123456789ab 3_lines L1-3>>",${record.repeat(90_000)}{}]`;
      const { parts } = indexLines(memorySource(Buffer.from(text)));
      expect(mayHoldMarkers(parts, 0, text.length)).toBe(true);
    }
  });
});
