/** Numbers and spans in few columns. */

/** `9,999`, `12.3k`, `1.23M`. */
export function count(n: number): string {
  if (n < 0) return `-${count(-n)}`;
  if (n < 10_000) return String(Math.round(n)).replace(/(\d)(\d{3})$/, '$1,$2');
  return scaled(n, 1000, ['', 'k', 'M', 'G', 'T']);
}

/** `512 B`, `1.20 KB`, `64.0 MB`; a KB is 1,024 bytes. */
export function bytes(n: number): string {
  return n < 1024 ? `${Math.round(Math.max(0, n))} B` : scaled(n, 1024, ['', ' KB', ' MB', ' GB', ' TB']);
}

/** Three digits and a unit. */
function scaled(n: number, base: number, units: readonly string[]): string {
  let value = n;
  let unit = 0;
  while (value >= 999.5 && unit + 1 < units.length) {
    value /= base;
    unit += 1;
  }
  const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return `${value.toFixed(digits)}${units[unit]!}`;
}

/** A span in its largest unit: `12s`, `5m`, `3h`, `6d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)}h` : `${Math.round(seconds / 86_400)}d`;
}

/** `0.42 ms`, `12.3 ms`, `1.20 s`. */
export function took(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(ms < 9.995 ? 2 : 1)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** The share that was saved: `93%`. */
export function percent(before: number, after: number): string {
  return before <= 0 ? '-' : `${Math.round((100 * (before - after)) / before)}%`;
}

/** A rate a second: `0`, `0.25`, `12.3`, `1,200`; `-` where it is not known. */
export function rate(perSecond: number | undefined): string {
  if (perSecond === undefined) return '-';
  if (perSecond >= 100) return count(perSecond);
  return perSecond === 0 ? '0' : perSecond.toFixed(perSecond < 9.995 ? 2 : 1);
}

/** For terminals that can show no more; as many columns, where all is narrow. */
export function asciiOnly(text: string): string {
  return text.replaceAll('…', '~').replace(/[^\x00-\x7f]/gu, '?');
}

const STEPS = ['▁▂▃▄▅▆▇█', '.:-=+*#@'] as const;

/** A character a value, as high as its share of the largest; 0 is a blank. */
export function spark(values: readonly number[], isAscii: boolean): string {
  const steps = STEPS[isAscii ? 1 : 0];
  const most = Math.max(...values, 0);
  const step = (value: number): string =>
    value <= 0 ? ' ' : steps[Math.min(7, Math.floor((value / most) * 8))]!;
  return values.map(step).join('');
}

/** A bar of `width` characters; what is not empty shows, and only what is full is full. */
export function bar(share: number, width: number, isAscii: boolean): string {
  const full =
    share <= 0 ? 0 : share >= 1 ? width : Math.min(width - 1, Math.max(1, Math.round(share * width)));
  const [on, off] = isAscii ? ['#', '.'] : ['█', '░'];
  return on.repeat(full) + off.repeat(width - full);
}
