/** The laws of design §2 over structured text of all kinds, with all that serializers never write. */
import * as fc from 'fast-check';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { minimize } from '../../src/app/minimal.ts';
import { compressInput } from '../../src/app/compress.ts';
import { Input } from '../../src/app/input.ts';
import { verify } from '../../src/app/verify.ts';
import { findMarkers } from '../../src/core/marker.ts';
import type { Policy } from '../../src/core/model.ts';
import { memorySource } from '../../src/core/source.ts';
import { expand, openStore } from '../../src/library.ts';
import { openSpool, type Spool } from '../../src/store/spool.ts';
import { outlineSection } from '../../src/app/shapes.ts';
import { Dice, SEED } from '../support-e2e/arbitrary.ts';
import { tempFolder } from '../support-e2e/command.ts';
import { plain, policyOf, readerOf, sha, shownPieces, type View, viewOf } from '../support-e2e/law-kit.ts';
import { describeText, envelope, json, ndjson, yaml } from './makers.ts';
import { difference, isWithin, readTree } from './tree.ts';

const MAKERS: Readonly<Record<string, (dice: Dice, rows: number) => string>> = {
  json,
  ndjson,
  envelope,
  yaml,
  describe: describeText,
};

const WISHES: ReadonlyArray<Partial<Policy>> = [
  {},
  {},
  { maxTokens: 300, budgetAsked: true },
  { maxTokens: 900, budgetAsked: true },
  { query: 'why is api-7 503?' },
  { keepPatterns: ['us-east-1'] },
  { escapes: 'keep' },
  { markers: 'full', hint: false },
  { level: 'aggressive' },
];

type Law = (bytes: Buffer, view: View, over: Partial<Policy>) => void | Promise<void>;

interface Runs {
  readonly runs: number;
  readonly wishes?: ReadonlyArray<Partial<Policy>>;
  /** Changes a text before it is compressed. */
  readonly plant?: (text: string, dice: Dice) => string;
}

/** Runs a law over many texts of a kind that have a view; `RUNS` and `FC` ask for more and for others. */
async function holds(name: string, { runs, wishes = WISHES, plant }: Runs, law: Law): Promise<void> {
  const run = async (seed: number, rows: number, over: Partial<Policy>): Promise<void> => {
    const dice = new Dice(seed);
    const made = MAKERS[name]!(dice, rows);
    const bytes = Buffer.from(plant === undefined ? made : plant(made, dice));
    const view = viewOf(bytes, over);
    if (view !== undefined) await law(bytes, view, over);
  };
  const property = fc.asyncProperty(
    fc.nat(),
    fc.integer({ min: 4, max: 160 }),
    fc.constantFrom(...wishes),
    run,
  );
  const numRuns = Number(process.env['RUNS'] ?? runs);
  await fc.assert(property, { seed: Number(process.env['FC'] ?? SEED), numRuns, endOnFailure: true });
}

function hiddenText(bytes: Buffer, gap: View['gaps'][number]): string {
  return bytes.subarray(...gap.bytes).toString('utf8');
}

describe.each(Object.keys(MAKERS))('%s', (name) => {
  it('law 2: the view is the input with spans cut out', async () => {
    await holds(name, { runs: 35 }, (bytes, view, over) => {
      let at = 0;
      for (const gap of view.gaps) {
        expect(gap.bytes[0]).toBeGreaterThanOrEqual(at);
        expect(gap.bytes[1]).toBeGreaterThan(gap.bytes[0]);
        at = gap.bytes[1];
        const marker = view.bytes.subarray(...gap.view).toString('latin1');
        expect(findMarkers(marker)).toHaveLength(1);
      }
      for (const piece of shownPieces(bytes, view)) {
        const own = over.escapes === 'keep' ? piece.input : plain(piece.input);
        expect(piece.view.toString('latin1')).toBe(own.toString('latin1'));
      }
    });
  });

  it('verify proves every view, gap by gap', async () => {
    await holds(name, { runs: 25 }, (bytes, view) => {
      const proof = verify(view.bytes, readerOf(bytes));
      expect(proof).toMatchObject({ kind: 'proven', size: bytes.length });
      if (proof.kind !== 'proven') return;
      expect(proof.gaps.map((gap) => gap.bytes)).toEqual(view.gaps.map((gap) => gap.bytes));
    });
  });

  it('every gap opens, by its address', async () => {
    await holds(name, { runs: 12 }, async (bytes, view) => {
      const store = openStore();
      const hash = sha(bytes);
      await store.put(bytes, {
        kind: 'view',
        view: view.bytes,
        hash,
        gaps: view.gaps,
        shapes: [],
        tokensBefore: 0,
        tokensAfter: 0,
        notes: [],
      });
      for (const { address } of view.gaps) {
        const { exit, bytes: opened, notes } = await expand(store, hash, { address, raw: true });
        expect({ address, exit, notes }).toEqual({ address, exit: 0, notes: [] });
        expect(opened.length).toBeGreaterThan(0);
      }
    });
  });

  it('law 4: a gap that hides a failure counts it', async () => {
    await holds(name, { runs: 25, plant: PLANTS[name]! }, (bytes, view) => {
      for (const gap of view.gaps) {
        const hidden = hiddenText(bytes, gap).split(PLANTED).length - 1;
        expect(gap.failures, `${gap.address} hides ${hidden}`).toBeGreaterThanOrEqual(hidden > 0 ? 1 : 0);
      }
    });
  });

  it('law 4: what a keep pattern matches stays', async () => {
    const wishes = [{ keepPatterns: ['us-east-1'], maxTokens: 0 }];
    await holds(name, { runs: 18, wishes }, (bytes, view) => {
      // Long lines and strings are cut around a few of their matches.
      const units = view.gaps.filter(({ unit }) => unit !== 'chars');
      const hidden = units.filter((gap) => hiddenText(bytes, gap).includes('us-east-1'));
      expect(hidden.map(({ address }) => address)).toEqual([]);
    });
  });

  it('law 7: a view that is compressed again is itself', async () => {
    await holds(
      name,
      { runs: 10, wishes: [{}, { maxTokens: 300, budgetAsked: true }] },
      (bytes, view, over) => {
        expect(printed(bytes, over).equals(view.bytes)).toBe(true);
        expect(printed(view.bytes, over).equals(view.bytes)).toBe(true);
      },
    );
  });
});

