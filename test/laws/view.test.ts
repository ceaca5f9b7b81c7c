/** Laws 2, 4, 5 and 6 of design §2, in process, over everything that may come. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { failureOf } from '../../src/core/failures.ts';
import { findMarkers } from '../../src/core/marker.ts';
import type { Policy } from '../../src/core/model.ts';
import { estimateTokens } from '../../src/core/tokens.ts';
import { readFixtures } from '../support/fixtures.ts';
import { anything, Dice, mixed, SEED } from '../support-e2e/arbitrary.ts';
import { log, pods } from '../support-e2e/inputs.ts';
import {
  plain,
  POLICIES,
  readerOf,
  shownPieces,
  shownText,
  type View,
  viewOf,
} from '../support-e2e/law-kit.ts';

const policy = fc.constantFrom(...POLICIES);

/** Runs a law over many inputs, and says with which seed it failed. */
function holds(runs: number, law: (bytes: Buffer, over: Partial<Policy>) => void, inputs = anything): void {
  fc.assert(fc.property(inputs, policy, law), { seed: SEED, numRuns: runs });
}

/** The fixtures, and what the command tests use. */
function known(): Array<readonly [string, Buffer]> {
  const own = [
    ['pods', pods()],
    ['log', log()],
    ['CRLF', log().replaceAll('\n', '\r\n')],
    ['colours', log().replaceAll('INFO', '\u001b[32mINFO\u001b[0m')],
  ] as const;
  return [
    ...own.map(([name, text]) => [name, Buffer.from(text)] as const),
    ...readFixtures().map(({ strategy, name, input }) => [`${strategy}/${name}`, input] as const),
  ];
}

/** What breaks the law; undefined: nothing. */
function faultOf(bytes: Uint8Array, over: Partial<Policy>, view: View): string | undefined {
  let at = 0;
  for (const { bytes: gap, view: place, address } of view.gaps) {
    if (gap[0] < at || gap[1] <= gap[0]) return `${address} is out of order`;
    at = gap[1];
    const marker = view.bytes.subarray(...place).toString('latin1');
    if (findMarkers(marker).length !== 1 || marker.trim().length > 200) return `no marker: ${marker}`;
  }
  for (const piece of shownPieces(bytes, view)) {
    const expected = over.escapes === 'keep' ? piece.input : plain(piece.input);
    if (!expected.equals(piece.view))
      return `not the input: ${JSON.stringify(piece.view.toString('latin1'))}`;
  }
  return undefined;
}

describe('law 2: the view is the input with spans cut out', () => {
  it('of anything', () => {
    holds(400, (bytes, over) => {
      const view = viewOf(bytes, over);
      if (view !== undefined) expect(faultOf(bytes, over, view)).toBeUndefined();
    });
  });

  it.each(known())('of %s', (_, bytes) => {
    for (const over of [POLICIES[0]!, POLICIES[1]!, POLICIES[2]!]) {
      const view = viewOf(bytes, over);
      if (view !== undefined) expect(faultOf(bytes, over, view)).toBeUndefined();
    }
  });

  it('and `verify` proves it, gap by gap', () => {
    holds(200, (bytes, over) => {
      const view = viewOf(bytes, over);
      if (view === undefined) return;
      const proof = verify(view.bytes, readerOf(bytes));
      expect(proof).toMatchObject({ kind: 'proven', size: bytes.length });
      if (proof.kind !== 'proven') return;
      expect(proof.gaps.map((gap) => gap.bytes)).toEqual(view.gaps.map((gap) => gap.bytes));
    });
  });

  it('and `verify` proves nothing that was changed', () => {
    holds(150, (bytes, over) => {
      const view = viewOf(bytes, over);
      if (view === undefined || view.gaps.length === 0) return;
      const dice = new Dice(bytes.length);
      const at = dice.below(view.bytes.length);
      const inGap = view.gaps.some((gap) => at >= gap.view[0] && at < gap.view[1]);
      if (inGap || over.escapes === 'keep') return;
      const changed = Buffer.from(view.bytes);
      changed[at] = changed[at] === 0x23 ? 0x24 : 0x23;
      expect(verify(changed, readerOf(bytes)).kind).toBe('broken');
    });
  });
});

