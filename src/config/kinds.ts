import { nearest } from './nearest.ts';
import { readPatterns, splitPatterns, PATTERN_ALLOWED } from './patterns.ts';
import { fault, quoted, type Reading } from './problems.ts';

/** A type of value in the configuration. */
export interface Kind<T> {
  /** What may stand there, for messages and docs. */
  readonly allowed: string;
  /** Checks a plain value as YAML or JSON gives it; never throws. */
  readonly read: (value: unknown) => Reading<T>;
  /** Turns the text of a variable or flag into a plain value for `read`. */
  readonly fromText: (text: string) => unknown;
  /** The value as the user would write it. */
  readonly show: (value: T) => string;
}

const MAX_PATH_CHARS = 4096;

/** `true` or `false`; in the environment also `1` and `0`. */
export const truth: Kind<boolean> = {
  allowed: 'true or false',
  read: (value) => (typeof value === 'boolean' ? { value, faults: [] } : wrong(value, truth.allowed)),
  fromText: (text) => {
    const lower = text.toLowerCase();
    if (lower === 'true' || lower === '1') return true;
    return lower === 'false' || lower === '0' ? false : text;
  },
  show: String,
};

/** A whole number from 0. */
export const count: Kind<number> = {
  allowed: 'a whole number, 0 or more',
  read: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? { value, faults: [] }
      : wrong(value, count.allowed),
  fromText: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text),
  show: String,
};

const MS_PER_UNIT = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;
const MAX_DURATION_MS = 3650 * MS_PER_UNIT.d;

/** A duration as `7d`, `12h` or `30m`; the value is in milliseconds. A bare number has no unit and is refused. */
export const duration: Kind<number> = {
  allowed: 'a number with s, m, h, d or w, as in 30m or 7d, from 1s to 3650d',
  read: (value) => {
    const match =
      typeof value === 'string' ? /^(\d{1,9}(?:\.\d{1,3})?)\s*([smhdw])$/.exec(value.trim()) : null;
    const perUnit = Object.entries(MS_PER_UNIT).find(([unit]) => unit === match?.[2])?.[1];
    const ms = match && perUnit ? Math.round(Number(match[1]) * perUnit) : 0;
    return ms >= 1000 && ms <= MAX_DURATION_MS ? { value: ms, faults: [] } : wrong(value, duration.allowed);
  },
  fromText: (text) => text,
  show: (ms) => {
    const [unit, perUnit] = Object.entries(MS_PER_UNIT).find(
      ([name, per]) => name !== 'w' && ms % per === 0,
    ) ?? ['s', 1000];
    return `${ms / perUnit}${unit}`;
  },
};

// Largest first; a size is shown in the first unit that divides it.
const BYTES_PER_UNIT: ReadonlyArray<readonly [string, number]> = [
  ['TiB', 2 ** 40],
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
  ['B', 1],
];

/** A size as `1GiB` (binary), `512MB` (decimal) or a number of bytes. */
export const size: Kind<number> = {
  allowed: 'a number of bytes, or one with KB, MB, GB, TB, KiB, MiB, GiB or TiB, 1 byte or more',
  read: (value) => {
    const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
    const match = /^(\d{1,16}(?:\.\d{1,3})?)\s*([a-z]*)$/i.exec(text);
    const unit = (match?.[2] || 'B').toLowerCase();
    const perUnit = BYTES_PER_UNIT.find(([name]) => name.toLowerCase() === unit)?.[1] ?? 0;
    const bytes = match ? Math.round(Number(match[1]) * perUnit) : 0;
    return bytes >= 1 && Number.isSafeInteger(bytes)
      ? { value: bytes, faults: [] }
      : wrong(value, size.allowed);
  },
  fromText: (text) => text,
  show: (bytes) => {
    const [unit, perUnit] = BYTES_PER_UNIT.find(([, per]) => bytes % per === 0) ?? ['B', 1];
    return `${bytes / perUnit}${unit}`;
  },
};

/** One word of a list. Words of the design that this version lacks are told apart from words that make no sense. */
export function word<T extends string>(available: readonly T[]): Kind<T> {
  const allowed = available.join(', ');
  return {
    allowed,
    read: (value) => {
      const known = available.find((candidate) => candidate === value);
      if (known !== undefined) return { value: known, faults: [] };
      if (typeof value !== 'string') return wrong(value, allowed);
      const meant = nearest(value, available);
      const hint = meant === undefined ? '' : `, did you mean ${meant}?`;
      return { faults: [fault(`${quoted(value)} is not known${hint}`, allowed)] };
    },
    fromText: (text) => text,
    show: String,
  };
}

/** A path; where it may point depends on where it was set (see `paths.ts`). */
export const path: Kind<string | null> = {
  allowed: 'a path, or null',
  read: (value) => {
    const isPath = typeof value === 'string' && value.trim() !== '' && value.length <= MAX_PATH_CHARS;
    return isPath && !value.includes('\0') ? { value, faults: [] } : wrong(value, path.allowed);
  },
  fromText: (text) => text,
  show: (value) => value ?? 'null',
};

/** A list of keep patterns. */
export const patterns: Kind<readonly string[]> = {
  allowed: `a list of: ${PATTERN_ALLOWED}`,
  read: readPatterns,
  fromText: splitPatterns,
  show: (value) => JSON.stringify(value),
};

/** The reading of a value that is of no use. */
export function wrong(value: unknown, allowed: string): Reading<never> {
  return { faults: [fault(`${quoted(value)} is not allowed here`, allowed)] };
}
