/**
 * Every fixture: the laws hold, the view shows what matters, and it is the golden one. `UPDATE=1` writes golden views
 * anew; read them before you accept them. A case with `known` asks for what the engine does not do yet: it fails, and
 * when it does no more, `known` goes and the golden view comes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { stripEscapes } from '../src/core/escapes.ts';
import { type Fixture, readFixtures, shapeOf, type View, viewOf, withGaps } from './support/fixtures.ts';

const UPDATE = process.env['UPDATE'] === '1';
const LARGEST = 30_000;

for (const fixture of readFixtures()) {
  const { known } = fixture.facts;
  describe(`${fixture.strategy}/${fixture.name}`, () => {
    it('asks for what the input holds', () => isSound(fixture));
    it.skipIf(known?.startsWith('throws'))('keeps the laws', () => keepsLaws(fixture));
    if (known === undefined) {
      it('shows what matters', () => showsWhatMatters(fixture));
      it('is the golden view', () => isGolden(fixture));
    } else {
      it.fails(`shows what matters (known: ${known})`, () => showsWhatMatters(fixture));
    }
  });
}

function isSound({ input, facts, expected }: Fixture): void {
  const text = oneBlank(plain(input).toString('utf8'));
  const raw = oneBlank(input.toString('utf8'));
  for (const needle of [...facts.needles, ...(facts.absent ?? [])]) {
    expect(text.includes(oneBlank(needle)) || raw.includes(oneBlank(needle)), needle).toBe(true);
  }
  expect(input.length).toBeLessThan(LARGEST);
  expect(facts.note).not.toBe('');
  expect(existsSync(expected) || UPDATE).toBe(facts.known === undefined || UPDATE);
}

/** The splice, with and without escape sequences; fewer tokens; nothing cut without a marker. */
function keepsLaws({ input, policy }: Fixture): void {
  const view = viewOf(input, policy);
  const whole = (v: View): Buffer => withGaps(v, (gap) => input.subarray(...gap.bytes));
  expect(plain(whole(view)).equals(plain(input))).toBe(true);
  expect(whole(viewOf(input, { ...policy, escapes: 'keep' })).equals(input)).toBe(true);
  expect(tokens(view.bytes)).toBeLessThanOrEqual(tokens(input));
}

function showsWhatMatters({ input, facts, policy }: Fixture): void {
  const view = viewOf(input, policy);
  const shown = oneBlank(withGaps(view, () => Buffer.from('\n')).toString('utf8'));
  const markers = view.gaps.map((gap) => view.bytes.subarray(...gap.view).toString('latin1')).join('\n');
  const hidden = view.gaps.reduce((sum, gap) => sum + gap.failures, 0);
  expect({
    missing: facts.needles.filter((needle) => !shown.includes(oneBlank(needle))),
    present: (facts.absent ?? []).filter((text) => shown.includes(oneBlank(text))),
    notMarked: (facts.markers ?? []).filter((text) => !markers.includes(text)),
    marked: (facts.notInMarkers ?? []).filter((text) => markers.includes(text)),
    dear: view.gaps.filter((gap) => gain(input, view, gap) < 0).map((gap) => gap.address),
    shape: shapeOf(input, policy),
    hidden,
  }).toEqual({
    missing: [],
    present: [],
    notMarked: [],
    marked: [],
    dear: [],
    shape: facts.shape,
    hidden: facts.hiddenFailures ?? hidden,
  });
  expect(hidden).toBeGreaterThanOrEqual(facts.hiddenFailuresAtLeast ?? 0);
  expect(100 * (1 - tokens(view.bytes) / tokens(input))).toBeGreaterThanOrEqual(facts.minSavedPct);
  if (facts.unchanged === true) expect(view.bytes.equals(input)).toBe(true);
}

function isGolden({ input, policy, expected }: Fixture): void {
  const { bytes } = viewOf(input, policy);
  if (UPDATE) writeFileSync(expected, bytes);
  const golden = readFileSync(expected);
  if (!golden.equals(bytes)) expect(bytes.toString('utf8')).toBe(golden.toString('utf8'));
  expect(golden.equals(bytes)).toBe(true);
}

/** Tokens that a gap saves beyond its marker. */
function gain(input: Buffer, view: View, gap: View['gaps'][number]): number {
  return tokens(plain(input.subarray(...gap.bytes))) - tokens(view.bytes.subarray(...gap.view));
}

function plain(bytes: Buffer): Buffer {
  return Buffer.from(stripEscapes(bytes));
}

function oneBlank(text: string): string {
  return text.replace(/[ \t]+/g, ' ');
}

function tokens(bytes: Buffer): number {
  return countTokens(bytes.toString('utf8'));
}
