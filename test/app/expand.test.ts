import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand } from '../../src/app/expand.ts';
import { DamagedError } from '../../src/store/port.ts';
import { blockSizes, bytesOf, indexes, linesOf, print, readerOf } from './expand-kit.ts';

const small = fc.integer({ min: 1, max: 40 });
const maybe = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: undefined });
const setup = fc.record({ index: indexes, blockSize: blockSizes });
const span = (pair: [number, number]) => ({ from: Math.min(...pair), to: Math.max(...pair) });

const broken = (): void => {
  throw new Error('EPIPE');
};

describe('expand equals a naive slice', () => {
  it('of lines', () => {
    fc.assert(
      fc.property(bytesOf('any'), small, small, setup, (bytes, a, b, { index, blockSize }) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const lines = linesOf(bytes);
        const { exit, out, notes } = print(bytes, { at: `L${from}-${to}`, blockSize }, index);
        expect(out).toEqual(Buffer.concat(lines.slice(from - 1, to)));
        expect(exit).toBe(from > lines.length ? 2 : 0);
        const total = `${lines.length} line${lines.length === 1 ? '' : 's'}`;
        if (from > lines.length)
          expect(notes).toEqual([`line ${from} is beyond the end: the original has ${total}`]);
        else expect(notes).toEqual(to > lines.length ? [`the original ends at line ${lines.length}`] : []);
      }),
      { numRuns: 1000 },
    );
  });

  it('of bytes', () => {
    fc.assert(
      fc.property(bytesOf('any'), fc.nat(80), small, setup, (bytes, start, size, { index, blockSize }) => {
        const { exit, out, notes } = print(bytes, { at: `B${start}-${start + size}`, blockSize }, index);
        expect(out).toEqual(bytes.subarray(start, start + size));
        expect(exit).toBe(start >= bytes.length ? 2 : 0);
        expect(notes.length).toBe(start + size > bytes.length ? 1 : 0);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['utf8', 'any'] as const)('of characters (%s)', (kind) => {
    fc.assert(
      fc.property(bytesOf(kind), small, small, small, setup, (bytes, line, a, b, { index, blockSize }) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const valid = Buffer.from(bytes.toString()).equals(bytes);
        const encoding = valid ? 'utf8' : 'latin1';
        const lineText = linesOf(bytes)[line - 1]?.toString(encoding).replace(/\n$/, '');
        const characters = [...(lineText ?? '')];
        const { exit, out, notes } = print(bytes, { at: `L${line}:c${from}-${to}`, blockSize }, index);
        expect(out).toEqual(Buffer.from(characters.slice(from - 1, to).join(''), encoding));
        expect(exit).toBe(from > characters.length ? 2 : 0);
        if (exit === 0) expect(notes.length).toBe(to > characters.length ? 1 : 0);
      }),
      { numRuns: 1000 },
    );
  });

  it('of the whole', () => {
    fc.assert(
      fc.property(bytesOf('any'), setup, (bytes, { index, blockSize }) => {
        expect(print(bytes, { blockSize }, index)).toEqual({
          exit: 0,
          out: bytes,
          notes: [],
          hits: undefined,
        });
      }),
    );
  });

  it('of address, then lines, then head, then tail; -n says where each line was', () => {
    const ask = fc.record({
      at: fc.option(fc.tuple(small, small), { nil: undefined }),
      lines: fc.option(fc.tuple(small, small), { nil: undefined }),
      head: maybe(fc.nat(12)),
      tail: maybe(fc.nat(12)),
      numbers: fc.boolean(),
    });
    fc.assert(
      fc.property(
        bytesOf('any'),
        ask,
        setup,
        (bytes, { at, lines, head, tail, numbers }, { index, blockSize }) => {
          let expected = linesOf(bytes).map((line, i) => ({ line, number: i + 1 }));
          const missing = (pair: [number, number]): boolean => Math.min(...pair) > expected.length;
          const slice = (pair: [number, number]) => expected.slice(Math.min(...pair) - 1, Math.max(...pair));
          let fault = false;
          for (const pair of [at, lines]) {
            if (!pair) continue;
            fault ||= missing(pair);
            expected = slice(pair);
          }
          if (head !== undefined) expected = expected.slice(0, head);
          if (tail !== undefined) expected = tail === 0 ? [] : expected.slice(-tail);
          const { exit, out } = print(
            bytes,
            {
              ...(at && { at: `L${span(at).from}-${span(at).to}` }),
              ...(lines && { lines: span(lines) }),
              ...(head !== undefined && { head }),
              ...(tail !== undefined && { tail }),
              numbers,
              blockSize,
            },
            index,
          );
          expect(exit).toBe(fault ? 2 : 0);
          const printed = expected.flatMap(({ line, number }) =>
            numbers ? [Buffer.from(`${number}:`), line] : [line],
          );
          expect(out).toEqual(fault ? Buffer.alloc(0) : Buffer.concat(printed));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('with the original line numbers inside bytes and characters', () => {
    const text = 'one\ntwo\nthree\nfour\n';
    expect(print(text, { at: 'B5-15', numbers: true }).out.toString()).toBe('2:wo\n3:three\n4:f');
    expect(print(text, { at: 'L3:c2-4', numbers: true }).out.toString()).toBe('3:hre');
    expect(
      print(text, { at: 'B5-15', lines: { from: 2, to: 2 }, numbers: true }, 'exact').out.toString(),
    ).toBe('3:three\n');
  });
});

describe('expand of what is not there', () => {
  const text = 'one\ntwo\nthré';
  it.each([
    [{ at: 'L4' }, 'line 4 is beyond the end: the original has 3 lines'],
    [{ at: 'B13-14' }, 'byte 13 is beyond the end: the original has 13 bytes'],
    [{ at: 'L3:c5' }, 'character 5 is beyond the end: line 3 has 4 characters'],
    [{ at: 'L1:c4' }, 'character 4 is beyond the end: line 1 has 3 bytes'],
    [{ at: 'L2-3', lines: { from: 3, to: 9 } }, 'line 3 is beyond the end: L2-3 has 2 lines'],
    [{ at: 'items/5-146' }, '"items/5-146" is a path, and this original is no JSON or YAML'],
    [{ at: 'stdout:L12-48' }, 'lines (L3-90), characters of a line (L12:c1-9000) and bytes (B0-4096)'],
    [{ at: '@1/spec' }, 'is a path'],
    [{ at: '5-146' }, 'Did you mean L5-146?'],
    [{ at: 'l7' }, 'Did you mean L7?'],
  ])('%j says: %s', (ask, words) => {
    const { exit, out, notes } = print(text, ask);
    expect({ exit, out: out.toString() }).toEqual({ exit: 2, out: '' });
    expect(notes.join('\n')).toContain(words);
  });

  it('of an empty original: all of it is nothing, a line is beyond its end', () => {
    expect(print('')).toMatchObject({ exit: 0, notes: [] });
    expect(print('', { head: 3, tail: 3, numbers: true })).toMatchObject({ exit: 0, notes: [] });
    expect(print('', { at: 'L1' }, 'exact')).toMatchObject({
      exit: 2,
      notes: ['line 1 is beyond the end: the original has 0 lines'],
    });
    expect(print('', { grep: { pattern: '' } })).toMatchObject({ exit: 1 });
  });

  it('a range that goes past the end stops there and says so', () => {
    expect(print(text, { at: 'L2-99' })).toMatchObject({ exit: 0, notes: ['the original ends at line 3'] });
    expect(print(text, { at: 'L3:c2-99' })).toMatchObject({ notes: ['line 3 ends at character 4'] });
    expect(print(text, { at: 'B3-99' })).toMatchObject({ notes: ['the original ends at byte 13'] });
    expect(print(text, { at: 'L1-2', lines: { from: 2, to: 9 } })).toMatchObject({
      notes: ['L1-2 ends at line 2'],
    });
  });
});

describe('expand of much', () => {
  const many = Buffer.from(Array.from({ length: 5000 }, (_, i) => `line ${i + 1} of many`).join('\n'));

  it('a whole original over 64 KB comes with a note on how to ask for less', () => {
    const { out, notes } = print(many);
    expect(out.equals(many)).toBe(true);
    expect(notes).toEqual([
      'that was all of it: 86.8 KB in 5000 lines. For less: ctxzip expand ac998fea694b L1-200, or --grep PATTERN (with -C 3 for context), --head 50, --tail 50',
    ]);
    expect(print(many, { numbers: true }).notes.length).toBe(1);
    expect(print(Buffer.alloc(70_000)).notes[0]).toContain(
      '68.4 KB in 1 line. For less: ctxzip expand ac998fea694b B0-65536',
    );
  });

  it.each([
    { at: 'L1-5000' },
    { at: 'B0-99000' },
    { lines: { from: 1, to: 5000 } },
    { head: 4999 },
    { tail: 4999 },
  ])('no such note for %j', (ask) => {
    expect(print(many, ask).notes.join()).not.toContain('For less');
  });

  it('no more than a few blocks are asked for at a time, in both directions, with a few chunks out', () => {
    const size = 64 * 1024 * 1024;
    const block = Buffer.from('x'.repeat(1023) + '\n');
    const asked: number[] = [];
    const reader = {
      size,
      read: (start: number, end: number) => {
        asked.push(end - start);
        return Buffer.alloc(end - start, block);
      },
      close: () => {},
    };
    let total = 0;
    let largest = 0;
    const sink = (chunk: Uint8Array): void => {
      total += chunk.length;
      largest = Math.max(largest, chunk.length);
    };
    expect(expand(reader, { hash: 'ac998fea694b' }, sink).exit).toBe(0);
    expect(total).toBe(size);
    expand(reader, { hash: 'ac998fea694b', numbers: true, tail: 10_000 }, sink);
    expand(reader, { hash: 'ac998fea694b', grep: { pattern: 'nothing like it' }, tail: 5 }, sink);
    expect(Math.max(...asked)).toBeLessThanOrEqual(1 << 20);
    expect(largest).toBeLessThanOrEqual(2 << 20);
    asked.length = 0;
    expand(reader, { hash: 'ac998fea694b', tail: 3 }, sink);
    expand(reader, { hash: 'ac998fea694b', address: { kind: 'lines', from: 3, to: 9 } }, sink);
    expect(asked.length).toBeLessThanOrEqual(4);
  });
});

describe('expand of damaged bytes', () => {
  it('prints what was whole, and says that it is not all', () => {
    const bytes = Buffer.from('one\ntwo\nthree\n');
    const chunks: string[] = [];
    const reader = {
      ...readerOf(bytes),
      read: (start: number, end: number) => {
        if (end > 8) throw new DamagedError('its bytes do not match its hash');
        return bytes.subarray(start, end);
      },
    };
    const outcome = expand(reader, { hash: 'ac998fea694b', blockSize: 4 }, (chunk) =>
      chunks.push(String(chunk)),
    );
    expect(chunks.join('')).toBe('one\ntwo\n');
    expect(outcome).toEqual({
      exit: 1,
      notes: ['the stored bytes are damaged, the output is not whole: its bytes do not match its hash'],
    });
  });

  it('what the sink throws passes through', () => {
    expect(() => expand(readerOf(Buffer.from('one')), { hash: 'ac998fea694b' }, broken)).toThrow('EPIPE');
  });
});
