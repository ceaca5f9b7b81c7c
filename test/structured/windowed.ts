/** Views of records that are read in windows. */
import { expect } from 'vitest';
import { compress, type Outliner } from '../../src/core/compress.ts';
import type { Frame } from '../../src/core/frame.ts';
import { ARRAY, OBJECT } from '../../src/core/json/kinds.ts';
import { isPrefixed } from '../../src/core/json/prefix.ts';
import { recordOutlines } from '../../src/core/json/record-outline.ts';
import { RecordWindows } from '../../src/core/json/record-windows.ts';
import { shellAround } from '../../src/core/json/shell.ts';
import type { Policy } from '../../src/core/model.ts';
import { memorySource } from '../../src/core/source.ts';
import { SectionView } from '../../src/core/strategy.ts';
import { outlineSection } from '../../src/strategies/index.ts';
import { valueOf } from '../../src/strategies/json.ts';
import { recordsOf } from '../../src/strategies/ndjson.ts';

export const HASH = '0123456789ab';

/**
 * Outlines records in windows of `size` bytes and counts the windows; with `around`, a list that has at most so many bytes
 * before it and behind it, where that can be.
 */
export function inWindows(size: number, seen: { windows: number }, around?: number): Outliner {
  return (index, section, policy) => {
    const [outline, ...more] = outlineSection(index, section, policy);
    const { shape, reason } = outline!;
    const frames: Frame[] = [];
    const outlineInner = (_: unknown, frame: Frame) => {
      frames.push(frame);
      return [];
    };
    const view = new SectionView(index, section, { frame: undefined, outlineInner });
    const windows = windowsOf(view, size, around);
    if (windows === undefined) return [outline!, ...more];
    if (around === undefined) expect(windows.isUnfit).toBe(false);
    else if (windows.isUnfit) return [outline!, ...more];
    seen.windows = Math.max(seen.windows, windows.windows.length);
    const [first] = recordOutlines(view, { shape, reason, windows });
    // The outputs in strings are found at the same places.
    const known = more.flatMap(({ frame }) =>
      frame === undefined || frame.outer !== undefined ? [] : [frame],
    );
    expect(placesOf(frames)).toEqual(placesOf(known));
    const byPlace = new Map(known.map((frame) => [placeIn(frame), frame]));
    const outputs = [...first!.outputs!].map(
      ([frame, unit]) => [byPlace.get(placeIn(frame)) ?? frame, unit] as const,
    );
    return [{ ...first!, outputs: new Map(outputs) }, ...more];
  };
}

/** Undefined where the section is neither records nor a list. */
function windowsOf(view: SectionView, size: number, around?: number): RecordWindows | undefined {
  const { index, section } = view;
  const { from, to } = section;
  const value = valueOf(view);
  if (value?.kind === 'tape') {
    const { tape, base } = value;
    if (around !== undefined) {
      const span = [base + tape.start[0]!, index.starts[to]!] as const;
      const shell = tape.isTorn || tape.kind[0] !== OBJECT ? undefined : shellAround(index, span, around);
      return shell && new RecordWindows(index, shell.elements, 'list', { most: size, shell });
    }
    const isLong = tape.kind[0] === ARRAY && tape.size[0]! > 12 && !tape.isTorn;
    return isLong
      ? new RecordWindows(index, [base + tape.start[0]!, index.starts[to]!], 'list', { most: size })
      : undefined;
  }
  if (recordsOf(view) === undefined) return undefined;
  const prefixed = section.kind === 'lines' && isPrefixed(index, from, to);
  return new RecordWindows(index, [from, to], prefixed ? 'prefixed' : 'lines', { most: size });
}

function placesOf(frames: readonly Frame[]): string[] {
  return [...new Set(frames.map(placeIn))].sort();
}

export function viewOf(input: Uint8Array, policy: Policy, outliner: Outliner) {
  const made = compress(memorySource(input), policy, () => HASH, outliner);
  if (made.kind === 'passthrough') return made;
  return { text: Buffer.concat(made.chunks).toString('latin1'), gaps: made.gaps };
}

function placeIn({ placeOf, path }: Frame): string {
  return `${placeOf(0)} ${JSON.stringify(path)}`;
}
