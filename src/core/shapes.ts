import { latin1 } from './chars.ts';
import { Field } from './fields.ts';
import { BLANK_LINE, classOf, INDENTED, STAMPED } from './line-class.ts';
import type { LineView, ShapeIds } from './lines.ts';
import { severityAt } from './failures.ts';
import { Templates } from './templates.ts';

/** Likeness of the words at the two coarser template levels; the exact shape is the third. */
const COARSE = 0.6;
const MIDDLE = 0.8;
/** From this many shapes on, new ones are told apart by their first words only: such a text has no templates. */
const MOST_SHAPES = 60_000;
const MOST_FIELDS = 20_000;
/** Of a long line this much is read for its class. */
const HEAD = 1000;

/** What is known of a shape: everything that its lines share. */
export interface ShapeInfo {
  readonly severity: number;
  readonly bits: number;
  readonly coarse: number;
  readonly middle: number;
  /** See `LineView.words`. */
  readonly words: Int32Array;
  readonly fields: readonly (Field | undefined)[];
}

/** The shapes of the lines of an input, with their templates and the fields of their numbers. */
export class Shapes implements ShapeIds {
  readonly infos: ShapeInfo[] = [];
  /** Lines of each shape. */
  readonly counts: number[] = [];
  readonly coarse = new Templates(COARSE);
  readonly middle = new Templates(MIDDLE);
  /** Fields of numbers by coarse template and place in the line. */
  readonly fields: Field[] = [];
  private readonly fieldOf = new Map<number, Field>();
  private table = new Int32Array(3 * 1024);
  private mask = 1023;

  id(high: number, low: number, line: LineView): number {
    const found = this.find(high, low);
    if (found >= 0) {
      this.counts[found]! += 1;
      return found;
    }
    if (this.infos.length >= MOST_SHAPES) return this.crowded(line);
    return this.add(high, low, this.describe(line));
  }

  numbers(shape: number, index: number, line: LineView): void {
    const { fields } = this.infos[shape]!;
    for (let i = 0; i < line.numbers && i < fields.length; i += 1) {
      const field = fields[i];
      if (field === undefined) continue;
      if (line.measures[i] === 1) field.measure = true;
      field.number(line.values[i]!, index);
    }
  }

  private find(high: number, low: number): number {
    const { table, mask } = this;
    for (let slot = (high ^ (low >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 3;
      const entry = table[at + 2]!;
      if (entry === 0) return -1;
      if (table[at] === high && table[at + 1] === low) return entry - 1;
    }
  }

  private add(high: number, low: number, info: ShapeInfo): number {
    const id = this.infos.length;
    this.infos.push(info);
    this.counts.push(1);
    if (this.infos.length * 2 > this.mask) this.grow();
    this.place(high, low, id + 1);
    return id;
  }

  private place(high: number, low: number, entry: number): void {
    const { table, mask } = this;
    let slot = (high ^ (low >>> 13)) & mask;
    while (table[slot * 3 + 2] !== 0) slot = (slot + 1) & mask;
    table[slot * 3] = high;
    table[slot * 3 + 1] = low;
    table[slot * 3 + 2] = entry;
  }

  private grow(): void {
    const old = this.table;
    this.mask = this.mask * 2 + 1;
    this.table = new Int32Array(3 * (this.mask + 1));
    for (let at = 0; at < old.length; at += 3) {
      if (old[at + 2] !== 0) this.place(old[at]!, old[at + 1]!, old[at + 2]!);
    }
  }

  private describe(line: LineView): ShapeInfo {
    const { bytes, start, end, body } = line;
    const words = line.words.slice(0, line.wordCount);
    const coarse = this.coarse.assign(words);
    return {
      severity: severityAt(bytes, start, end, body),
      bits: classOfLine(line),
      coarse,
      middle: this.middle.assign(words),
      words,
      fields: body > end ? [] : this.fieldsOf(coarse, line),
    };
  }

  private fieldsOf(coarse: number, line: LineView): readonly (Field | undefined)[] {
    const fields: (Field | undefined)[] = [];
    for (let i = 0; i < line.numbers; i += 1) {
      const key = coarse * 65536 + line.slots[i]!;
      let field = this.fieldOf.get(key);
      if (field === undefined && this.fields.length < MOST_FIELDS) {
        field = new Field();
        this.fieldOf.set(key, field);
        this.fields.push(field);
      }
      fields.push(field);
    }
    return fields;
  }

  /** The shape of a line among too many shapes: by its severity and its first word. */
  private crowded(line: LineView): number {
    const high = ((line.words[0] ?? 0) & 0xffff) | 0x5a000000;
    const low =
      (severityAt(line.bytes, line.start, line.end, line.body) << 8) | (line.body > line.start ? 1 : 0);
    const found = this.find(high, low);
    if (found < 0) return this.add(high, low, { ...this.describe(line), fields: [] });
    this.counts[found]! += 1;
    return found;
  }
}

/** Time-stamped lines are what they are; of others the class is looked for. */
function classOfLine({ bytes, start, end, body }: LineView): number {
  const indented = bytes[start] === 32 || bytes[start] === 9 ? INDENTED : 0;
  if (body > start) {
    let at = body;
    while (at < end && (bytes[at] === 32 || bytes[at] === 9)) at += 1;
    return STAMPED | (at >= end ? BLANK_LINE : 0);
  }
  const head = latin1(bytes, start, Math.min(end, start + HEAD));
  return classOf(head) | indented;
}
