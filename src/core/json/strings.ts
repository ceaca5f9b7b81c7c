import { latin1 } from '../chars.ts';
import type { Frame } from '../frame.ts';
import { countCharacters, longCuts, type Places } from '../long-lines.ts';
import type { Source } from '../model.ts';
import type { Hole } from '../outline.ts';
import { NUMBERS } from '../policy.ts';
import { memorySource } from '../source.ts';
import { decodeString } from './decode.ts';
import type { JsonPlaces } from './place.ts';
import { longStrings, type Tape } from './tape.ts';
import { hashKey, type JsonUnits } from './units.ts';

/** A string that holds the output of a tool; it is compressed inside. */
export interface OutputString {
  readonly unit: number;
  readonly source: Source;
  readonly frame: Frame;
}

/** The units of outputs by their frames. */
export function framesOf(outputs: readonly OutputString[]): ReadonlyMap<Frame, number> {
  return new Map(outputs.map(({ frame, unit }) => [frame, unit]));
}

/** Keys of what tools print. */
const OUTPUT_KEYS = new Set(
  'stdout stderr output content text result results logs data body diff patch'.split(' ').map(hashKey),
);
const LEAST_OUTPUT = 500;
const LEAST_LINES = 4;
/** Any other string of so many bytes and lines, if its object holds little else. */
const LEAST_UNNAMED = 2000;
const LEAST_UNNAMED_LINES = 12;
/** Where more units than this have long strings, they are records as any other. */
const MOST_UNNAMED = 8;
/** Bytes of the strings that hold the output of tools, among the values `[from, to)`. */
export function outputBytes(tape: Tape, from = 0, to = tape.count): number {
  let bytes = 0;
  for (const n of longStrings(tape, LEAST_OUTPUT))
    if (n >= from && n < to && isOutput(tape, n) !== 'no') bytes += tape.end[n]! - tape.start[n]!;
  return bytes;
}

/** `named`: by its key; `long`: by what it is; each with several lines, or with JSON. */
function isOutput(tape: Tape, node: number): 'named' | 'long' | 'no' {
  const { bytes, start, end, keyHash, key, parent } = tape;
  const hash = key[node] === 0 ? (keyHash[parent[node]!] ?? 0) : keyHash[node]!;
  const isNamed = OUTPUT_KEYS.has(hash);
  const lines = lineCount(bytes, start[node]!, end[node]!);
  if (lines >= (isNamed ? LEAST_LINES : LEAST_UNNAMED_LINES) || holdsJson(tape, node))
    return isNamed ? 'named' : end[node]! - start[node]! >= LEAST_UNNAMED ? 'long' : 'no';
  return 'no';
}

