/** Laws 1, 3, 7 and 8 of design §2: with a store in a temporary folder. */
import * as fc from 'fast-check';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compressInput, type Outcome, type PipeJob, policyDigest } from '../../src/app/compress.ts';
import { Input } from '../../src/app/input.ts';
import { minimize } from '../../src/app/minimal.ts';
import { restore } from '../../src/app/restore.ts';
import { readMinimal } from '../../src/core/minimal/index.ts';
import { memorySource } from '../../src/core/source.ts';
import type { Policy } from '../../src/core/model.ts';
import { openHome } from '../../src/store/home.ts';
import { runGc } from '../../src/store/gc.ts';
import { StoreUnavailable } from '../../src/store/port.ts';
import { openSpool, type Spool } from '../../src/store/spool.ts';
import { outlineSection } from '../../src/app/shapes.ts';
import { readFixtures } from '../support/fixtures.ts';
import { anything, SEED } from '../support-e2e/arbitrary.ts';
import { tempFolder } from '../support-e2e/command.ts';
import { log, pods } from '../support-e2e/inputs.ts';
import { POLICIES, policyOf, sha, viewOf } from '../support-e2e/law-kit.ts';

const NOW = Date.UTC(2026, 4, 1);
let root: string;
let spool: Spool;
beforeAll(() => {
  root = join(tempFolder(), 'store');
  spool = openSpool(root);
});

const policy = fc.constantFrom(...POLICIES);

function jobOf(over: Partial<Policy> = {}, more: Partial<PipeJob> = {}): PipeJob {
  return {
    policy: policyOf(over),
    storeFolder: root,
    ttlMs: 7 * 86_400_000,
    maxStoreBytes: 0,
    facts: { createdMs: NOW },
    version: '0',
    outline: outlineSection,
    minimize,
    recall: (name) => originalOf(name),
    ...more,
  };
}

const originals = new Map<string, Buffer>();

function originalOf(name: string): Buffer | undefined {
  return originals.get(name);
}

function compressed(bytes: Uint8Array, job: PipeJob, open = (): Spool | undefined => spool): Outcome {
  originals.set(sha(bytes), Buffer.from(bytes));
  const outcome = compressInput(new Input(memorySource(bytes), undefined), job, open);
  outcome.input.close();
  return outcome;
}

function printed(outcome: Outcome): Buffer {
  return Buffer.concat([...(outcome.kind === 'view' ? outcome.view.chunks : outcome.input.pieces())]);
}

async function restored(view: Buffer): Promise<Buffer> {
  const store = openHome(root, (job) => runGc(job));
  try {
    const back = await restore([view], store, NOW);
    if (back.kind !== 'original') return view;
    const bytes = Buffer.from(back.reader.read(0, back.reader.size));
    back.reader.close();
    return bytes;
  } finally {
    await store.close();
  }
}

describe('law 1: reversible', () => {
  it('of anything', async () => {
    await fc.assert(
      fc.asyncProperty(anything, policy, async (bytes, over) => {
        const view = printed(compressed(bytes, jobOf(over)));
        expect((await restored(view)).equals(bytes)).toBe(true);
      }),
      { seed: SEED, numRuns: 150 },
    );
  });

  it('of every fixture', async () => {
    for (const { strategy, name, input, policy: own } of readFixtures()) {
      const view = printed(compressed(input, { ...jobOf(), policy: own }));
      expect((await restored(view)).equals(input), `${strategy}/${name}`).toBe(true);
    }
  });

  it('after all of it went into LMDB', async () => {
    const views = ['-1', '-2', '-3'].map((salt) => printed(compressed(Buffer.from(log(500, salt)), jobOf())));
    await runGc({ root, nowMs: NOW });
    expect(readdirSync(join(root, 'spool'))).toEqual([]);
    for (const [i, view] of views.entries()) {
      expect((await restored(view)).toString() === log(500, `-${i + 1}`)).toBe(true);
    }
  });
});

describe('law 3: stored first', () => {
  it('a view has its original in the spool', () => {
    fc.assert(
      fc.property(anything, policy, (bytes, over) => {
        const outcome = compressed(bytes, jobOf(over));
        if (outcome.kind === 'view') expect(existsSync(join(root, 'spool', sha(bytes)))).toBe(true);
      }),
      { seed: SEED + 1, numRuns: 100 },
    );
  });

  it.each([
    ['there is no store', () => undefined, { storeFolder: undefined }],
    [
      'the store can not be opened',
      () => {
        throw new StoreUnavailable('access', 'not writable');
      },
      {},
    ],
    ['the disk is full', () => failing('write'), {}],
    ['the commit fails', () => failing('commit'), {}],
    ['the store is full', () => failing('full'), {}],
  ] as ReadonlyArray<readonly [string, () => Spool | undefined, Partial<PipeJob>]>)(
    '%s: the view holds all of the input',
    (_, open, more) => {
      const bytes = Buffer.from(log());
      const outcome = compressed(bytes, jobOf({}, more), open);
      expect(outcome).toMatchObject({ kind: 'view', minimal: 'text', view: { gaps: [] } });
      expect(outcome.kind === 'view' && outcome.view.notes[0]).toMatch(/level minimal instead/);
      expect(Buffer.from(readMinimal(printed(outcome)).bytes).equals(bytes)).toBe(true);
      const random = Buffer.from(
        Array.from({ length: 900 }, (__, i) => sha(Buffer.from([i & 255, i >> 8]))).join(' '),
      );
      expect(printed(compressed(random, jobOf({}, more), open)).equals(random)).toBe(true);
    },
  );

  it('another original has its digits: the view is the input', () => {
    const bytes = Buffer.from(log());
    const outcome = compressed(bytes, jobOf(), () => failing('collision'));
    expect(outcome).toMatchObject({ kind: 'input', isNews: true });
    expect(printed(outcome).equals(bytes)).toBe(true);
  });

  it('level minimal stores nothing, and is a fixed point', () => {
    fc.assert(
      fc.property(anything, (bytes) => {
        const outcome = compressed(bytes, jobOf({ level: 'minimal', minChars: 0 }), () => undefined);
        if (outcome.kind !== 'view') return;
        const view = printed(outcome);
        for (const level of ['minimal', 'normal'] as const) {
          expect(printed(compressed(view, jobOf({ level }))).equals(view)).toBe(true);
          expect(printed(compressed(view, jobOf({ level }, { storeFolder: undefined }))).equals(view)).toBe(
            true,
          );
        }
      }),
      { seed: SEED + 2, numRuns: 60 },
    );
  });

  it('a view with markers is not made minimal where no store tells whose they are', () => {
    const view = printed(compressed(Buffer.from(pods()), jobOf()));
    expect(printed(compressed(view, jobOf({ minChars: 0 }, { storeFolder: undefined }))).equals(view)).toBe(
      true,
    );
  });
});

