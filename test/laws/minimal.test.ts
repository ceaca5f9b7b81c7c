/** A minimal view holds all of its input: decoding it is the proof. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DamagedView, readMinimal, writeMinimal } from '../../src/core/minimal/index.ts';
import { minimize } from '../../src/core/minimal/minimize.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { memorySource } from '../../src/core/source.ts';
import { readFixtures } from '../support/fixtures.ts';
import { anything, SEED } from '../support-e2e/arbitrary.ts';
import { document, irregular, recordList, regular, textOf } from '../support-e2e/documents.ts';

/** The text that comes back, as one character a byte. */
function back(input: string | Uint8Array): { kind: string; text: string; isExact: boolean } {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  const view = writeMinimal(bytes)!;
  const { kind, bytes: decoded, isExact } = readMinimal(view.bytes);
  return {
    kind,
    text: Buffer.from(decoded).toString(typeof input === 'string' ? 'utf8' : 'latin1'),
    isExact,
  };
}

/** The tokens of JSON without the whitespace between them. */
function tokens(text: string): string {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"]+/g)].map(([token]) => token).join('');
}

describe('JSON', () => {
  it('of regular whitespace comes back byte for byte', () => {
    fc.assert(
      fc.property(document, regular, (node, spacing) => {
        const text = textOf(node, spacing);
        const { kind, text: same, isExact } = back(text);
        expect(kind).toBe('json');
        // What has no member shows no indentation: nothing there can be guessed wrong.
        if (isExact) expect(same).toBe(text);
        else expect(tokens(same)).toBe(tokens(text));
      }),
      { seed: SEED, numRuns: 1500 },
    );
  });

  it('is exact where its members show how it is written', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('', '  ', '\t'), (node, indent) => {
        const text = textOf(
          {
            members: [
              ['first', { items: [{ token: '1' }, { token: '2' }] }],
              ['all', node],
            ],
          },
          {
            kind: 'regular',
            indent,
            isSpaced: indent !== '',
            eol: '\n',
            end: 'eol',
          },
        );
        expect(back(text)).toEqual({ kind: 'json', text, isExact: true });
      }),
      { seed: SEED + 1, numRuns: 500 },
    );
  });

  it('of irregular whitespace comes back as an equal document', () => {
    fc.assert(
      fc.property(document, irregular, (node, spacing) => {
        const text = textOf(node, spacing);
        expect(tokens(back(text).text)).toBe(tokens(text));
      }),
      { seed: SEED + 2, numRuns: 700 },
    );
  });

  it('of records a line', () => {
    fc.assert(
      fc.property(recordList, fc.boolean(), fc.boolean(), (records, isSpaced, endsLine) => {
        fc.pre(records.length > 1);
        const spacing = { kind: 'regular', indent: '', isSpaced, eol: '\n', end: '' } as const;
        const text = records.map((record) => textOf(record, spacing)).join('\n') + (endsLine ? '\n' : '');
        const { kind, text: same, isExact } = back(text);
        expect(kind).toBe('ndjson');
        if (isExact) expect(same).toBe(text);
        else expect(tokens(same)).toBe(tokens(text));
      }),
      { seed: SEED + 3, numRuns: 500 },
    );
  });

  it('of any depth', () => {
    for (const depth of [10, 500, 100_000]) {
      const text = `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`;
      expect(back(text).text === text).toBe(true);
    }
  });
});

describe('text', () => {
  it('of anything comes back byte for byte, or as equal JSON', () => {
    fc.assert(
      fc.property(anything, (bytes) => {
        const view = writeMinimal(bytes)!;
        const { bytes: same, isExact } = readMinimal(view.bytes);
        if (isExact) expect(Buffer.compare(same, bytes)).toBe(0);
        else expect(tokens(Buffer.from(same).toString('latin1'))).toBe(tokens(bytes.toString('latin1')));
      }),
      { seed: SEED + 4, numRuns: 500 },
    );
  });

  it('of lines that look like the format', () => {
    const line = fc.constantFrom(
      '',
      '=',
      '==x',
      '<<',
      '<<3 lines as {} {}>>',
      '<<2 more of the line above>>',
      '<<1 lines of json>>',
      '<<ctxzip minimal/1 text>>',
      '#123456789',
      'a b c',
      '{} {{ }}',
      '{<5}',
      '"quoted cell" b',
      '" b',
      'x  y',
      ' \t ',
      '\r',
      'é漢',
      '\u001b[31mred\u001b[0m',
      '[1,2]',
      '{"a":1}',
      'same',
      'same',
      'a,b,"c,d"',
      'a,b,c',
      'a\tb\tc',
      'a|b|c',
    );
    const rows = fc.array(
      fc.oneof(
        line,
        fc
          .tuple(line, fc.integer({ min: 1, max: 30 }))
          .map(([text, n]) => `${text}\n`.repeat(n).slice(0, -1)),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, eol, endsLine) => {
        const text = lines.join('\n').replaceAll('\n', eol) + (endsLine ? eol : '');
        const view = writeMinimal(Buffer.from(text), ['text'])!;
        expect(Buffer.from(readMinimal(view.bytes).bytes).toString()).toBe(text);
      }),
      { seed: SEED + 5, numRuns: 1500 },
    );
  });

  it('of fixtures', () => {
    for (const { strategy, name, input } of readFixtures()) {
      if (input.includes(0)) continue;
      const { bytes, isExact } = readMinimal(writeMinimal(input)!.bytes);
      if (isExact) expect(Buffer.compare(bytes, input), `${strategy}/${name}`).toBe(0);
    }
  });
});

describe('a minimal view', () => {
  it('never grows, and saves what it must', () => {
    fc.assert(
      fc.property(anything, (bytes) => {
        const made = minimize(memorySource(bytes), { ...DEFAULT_POLICY, level: 'minimal', minChars: 0 });
        if (made.kind !== 'view') return;
        expect(made.tokensBefore - made.tokensAfter).toBeGreaterThanOrEqual(
          Math.max(100, 0.1 * made.tokensBefore),
        );
      }),
      { seed: SEED + 6, numRuns: 200 },
    );
  });

  it('that was changed anywhere is damaged', () => {
    const edit = fc.record({
      at: fc.nat(),
      to: fc.nat(),
      put: fc.constantFrom('', 'x', '\n', ',', ']', '(', '"', '1'),
    });
    fc.assert(
      fc.property(anything, edit, (bytes, { at, to, put }) => {
        const view = Buffer.from(writeMinimal(bytes)!.bytes);
        const from = at % view.length;
        const end = Math.min(view.length, from + (to % 40));
        const changed = Buffer.concat([view.subarray(0, from), Buffer.from(put), view.subarray(end)]);
        let decoded: Uint8Array;
        try {
          decoded = readMinimal(changed).bytes;
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedView);
          return;
        }
        // What still decodes says the same.
        expect(Buffer.compare(decoded, readMinimal(view).bytes)).toBe(0);
      }),
      { seed: SEED + 7, numRuns: 700 },
    );
  });
});