/** Does the string begin and end as a list or an object does? */
function holdsJson({ bytes, start, end }: Tape, node: number): boolean {
  const head = latin1(bytes, start[node]! + 1, Math.min(end[node]!, start[node]! + 80));
  const tail = latin1(bytes, Math.max(start[node]! + 1, end[node]! - 20), end[node]!);
  const opening = /^(?:\s|\\+[nrt])*([{[])(?:\s|\\+[nrt])*(?:\\+"|[{[\d\]}]|-\d|true|false|null)/.exec(
    head,
  )?.[1];
  if (opening === undefined) return false;
  return (opening === '{' ? /\}(?:\s|\\+[nrt])*"$/ : /\](?:\s|\\+[nrt])*"$/).test(tail);
}

/** Strings in strings in strings are read so deep. */
const DEEPEST = 4;

interface Around {
  /** The place in the source of an offset in the tape. */
  readonly placeOf: (offset: number) => number;
  readonly places: JsonPlaces;
  readonly frame: Frame | undefined;
}

/** The strings of at least `LEAST_OUTPUT` bytes, by their unit. */
export function longUnits(tape: Tape, units: JsonUnits): Map<number, number[]> {
  const long = new Map<number, number[]>();
  for (const n of longStrings(tape, LEAST_OUTPUT)) {
    const unit = units.ownerOf(n);
    const of = long.get(unit);
    if (of === undefined) long.set(unit, [n]);
    else of.push(n);
  }
  return long;
}

/** The long strings of a tape: outputs, and those that are cut inside. */
export class JsonStrings {
  private readonly tape: Tape;
  private readonly units: JsonUnits;
  private readonly around: Around;
  /** Long strings by their unit. */
  private readonly long: ReadonlyMap<number, readonly number[]>;
  private readonly isOutput = new Set<number>();

  constructor(tape: Tape, units: JsonUnits, around: Around) {
    this.tape = tape;
    this.units = units;
    this.around = around;
    this.long = longUnits(tape, units);
  }

  /** Bytes of each unit with long strings that are not its own; see `hidden`. */
  *allHidden(): Generator<readonly [unit: number, bytes: number]> {
    for (const unit of this.long.keys()) yield [unit, this.hidden(unit)];
  }

  /** The strings that hold outputs; `count` units of the whole text have long ones. */
  outputs(count = this.long.size): OutputString[] {
    const { frame } = this.around;
    if (depthOf(frame) >= DEEPEST) return [];
    const isLog = count > MOST_UNNAMED;
    const outputs: OutputString[] = [];
    for (const [unit, nodes] of this.long) {
      for (const node of nodes) {
        if (!this.holdsOutput(node, unit, isLog)) continue;
        this.isOutput.add(node);
        outputs.push({ unit, ...this.opened(node) });
      }
    }
    return outputs;
  }

  /** Bytes of a unit that are not its own: outputs, and what is cut out of long strings. */
  hidden(unit: number): number {
    const nodes = this.long.get(unit);
    if (nodes === undefined) return 0;
    let bytes = 0;
    for (const node of nodes) {
      const size = this.tape.end[node]! - this.tape.start[node]!;
      if (this.isOutput.has(node)) bytes += size;
      else if (size > NUMBERS.longString) bytes += size - NUMBERS.longHead - NUMBERS.longTail - 60;
    }
    return bytes;
  }

  /** The parts of the long strings of a unit that go. */
  parts(unit: number, places: Places): Hole[] {
    const { start, end } = this.tape;
    return (this.long.get(unit) ?? [])
      .filter((node) => !this.isOutput.has(node) && end[node]! - start[node]! > NUMBERS.longString)
      .flatMap((node) => this.cuts(node, places));
  }

  private cuts(node: number, places: Places): Hole[] {
    const { source, frame } = this.opened(node);
    const text = source.read(0, source.length);
    const hasLines = text.includes(10);
    return longCuts(text, places).map(({ start, end, failures }) => {
      const first = countCharacters(text.subarray(0, start), true) + 1;
      const count = countCharacters(text.subarray(start, end), true);
      return {
        start: frame.placeOf(start),
        end: frame.placeOf(end),
        ...(!hasLines &&
          frame.path !== undefined && {
            address: {
              kind: 'inside',
              path: frame.path,
              inner: { kind: 'chars', line: 1, from: first, to: first + count - 1 },
            },
          }),
        count,
        unit: 'chars',
        values: [],
        failures,
        before: '',
        after: '',
      };
    });
  }

  private opened(node: number): { source: Source; frame: Frame } {
    const { tape, around } = this;
    const torn = tape.isTorn && tape.next[node] === tape.count && tape.bytes[tape.end[node]! - 1] !== 34;
    const decoded = decodeString(tape.bytes, tape.start[node]! + 1, tape.end[node]! - (torn ? 0 : 1));
    const path = around.places.address(node, node);
    // A frame outlives the tape.
    const { placeOf } = around;
    const frame: Frame = {
      placeOf: (offset) => placeOf(decoded.placeOf(offset)),
      ...(around.frame !== undefined && { outer: around.frame }),
      ...(path !== undefined && { path }),
    };
    return { source: memorySource(decoded.bytes), frame };
  }

  private holdsOutput(node: number, unit: number, isLog: boolean): boolean {
    const kind = isOutput(this.tape, node);
    if (kind !== 'long') return kind === 'named';
    const { start, end } = this.tape;
    const whole = this.units.nodes[unit]!;
    return !isLog && (end[node]! - start[node]!) * 2 > end[whole]! - start[whole]!;
  }
}

function depthOf(frame: Frame | undefined): number {
  let depth = 0;
  for (let at = frame; at !== undefined; at = at.outer) depth += 1;
  return depth;
}

/** Escaped line feeds, up to a few. */
function lineCount(b: Uint8Array, start: number, end: number): number {
  const text = b.subarray(start, end);
  let lines = 0;
  for (let at = text.indexOf(92); at >= 0 && lines < 20; at = text.indexOf(92, at + 2)) {
    if (text[at + 1] === 110) lines += 1;
  }
  return lines;
}
