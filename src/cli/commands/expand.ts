import { parseLineSpan } from '../../core/address.ts';
import { parseHandle } from '../../core/marker.ts';
import { expand, type ExpandRequest } from '../../app/expand.ts';
import { lookupMessage } from '../../app/expand-words.ts';
import type { Wire } from '../../wire.ts';
import { say, writeOut } from '../io.ts';
import { NO_STORE, openStore } from './store.ts';

export interface ExpandOptions {
  readonly words: readonly string[];
  readonly grep?: string;
  readonly ignoreCase?: boolean;
  readonly afterContext?: string;
  readonly beforeContext?: string;
  readonly context?: string;
  readonly lines?: string;
  readonly head?: string;
  readonly tail?: string;
  readonly lineNumber?: boolean;
}

/** `ctxzip expand HASH [ADDRESS] …` */
export async function expandCommand(wire: Wire, options: ExpandOptions): Promise<number> {
  if (options.words.length === 0)
    return usage('expand needs the hash of a marker, as in ctxzip expand ac998fea694b L3-90');
  const handle = parseHandle(options.words);
  if (handle.kind === 'invalid') return usage(handle.message);
  if (handle.kind === 'documentation') {
    say(handle.message);
    return 1;
  }
  const narrowed = requestOf(options);
  if (typeof narrowed === 'string') return usage(narrowed);
  const opened = await openStore(wire);
  if (opened === undefined) {
    say(NO_STORE);
    return 1;
  }
  const lookup = await opened.store.open(handle.hash, wire.now());
  if (lookup.kind !== 'found') {
    const { exit, notes } = lookupMessage(lookup, handle.hash);
    notes.forEach(say);
    const trouble = await opened.store.trouble();
    if (lookup.kind === 'unknown' && trouble !== undefined)
      say(`a part of the store can't be read: ${trouble.message}`);
    return exit;
  }
  const request: ExpandRequest = {
    hash: lookup.entry.sha.slice(0, 12),
    ...(handle.address !== undefined && { address: handle.address }),
    ...narrowed,
  };
  try {
    const { exit, notes } = expand(lookup.reader, request, writeOut);
    notes.forEach(say);
    return exit;
  } finally {
    lookup.reader.close();
    await opened.store.close();
  }
}

function usage(message: string): number {
  say(message);
  return 2;
}

function requestOf(options: ExpandOptions): Omit<ExpandRequest, 'hash' | 'address'> | string {
  const numbers: Record<string, number> = {};
  for (const [name, flag] of [
    ['afterContext', '-A'],
    ['beforeContext', '-B'],
    ['context', '-C'],
    ['head', '--head'],
    ['tail', '--tail'],
  ] as const) {
    const text = options[name];
    if (text === undefined) continue;
    if (!/^\d{1,9}$/.test(text)) return `${flag} ${JSON.stringify(text)}: give a number of lines, 0 or more`;
    numbers[name] = Number(text);
  }
  const span = options.lines === undefined ? undefined : parseLineSpan(options.lines);
  if (span?.kind === 'invalid') return `--lines: ${span.message}`;
  const before = numbers['beforeContext'] ?? numbers['context'];
  const after = numbers['afterContext'] ?? numbers['context'];
  if (options.grep === undefined && (before !== undefined || after !== undefined))
    return '-A, -B and -C go with --grep';
  return {
    ...(span?.address.kind === 'lines' && { lines: span.address }),
    ...(options.grep !== undefined && {
      grep: {
        pattern: options.grep,
        ...(options.ignoreCase === true && { ignoreCase: true }),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      },
    }),
    ...(numbers['head'] !== undefined && { head: numbers['head'] }),
    ...(numbers['tail'] !== undefined && { tail: numbers['tail'] }),
    ...(options.lineNumber === true && { numbers: true }),
  };
}
