/** The fixtures: inputs of our own writing in the shape of real output, and what their views must show. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress } from '../../src/core/compress.ts';
import { indexLines } from '../../src/core/line-index.ts';
import type { Gap, Policy } from '../../src/core/model.ts';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { sectionsOf } from '../../src/core/sections.ts';
import { memorySource } from '../../src/core/source.ts';
import { outlineSection } from '../../src/app/shapes.ts';

export const ROOT = join(import.meta.dirname, '../..');

/** Every strategy has at least one fixture of each. */
export const KINDS = ['typical', 'needle', 'lookalike', 'small'] as const;

/** `case.json` of a fixture. */
export interface Facts {
  /** What prints such output. */
  readonly source: string;
  readonly kind: (typeof KINDS)[number];
  /** The shapes that the sections are taken for, in order of appearance, joined with `+`. */
  readonly shape: string;
  /** Texts that stay, outside of markers. A blank stands for any number of blanks and tabs. */
  readonly needles: readonly string[];
  /** Texts that go. */
  readonly absent?: readonly string[];
  /** At least this share of the input's o200k tokens goes. */
  readonly minSavedPct: number;
  /** The view is the input. */
  readonly unchanged?: boolean;
  /** How many failures the markers count, all together. */
  readonly hiddenFailures?: number;
  readonly hiddenFailuresAtLeast?: number;
  /** Texts that some marker holds. */
  readonly markers?: readonly string[];
  /** Texts that no marker holds. */
  readonly notInMarkers?: readonly string[];
  readonly policy?: Partial<Policy>;
  /** What is shown here and why it matters. */
  readonly note: string;
  /** Why the engine does not do yet what these facts ask; such a case has no golden view. */
  readonly known?: string;
}

export interface Fixture {
  readonly strategy: string;
  readonly name: string;
  readonly facts: Facts;
  readonly policy: Policy;
  readonly input: Buffer;
  /** Where the golden view is. */
  readonly expected: string;
}

export function readFixtures(): Fixture[] {
  const root = join(ROOT, 'fixtures');
  return foldersIn(root).flatMap((strategy) =>
    foldersIn(join(root, strategy)).map((name) => {
      const folder = join(root, strategy, name);
      const facts = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as Facts;
      return {
        strategy,
        name,
        facts,
        policy: { ...DEFAULT_POLICY, ...facts.policy },
        input: readFileSync(join(folder, 'input')),
        expected: join(folder, 'expected'),
      };
    }),
  );
}

function foldersIn(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** A view and what is missing in it; of an input that passes through, the input. */
export interface View {
  readonly bytes: Buffer;
  readonly gaps: readonly Gap[];
}

export function viewOf(input: Buffer, policy: Policy): View {
  const hash = (): string => createHash('sha256').update(input).digest('hex').slice(0, 12);
  const made = compress(memorySource(input), policy, hash, outlineSection);
  if (made.kind === 'passthrough') return { bytes: input, gaps: [] };
  return { bytes: Buffer.concat(made.chunks), gaps: made.gaps };
}

/** The view with something in the place of each marker. */
export function withGaps({ bytes, gaps }: View, fill: (gap: Gap) => Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const gap of gaps) {
    parts.push(bytes.subarray(at, gap.view[0]), fill(gap));
    at = gap.view[1];
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** The shapes that the sections of an input are taken for: `log+table`. */
export function shapeOf(input: Buffer, policy: Policy): string {
  const index = indexLines(memorySource(input));
  const shapes = sectionsOf(index).map((section) => outlineSection(index, section, policy)[0]!.shape);
  return [...new Set(shapes)].join('+');
}
