import { formatSize } from '../../app/expand-words.ts';
import { printable } from '../../core/address.ts';
import type { Entry } from '../../store/port.ts';
import type { Wire } from '../../wire.ts';
import { say, writeOut } from '../io.ts';
import { manifest } from './manifest.ts';
import { span, took } from './spans.ts';
import { NO_STORE, openStore } from './store.ts';

const FOLDER_CHARS = 32;

interface ListOptions {
  readonly json?: boolean;
  readonly md?: boolean;
}

/** `ctxzip list`: the originals of the store, latest first. */
export async function listCommand(wire: Wire, options: ListOptions): Promise<number> {
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
  if (options.md === true) {
    writeOut(manifest(entries, wire.world.cwd, wire.now()));
    return 0;
  }
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
    String(facts.exitCode ?? '-'),
    facts.durationMs === undefined ? '-' : took(facts.durationMs),
    shortFolder(printable(facts.folder || '-')),
    printable(facts.command ?? facts.tool ?? '-').slice(0, 80) +
      (facts.stream === 'stderr' ? ' (stderr)' : ''),
  ]);
  const head = ['HASH', 'SIZE', 'STORED', 'EXPIRES', 'EXIT', 'TOOK', 'FOLDER', 'COMMAND'];
  const all = [head, ...rows];
  const widths = head.map((_, c) => Math.max(...all.map((row) => row[c]!.length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, c) => cell.padEnd(widths[c]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** The end of a path, which tells folders apart. */
function shortFolder(path: string): string {
  return path.length <= FOLDER_CHARS ? path : `…${path.slice(1 - FOLDER_CHARS)}`;
}
