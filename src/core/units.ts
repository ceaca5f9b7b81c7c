import { CLASS, DIGIT, LETTER } from './chars.ts';

/** Units of measure that follow a number, with their factor to seconds or bytes. */
const SCALES: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-9],
  ['us', 1e-6],
  ['\xc2\xb5s', 1e-6],
  ['\xce\xbcs', 1e-6],
  ['ms', 1e-3],
  ['s', 1],
  ['sec', 1],
  ['secs', 1],
  ['m', 60],
  ['min', 60],
  ['h', 3600],
  ['d', 86400],
  ['B', 1],
  ['b', 1],
  ['K', 1024],
  ['k', 1024],
  ['kB', 1000],
  ['KB', 1024],
  ['Ki', 1024],
  ['KiB', 1024],
  ['M', 1048576],
  ['MB', 1048576],
  ['Mi', 1048576],
  ['MiB', 1048576],
  ['G', 1073741824],
  ['GB', 1073741824],
  ['Gi', 1073741824],
  ['GiB', 1073741824],
  ['T', 1099511627776],
  ['TB', 1099511627776],
  ['Ti', 1099511627776],
  ['TiB', 1099511627776],
]);

export interface Unit {
  /** Where the unit ends; where it would start if there is none. */
  end: number;
  scale: number;
}

const result: Unit = { end: 0, scale: 1 };

/** The unit at `at`, directly behind a number. The object that is returned is reused by the next call. */
export function unitAt(b: Uint8Array, at: number, limit: number): Unit {
  result.end = at;
  result.scale = 1;
  if (at >= limit) return result;
  if (b[at] === 37) {
    result.end = at + 1;
    return result;
  }
  let end = at;
  while (end < limit && end - at < 5 && CLASS[b[end]!] === LETTER) end += 1;
  if (end === at || end - at === 5 || (end < limit && (CLASS[b[end]!] === DIGIT || b[end] === 95)))
    return result;
  const scale = scaleOf(b, at, end);
  if (scale === undefined) return result;
  result.end = end;
  result.scale = scale;
  return result;
}

const known = new Map<number, number | undefined>();

function scaleOf(b: Uint8Array, at: number, end: number): number | undefined {
  let key = 0;
  for (let p = at; p < end; p += 1) key = key * 256 + b[p]!;
  if (!known.has(key)) {
    if (known.size > 4096) known.clear();
    known.set(key, SCALES.get(String.fromCharCode(...b.subarray(at, end))));
  }
  return known.get(key);
}