describe('law 4: what must not go is in view, or counted', () => {
  const FAILURES = [
    'ERROR payment 77 failed: connection refused by db-3',
    'panic: runtime error: invalid memory address or nil pointer dereference',
    'java.lang.IllegalStateException: pool is closed',
    'requests.exceptions.ConnectionError: pool',
    'AssertionError: expected 3 to be 4',
    'process exited with code 137',
    'Segmentation fault (core dumped)',
    'level=error msg="dial tcp 10.0.0.7:5432: i/o timeout"',
    '{"severity":"ERROR","message":"disk gone"}',
    '10.0.0.1 - - [01/May/2026:12:00:00 +0000] "GET /x HTTP/1.1" 503 12',
    'OOMKilled container web-1',
    'Warning  FailedMount  pod/web-1  unable to attach volume',
    'not ok 17 - writes a row',
    'E0501 12:00:00.000000       1 server.go:12] lease lost',
  ];

  it('every planted failure is shown, or a gap around it counts it', () => {
    const planted = fc.array(fc.tuple(fc.constantFrom(...FAILURES), fc.nat()), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(mixed, planted, policy, (base, failures, over) => {
        const lines = base.toString('latin1').split('\n');
        for (const [failure, place] of failures) lines.splice(place % (lines.length + 1), 0, failure);
        const bytes = Buffer.from(lines.join('\n'), 'latin1');
        const view = viewOf(bytes, over);
        if (view === undefined) return;
        for (const gap of view.gaps) {
          const hidden = bytes
            .subarray(...gap.bytes)
            .toString('latin1')
            .split('\n');
          const missing = hidden.filter((line) => FAILURES.includes(line));
          expect(gap.failures, `${gap.address}: ${missing.join(' | ')}`).toBeGreaterThanOrEqual(
            missing.length,
          );
        }
      }),
      { seed: SEED, numRuns: 250 },
    );
  });

  it('without a budget, each of a few distinct failures is shown', () => {
    const places = fc.array(fc.nat(), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(
        mixed,
        fc.shuffledSubarray(FAILURES, { minLength: 3, maxLength: 3 }),
        places,
        (base, few, at) => {
          const lines = base.toString('latin1').split('\n');
          few.forEach((failure, i) => lines.splice(at[i]! % (lines.length + 1), 0, failure));
          const view = viewOf(Buffer.from(lines.join('\n'), 'latin1'));
          if (view === undefined) return;
          const shown = shownText(view).split(/[\r\n]+/);
          for (const failure of few) expect(shown, failure).toContain(failure);
        },
      ),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('a gap counts at least the lines in it whose last state is a failure', () => {
    holds(200, (bytes, over) => {
      const view = viewOf(bytes, over);
      if (view === undefined) return;
      for (const gap of view.gaps) {
        if (gap.unit !== 'lines') continue;
        const lines = plain(bytes.subarray(...gap.bytes))
          .toString('latin1')
          .split('\n');
        const failing = lines.filter((line) => failureOf(line.replace(/\r+$/, '').split('\r').at(-1)!) > 1);
        expect(gap.failures, gap.address).toBeGreaterThanOrEqual(failing.length);
      }
    });
  });

  it('keep patterns stay', () => {
    fc.assert(
      fc.property(mixed, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), (base, places) => {
        const lines = base.toString('latin1').split('\n');
        places.forEach((place, i) => lines.splice(place % (lines.length + 1), 0, `the NEEDLE number ${i}`));
        const bytes = Buffer.from(lines.join('\n'), 'latin1');
        for (const maxTokens of [16_000, 300]) {
          const view = viewOf(bytes, { keepPatterns: ['/needle number \\d+/i'], maxTokens });
          if (view === undefined) continue;
          const shown = shownText(view);
          places.forEach((_, i) => expect(shown).toContain(`the NEEDLE number ${i}`));
        }
      }),
      { seed: SEED, numRuns: 120 },
    );
  });

  it('markers of other views and tools stay', () => {
    holds(200, (bytes, over) => {
      const view = viewOf(bytes, over);
      if (view === undefined) return;
      const markers = findMarkers(plain(bytes).toString('latin1'));
      const shown = shownText(view);
      expect(findMarkers(shown).length).toBe(markers.length);
    });
  });

  it('the verdict on a line does not depend on the numbers of the lines before it', () => {
    const forms = [
      (n: number) => `worker stopped, exit code ${n}`,
      (n: number) => `run finished: ${n} errors`,
      (n: number) => `failed: ${n}, passed: 12`,
      (n: number) => `GET /x HTTP/1.1" ${n} 17`,
      (n: number) => `status=${n} done`,
      (n: number) => `returned ${n}`,
    ];
    const numbers = [0, 1, 2, 17, 200, 304, 404, 500, 503, 1000, 1603];
    for (const form of forms) {
      for (const first of numbers) {
        const failing = numbers.filter((n) => failureOf(form(n)) > 1);
        for (const n of failing) {
          const rows = Array.from(
            { length: 200 },
            (_, i) => `2026-05-01T12:00:00Z INFO item ${i} ${'of many '.repeat(3)}`,
          );
          rows.splice(5, 0, form(first));
          rows.splice(100, 0, form(n));
          const view = viewOf(Buffer.from(rows.join('\n')))!;
          const hidden = view.gaps.reduce((sum, gap) => sum + gap.failures, 0);
          expect(shownText(view).includes(form(n)) || hidden > 0, `${form(first)} … ${form(n)}`).toBe(true);
        }
      }
    }
  });
});

describe('law 5: never grow', () => {
  it('a view saves 100 tokens and 10 %', () => {
    holds(200, (bytes, over) => {
      const view = viewOf(bytes, over);
      if (view === undefined) return;
      expect(view.before - view.after).toBeGreaterThanOrEqual(Math.max(100, view.before * 0.1));
      expect(Math.abs(estimateTokens(view.bytes, 0, view.bytes.length) - view.after)).toBeLessThanOrEqual(
        2 + view.after * 0.02,
      );
    });
  });

  it('a gap saves more than its marker', () => {
    holds(400, (bytes, over) => {
      const view = viewOf(bytes, over);
      if (view === undefined) return;
      for (const gap of view.gaps) {
        const gone = plain(bytes.subarray(...gap.bytes));
        const marker = view.bytes.subarray(...gap.view);
        expect(estimateTokens(gone, 0, gone.length), gap.address).toBeGreaterThan(
          estimateTokens(marker, 0, marker.length),
        );
      }
    });
  });
});

describe('law 6: the same bytes', () => {
  it('twice, and from bytes that lie elsewhere in memory', () => {
    holds(120, (bytes, over) => {
      const padded = Buffer.concat([Buffer.from('x'), bytes]).subarray(1);
      expect(viewOf(padded, over)?.bytes.equals(viewOf(bytes, over)!.bytes)).toBe(
        viewOf(bytes, over) === undefined ? undefined : true,
      );
    });
  });

  it('whatever was compressed before', () => {
    const probe = Buffer.from(log());
    const first = viewOf(probe)!.bytes;
    holds(60, (bytes, over) => {
      viewOf(bytes, over);
      expect(viewOf(probe)!.bytes.equals(first)).toBe(true);
    });
  });
});
