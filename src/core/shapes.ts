import { latin1 } from './chars.ts';
import { failureOf } from './failures.ts';
import { Field } from './fields.ts';
import { classOf, levelOf, wideGaps } from './line-class.ts';
import type { LineView, ShapeIds } from './lines.ts';
import { estimateTokens } from './tokens.ts';
import { Templates, Words } from './templates.ts';

/** Likeness of the words at the two coarser template levels; the exact shape is the third. */
const COARSE = 0.6;
const MIDDLE = 0.8;
/** From this many shapes on, new ones are told apart by their first words only: such a text has no templates. */
const MOST_SHAPES = 60_000;
const MOST_FIELDS = 20_000;
/** Of a long line this much is read for its words and class. */
const HEAD = 4096;

/** What is known of a shape: everything that its lines share. */
export interface ShapeInfo {
  readonly severity: number;
  readonly bits: number;
  readonly gaps: number;
  readonly level: number;
  readonly coarse: number;
  readonly middle: number;
  readonly words: Int32Array;
  /** Estimated tokens a byte, line end included. */
  readonly density: number;
  readonly fields: readonly (Field | undefined)[];
}

/** The shapes of the lines of an input, with their templates and the fields of their numbers. */
export class Shapes implements ShapeIds {
  readonly infos: ShapeInfo[] = [];
  /** Lines of each shape. */
  readonly counts: number[] = [];
  readonly words = new Words();
  readonly coarse = new Templates(COARSE);
  readonly middle = new Templates(MIDDLE);
  /** Fields of numbers by coarse template and place in the line. */
  readonly fields: Field[] = [];
  private readonly fieldOf = new Map<number, Field>();
  private table = new Int32Array(3 * 4096);
  private mask = 4095;

  id(high: number, low: number, line: LineView): number {
    const { table, mask } = this;
    let slot = (high ^ (low >>> 13)) & mask;
    for (;;) {
      const at = slot * 3;
      const found = table[at + 2]!;
      if (found === 0) break;
      if (table[at] === high && table[at + 1] === low) {
        this.counts[found - 1]! += 1;
        return found - 1;
      }
      slot = (slot + 1) & mask;
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

  private add(high: number, low: number, info: ShapeInfo): number {
    const id = this.infos.length;
    this.infos.push(info);
    this.counts.push(1);
    if (this.infos.length * 2 > this.mask) this.grow();
    this.place(high, low, id + 1);
    return id;
  }

  private place(high: number, low: number, entry: number): void {
    let slot = (high ^ (low >>> 13)) & this.mask;
    while (this.table[slot * 3 + 2] !== 0) slot = (slot + 1) & this.mask;
    this.table.set([high, low, entry], slot * 3);
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
    const text = latin1(bytes, start, end);
    const head = text.length > HEAD ? text.slice(0, HEAD) : text;
    const words = this.words.of(head.slice(body - start));
    const coarse = this.coarse.assign(words);
    const size = Math.min(end + 1, start + HEAD, bytes.length) - start;
    return {
      severity: failureOf(text),
      bits: classOf(head, body - start),
      gaps: Math.min(255, wideGaps(head)),
      level: levelOf(head),
      coarse,
      middle: this.middle.assign(words),
      words,
      density: estimateTokens(bytes, start, start + size) / Math.max(1, size),
      fields: this.fieldsOf(coarse, line),
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

  /** The shape of a line among too many shapes: by its class, its severity and its first word. */
  private crowded(line: LineView): number {
    const text = latin1(line.bytes, line.start, Math.min(line.end, line.start + HEAD));
    const severity = failureOf(text);
    const bits = classOf(text, line.body - line.start);
    const first = /\S{0,16}/.exec(text.slice(line.body - line.start).trimStart())![0].replace(/\d+/g, '#');
    let hash = 7;
    for (let i = 0; i < first.length; i += 1) hash = (Math.imul(hash, 31) + first.charCodeAt(i)) | 0;
    const high = (hash & 0xffff) | 0x5a000000;
    const low = (severity << 16) | bits;
    const { table, mask } = this;
    for (let slot = (high ^ (low >>> 13)) & mask; table[slot * 3 + 2] !== 0; slot = (slot + 1) & mask) {
      if (table[slot * 3] === high && table[slot * 3 + 1] === low) {
        const found = table[slot * 3 + 2]! - 1;
        this.counts[found]! += 1;
        return found;
      }
    }
    return this.add(high, low, { ...this.describe(line), fields: [] });
  }
}
