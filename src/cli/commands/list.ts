import { formatSize } from '../../app/expand-words.ts';
import { printable } from '../../core/address.ts';
import type { Entry } from '../../store/port.ts';
import type { Wire } from '../../wire.ts';
import { say, writeOut } from '../io.ts';
import { NO_STORE, openStore } from './store.ts';

/** `ctxzip list`: the originals of the store, latest first. */
export async function listCommand(wire: Wire, options: { readonly json?: boolean }): Promise<number> {
  const opened = await openStore(wire);
  if (opened === undefined) {
    say(NO_STORE);
    return 1;
  }
  const entries = (await opened.store.list()).toSorted(
    (a, b) => b.facts.createdMs - a.facts.createdMs || (a.sha < b.sha ? -1 : 1),
  );
  const trouble = await opened.store.trouble();
  await opened.store.close();
  if (trouble !== undefined) say(`a part of the store can't be read: ${trouble.message}`);
  if (options.json === true) {
    writeOut(`${JSON.stringify(entries.map(jsonOf), null, 2)}\n`);
    return 0;
  }
  if (entries.length === 0) say('the store is empty');
  else writeOut(table(entries, wire.now()));
  return 0;
}

function jsonOf({ sha, size, expiresMs, facts, where }: Entry): object {
  const { createdMs, ...rest } = facts;
  return {
    hash: sha,
    bytes: size,
    created: new Date(createdMs).toISOString(),
    expires: new Date(expiresMs).toISOString(),
    where,
    ...rest,
  };
}

function table(entries: readonly Entry[], nowMs: number): string {
  const rows = entries.map(({ sha, size, facts, expiresMs }) => [
    sha.slice(0, 12),
    formatSize(size),
    `${span(nowMs - facts.createdMs)} ago`,
    expiresMs <= nowMs ? 'expired' : `in ${span(expiresMs - nowMs)}`,
    printable(facts.command ?? facts.tool ?? '-').slice(0, 80),
  ]);
  const all = [['HASH', 'SIZE', 'STORED', 'EXPIRES', 'COMMAND'], ...rows];
  const widths = [0, 1, 2, 3].map((c) => Math.max(...all.map((row) => row[c]!.length)));
  return all
    .map((row) => `${row.map((cell, c) => (c < 4 ? cell.padEnd(widths[c]!) : cell)).join('  ')}\n`)
    .join('');
}

/** A span of time in its largest unit: `12s`, `5m`, `3h`, `6d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}
