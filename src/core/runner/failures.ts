import type { Block } from '../blocks.ts';
import type { ShapedLines } from '../shaped-lines.ts';
import { FRAME } from '../trace/frames.ts';
import { framesOf, shownLines } from '../trace/shown.ts';
import type { Reading } from './extent.ts';
import { ROLE } from './roles.ts';

/** Distinct failures of one kind that stay; more of them count as the same by their template. */
const DISTINCT = 50;
/** Lines of a failure that stay: the first and the last, and between them what says what is wrong. */
const FIRST = 45;
const LAST = 12;
const SAYING = 100;

/** What says what is wrong. */
const MESSAGE =
  /^\s*(?:E {2,}|>  |[-+] |(?:Expected|Received|Actual|expected|actual|got|want|left|right)\b)|error|exception|assert|panicked|mismatch|expected|Fail/i;

/** pytest's own mark of it. */
const ASSERTION = /^\s*E {2,}\S/;

interface Found {
  readonly head: number;
  readonly severity: 1 | 2;
  readonly role: number;
  readonly message: string;
  readonly template: number;
  readonly body: readonly number[];
}

/** Gathers the failures of a section. */
export class Failures {
  private readonly found: Found[] = [];
  private readonly reading: Reading;
  private readonly lines: ShapedLines;
  /** Lines that belong to a failure already. */
  private taken = 0;

  constructor(reading: Reading, lines: ShapedLines) {
    this.reading = reading;
    this.lines = lines;
  }

  /** Takes the failure that line `head` names; gives the lines that say nothing beside it. */
  take(head: number, [from, to]: readonly [number, number]): number[] {
    const { roles, textOf, isBlank } = this.reading;
    const start = Math.max(from, Math.min(head, this.taken));
    const all = Array.from({ length: to - start }, (_, i) => start + i);
    const texts = all.map(textOf);
    const frames = framesOf(texts);
    const shown = shownLines(texts, (line) => this.lines.kind[start + line]!);
    const plain = all.filter((_, i) => frames[i] === FRAME.none);
    const kept = new Set(plain.slice(0, FIRST));
    for (const line of plain.slice(-LAST)) kept.add(line);
    let saying = 0;
    for (const line of plain) {
      if (saying < SAYING && !kept.has(line) && MESSAGE.test(texts[line - start]!)) {
        kept.add(line);
        saying += 1;
      }
    }
    const body = all.filter(
      (line, i) => line !== head && (kept.has(line) || (frames[i] !== FRAME.none && shown[i] === 1)),
    );
    const says = (pattern: RegExp) =>
      all.find(
        (line, i) => line !== head && !isBlank(line) && frames[i] === FRAME.none && pattern.test(texts[i]!),
      );
    const message = says(ASSERTION) ?? says(MESSAGE) ?? head;
    this.found.push({
      head,
      severity: 2,
      role: roles[head]!,
      message: normal(textOf(message)),
      template: this.lines.shapes.infos[this.lines.kind[message]!]!.coarse,
      body,
    });
    this.taken = Math.max(this.taken, to);
    return all.filter((line, i) => line === head || frames[i] !== FRAME.none || kept.has(line));
  }

  /** The first of tests that were skipped, expected to fail, or flaky. */
  first(head: number, role: number): void {
    this.found.push({ head, severity: 1, role, message: '', template: 0, body: [] });
  }

  /** The failures with the keys of those that say the same. */
  blocks(): Block[] {
    const keys = new Map<string, number>();
    const distinct = new Map<number, Set<string>>();
    return this.found.map(({ head, severity, role, message, template, body }) => {
      const family = FAMILY.get(role) ?? role;
      const seen = distinct.get(family) ?? new Set();
      distinct.set(family, seen);
      const isOwn = seen.has(message) || seen.size < DISTINCT;
      if (isOwn) seen.add(message);
      const name = isOwn ? `${family} ${message}` : `${family}#${template}`;
      const key = keys.get(name) ?? keys.size;
      keys.set(name, key);
      return { head, severity, key, body };
    });
  }
}

/** Failures with all they say are of one kind, whoever says it. */
const FAMILY = new Map<number, number>([
  [ROLE.failedReport, ROLE.failed],
  [ROLE.failedAbove, ROLE.failed],
]);

/** A message without addresses and durations. */
function normal(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/0x[0-9a-f]+/g, '0x')
    .replace(/\d+(?:\.\d+)? ?m?s\b/g, '0s');
}
