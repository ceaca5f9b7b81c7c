/** Words that no person chose: hashes, ids, keys, the suffixes of pods. */

/** Does a run of letters and digits look as if it came from a random source? */
export function isRandom(whole: string): boolean {
  const part = whole.slice(0, LOOKED_AT);
  if (/^[0-9a-f]{6,}$/i.test(part) && /\d/.test(part)) return true;
  if (isMixed(part)) return true;
  if (/^[A-Z0-9]+$/.test(part)) return isRandomText(part.replace(/\d+$/, ''), 15);
  const humps = part.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  if (humps.length >= 4 && part.length < humps.length * LEAST_HUMP) return true;
  return humps.some((hump) => isRandomText(hump.toLowerCase(), 4));
}

/** No word is longer. */
const LOOKED_AT = 64;
/** Words of many humps are longer than this on average. */
const LEAST_HUMP = 3.4;

/** Letters and digits by turns: `x7z9s`, `a1b2c3`; `v2`, `k8s`, `sha256`, `PGRST116`, `Ipv4Pool` are names. */
function isMixed(part: string): boolean {
  const runs = part.replace(/(?<=[a-z])\d{1,2}(?=[A-Z][a-z])/g, '').match(/\d+|[A-Za-z]+/g) ?? [];
  const digits = part.replace(/\D/g, '').length;
  return runs.length >= 4 || (runs.length === 3 && part.length >= 5) || (digits > 6 && digits < part.length);
}

/** Letters of one case, of `least` or more, without the vowels that words have. */
function isRandomText(letters: string, least: number): boolean {
  if (letters.length <= least) return false;
  const vowels = letters.replace(/[^aeiouy]/gi, '').length / letters.length;
  const longest = Math.max(0, ...(letters.match(/[^aeiouy]+/gi) ?? []).map((run) => run.length));
  return vowels < 0.13 || vowels > 0.8 || longest > 5;
}