const PLANTED = 'connection refused by db-3';

/** Puts failures into values: of JSON, or of `key: value` lines. */
const PLANTS: Readonly<Record<string, (text: string, dice: Dice) => string>> = {
  json: inStrings,
  ndjson: inStrings,
  envelope: inLines,
  yaml: inLines,
  describe: inLines,
};

function inStrings(text: string, dice: Dice): string {
  return text.replaceAll(/"(?:alpha|beta|pod)[^"\\\n]*"(?=\s*[,}\]])/g, (own) =>
    dice.chance(0.06) ? `"${PLANTED}"` : own,
  );
}

function inLines(text: string, dice: Dice): string {
  return text.replaceAll(/(: +)(?:alpha|beta|pod)(?: \d+)?(?=\\?\r?\n)/g, (own, colon: string) =>
    dice.chance(0.1) ? `${colon}${PLANTED}` : own,
  );
}

let root: string;
let spool: Spool;
beforeAll(() => {
  root = join(tempFolder(), 'store');
  spool = openSpool(root);
});

const originals = new Map<string, Buffer>();

/** What the pipe prints of an input, with a store. */
function printed(bytes: Buffer, over: Partial<Policy>): Buffer {
  originals.set(sha(bytes), bytes);
  const job = {
    policy: policyOf(over),
    storeFolder: root,
    ttlMs: 7 * 86_400_000,
    maxStoreBytes: 0,
    facts: { createdMs: Date.UTC(2026, 4, 1) },
    version: '0',
    outline: outlineSection,
    minimize,
    recall: (hash: string) => originals.get(hash),
  };
  const outcome = compressInput(new Input(memorySource(bytes), undefined), job, () => spool);
  const pieces = outcome.kind === 'view' ? outcome.view.chunks : outcome.input.pieces();
  const whole = Buffer.concat([...pieces]);
  outcome.input.close();
  return whole;
}

/** Parses YAML; undefined where it does not. */
function values(text: string): unknown[] | undefined {
  const documents = [...parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' })];
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  try {
    const all = documents.map((each) => each.toJS() as unknown);
    JSON.stringify(all);
    return all;
  } catch {
    // It names an anchor that is not there, or one that it stands in.
    return undefined;
  }
}

function parses(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

describe('law 9: what parsed parses, and says nothing else', () => {
  it.each(['json', 'envelope'])('%s', async (name) => {
    await holds(name, { runs: 50 }, (bytes, view, over) => {
      const own = (over.escapes === 'keep' ? bytes : plain(bytes)).toString('utf8');
      let tree;
      try {
        tree = readTree(own);
      } catch {
        return;
      }
      expect(difference(readTree(view.bytes.toString('utf8')), tree)).toBeUndefined();
    });
  });

  it('ndjson', async () => {
    await holds('ndjson', { runs: 60 }, (bytes, view) => {
      const lines = bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== '');
      if (!lines.every(parses)) return;
      const shown = view.bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== '');
      expect(shown.filter((line) => !parses(line))).toEqual([]);
    });
  });

  it('yaml', async () => {
    await holds('yaml', { runs: 50 }, (bytes, view) => {
      const own = values(bytes.toString('utf8'));
      if (own === undefined) return;
      const shown = values(view.bytes.toString('utf8'));
      expect(shown === undefined ? view.bytes.toString('utf8') : 'parses').toBe('parses');
      expect(isWithin(shown, own)).toBe(true);
    });
  });
});