describe('law 7: fixed point', () => {
  it('a view is returned as it is; under another policy its original is compressed', () => {
    fc.assert(
      fc.property(anything, policy, policy, (bytes, over, other) => {
        const outcome = compressed(bytes, jobOf(over));
        if (outcome.kind !== 'view' || outcome.view.gaps.length === 0) return;
        const view = printed(outcome);
        expect(printed(compressed(view, jobOf(over))).equals(view)).toBe(true);
        if (policyDigest(policyOf(over), '0') === policyDigest(policyOf(other), '0')) return;
        const again = compressed(view, jobOf(other));
        const expected = viewOf(bytes, other)?.bytes ?? view;
        expect(printed(again).equals(expected)).toBe(true);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });

  it('when the original is gone, the view is returned', () => {
    const view = printed(compressed(Buffer.from(pods(170)), jobOf()));
    const outcome = compressed(view, jobOf({ maxTokens: 100 }, { recall: () => undefined }));
    expect(printed(outcome).equals(view)).toBe(true);
  });
});

describe('law 8: fail open', () => {
  const faults: ReadonlyArray<readonly [string, () => never]> = [
    [
      'an error',
      () => {
        throw new Error('boom');
      },
    ],
    [
      'a string',
      () => {
        throw 'boom';
      },
    ],
    [
      'nothing',
      () => {
        throw undefined;
      },
    ],
    [
      'too deep a recursion',
      () => {
        const deeper = (): never => deeper();
        return deeper();
      },
    ],
    [
      'too large an array',
      () => {
        throw new RangeError('Invalid array length');
      },
    ],
  ];

  it.each(faults)('a strategy that throws %s', (_, fault) => {
    fc.assert(
      fc.property(anything, (bytes) => {
        const before = readdirSync(join(root, 'temp'));
        const outcome = compressed(bytes, jobOf({ minChars: 0 }, { outline: fault }));
        expect(outcome.kind).toBe('input');
        expect(printed(outcome).equals(bytes)).toBe(true);
        expect(readdirSync(join(root, 'temp'))).toEqual(before);
      }),
      { seed: SEED, numRuns: 25 },
    );
    const outcome = compressed(Buffer.from(log()), jobOf({}, { outline: fault }));
    expect(outcome).toMatchObject({ kind: 'input', isNews: true });
  });

  it('a strategy whose units are nonsense', () => {
    const bytes = Buffer.from(log());
    const outcome = compressed(
      bytes,
      jobOf({}, { outline: (...all) => ({ ...outlineSection(...all), starts: new Uint32Array(3) }) }),
    );
    // Whatever it makes of it: what is printed is the input, or a view that restores to it.
    const out = printed(outcome);
    if (outcome.kind === 'input') expect(out.equals(bytes)).toBe(true);
    else expect(outcome.sha).toBe(sha(bytes));
  });

  it('a recall that throws', () => {
    const view = printed(compressed(Buffer.from(pods(180)), jobOf()));
    const outcome = compressed(
      view,
      jobOf(
        { maxTokens: 77 },
        {
          recall: () => {
            throw new Error('LMDB is damaged');
          },
        },
      ),
    );
    expect(printed(outcome).equals(view)).toBe(true);
  });
});

/** A spool that fails at some step. */
function failing(step: 'write' | 'commit' | 'collision' | 'full'): Spool {
  return {
    ...spool,
    begin: () => {
      const writer = spool.begin();
      return {
        get size() {
          return writer.size;
        },
        write: (chunk) => {
          if (step === 'write') throw new StoreUnavailable('space', 'the disk is full');
          writer.write(chunk);
        },
        read: (start, end) => writer.read(start, end),
        seal: () => writer.seal(),
        commit: () => {
          if (step === 'collision') return { kind: 'collision', other: 'f'.repeat(64) };
          if (step === 'full') return { kind: 'full', reason: 'the store is full' };
          throw new StoreUnavailable('space', 'the disk is full');
        },
        close: () => writer.close(),
      };
    },
  };
}
