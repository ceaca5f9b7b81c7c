/**
 * What is left of originals that are gone, as JSON lines in one file beside LMDB, so that it outlives a damaged one. Only
 * the holder of the maintenance lock writes it. The last line of an original counts.
 */
import { closeSync, constants, fstatSync, fsyncSync, openSync } from 'node:fs';
import { readSmall, replaceFile, writeFully } from './files.ts';
import type { Folder } from './folder.ts';
import { isSha } from './hash.ts';
import type { Sha, Tombstone } from './port.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
const KEPT_MOST = 5_000;
const COMMAND_CHARS = 500;

/** Adds tombstones; they are durable before what they stand for is removed. */
export function bury(folder: Folder, stones: readonly Tombstone[]): void {
  if (stones.length === 0) return;
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(folder.tombstones, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    // The first newline ends a line that a crash or a full disk cut short.
    writeFully(fd, Buffer.from(`\n${stones.map(encode).join('\n')}\n`), fstatSync(fd).size);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The tombstones of the originals whose hash starts with `prefix`, at most 30 days old. */
export function findTombstones(folder: Folder, prefix: string, nowMs: number): Tombstone[] {
  const found = new Map<Sha, Tombstone>();
  for (const stone of readStones(folder, prefix)) found.set(stone.sha, stone);
  return [...found.values()].filter((stone) => nowMs - stone.goneMs <= KEPT_MS);
}

/** How many originals have a tombstone. */
export function countTombstones(folder: Folder): number {
  return new Set(readStones(folder, '').map((stone) => stone.sha)).size;
}

/** Drops what is over 30 days old or over 5,000, and the stones of `erased`; rewrites the file only if that changes it. */
export function pruneTombstones(folder: Folder, nowMs: number, erased: ReadonlySet<Sha> = new Set()): void {
  const all = readStones(folder, '');
  const kept = keptStones(
    all.filter((stone) => !erased.has(stone.sha)),
    nowMs,
  );
  if (kept.length === all.length) return;
  const text = kept.map((stone) => `${encode(stone)}\n`).join('');
  replaceFile(folder, folder.tombstones, Buffer.from(text), 'sync');
}

/** The last tombstone of each original, at most 30 days old, the latest 5,000; in the order of their burial. */
export function keptStones(stones: readonly Tombstone[], nowMs: number): Tombstone[] {
  const last = new Map<Sha, Tombstone>();
  for (const stone of stones) {
    last.delete(stone.sha);
    last.set(stone.sha, stone);
  }
  return [...last.values()].filter((stone) => nowMs - stone.goneMs <= KEPT_MS).slice(-KEPT_MOST);
}

/** A tombstone for an original that goes now, or went when it expired. */
export function tombstoneOf(
  entry: { readonly sha: Sha; readonly size: number; readonly facts: { readonly command?: string } },
  why: Tombstone['why'],
  goneMs: number,
): Tombstone {
  const command = entry.facts.command?.slice(0, COMMAND_CHARS);
  return { sha: entry.sha, size: entry.size, goneMs, why, ...(command === undefined ? {} : { command }) };
}

function encode(stone: Tombstone): string {
  const { sha, ...rest } = stone;
  return JSON.stringify({ sha, ...rest });
}

function readStones(folder: Folder, prefix: string): Tombstone[] {
  const lines = (readSmall(folder.tombstones)?.toString() ?? '').split('\n');
  return lines.filter((line) => line.startsWith(`{"sha":"${prefix}`)).flatMap((line) => parse(line) ?? []);
}

function parse(line: string): Tombstone | undefined {
  try {
    const stone = JSON.parse(line) as Tombstone;
    return isSha(stone.sha) ? stone : undefined;
  } catch {
    return undefined;
  }
}
