/**
 * When the cap can't be met. gc leaves a note of what it could not make room for, because all of it is younger than an
 * hour; the note counts until the first of it may be evicted. So the pipe need not count the store before each commit:
 * between two runs of gc it can overshoot by what starts a gc (64 MiB) and one original.
 */
import { readSmall, replaceFile, unlinkIfThere } from './files.ts';
import type { Folder } from './folder.ts';

/** Nothing younger is evicted. */
export const YOUNG_MS = 3_600_000;

/** Writes or removes the note. */
export function noteFull(folder: Folder, untilMs: number | undefined): void {
  if (untilMs === undefined) unlinkIfThere(folder.full);
  else replaceFile(folder, folder.full, Buffer.from(String(Math.ceil(untilMs))), 'lazy');
}

/** Why `size` bytes more are not taken; undefined when they are. */
export function fullReason(
  folder: Folder,
  size: number,
  limits: { readonly nowMs: number; readonly maxBytes?: number },
): string | undefined {
  const { nowMs, maxBytes = 0 } = limits;
  if (maxBytes <= 0) return undefined;
  if (size > maxBytes)
    return `the input of ${size} bytes is larger than the store may grow (${maxBytes} bytes)`;
  const untilMs = Number(readSmall(folder.full)?.toString() ?? 0);
  // A note from a clock that was ahead does not count.
  const counts = untilMs > nowMs && untilMs <= nowMs + YOUNG_MS;
  return counts ? `the store holds its ${maxBytes} bytes, and all of it is younger than an hour` : undefined;
}
