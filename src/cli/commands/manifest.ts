import { formatSize } from '../../app/expand-words.ts';
import { printable } from '../../core/address.ts';
import type { Entry } from '../../store/port.ts';
import { span, took } from './spans.ts';

const MOST_COMMAND_CHARS = 200;

/**
 * `ctxzip list --md`: what the views of a folder and those below it hide, latest first, for an agent that is about to
 * forget that it has seen them.
 */
export function manifest(entries: readonly Entry[], folder: string, nowMs: number): string {
  const here = entries.filter(
    ({ facts, expiresMs }) => expiresMs > nowMs && isInside(facts.folder ?? '', folder),
  );
  const intro =
    here.length === 0
      ? 'Nothing: no view of this folder hides anything that is still stored.'
      : '`ctxzip expand HASH` prints an original, `--grep RE` searches it, `--head N` and `--tail N` cut it.';
  const lines = here.map((entry) => line(entry, nowMs));
  return [`# Tool output that ctxzip has shortened in ${code(folder)}`, '', intro, '', ...lines, '']
    .join('\n')
    .replace(/\n+$/, '\n');
}

function isInside(path: string, folder: string): boolean {
  return folder !== '' && (path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`));
}

function line({ sha, size, expiresMs, facts }: Entry, nowMs: number): string {
  const { command, tool, stream, createdMs, exitCode, durationMs } = facts;
  const name = command ?? tool;
  const parts = [
    name === undefined ? 'output of a pipe' : code(name),
    ...(stream === undefined ? [] : [stream]),
    formatSize(size),
    `${new Date(createdMs).toISOString().slice(0, 19)}Z (${span(nowMs - createdMs)} ago)`,
    ...(durationMs === undefined ? [] : [`took ${took(durationMs)}`]),
    ...(exitCode === undefined ? [] : [`exit ${exitCode}`]),
    `kept for ${span(expiresMs - nowMs)}`,
  ];
  return `- ${code(sha.slice(0, 12))} ${parts.join(' · ')}`;
}

/** Text as code, whatever is in it. */
function code(text: string): string {
  const short = printable(text.replace(/\s+/g, ' ')).slice(0, MOST_COMMAND_CHARS);
  const longest = Math.max(0, ...(short.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = short.startsWith('`') || short.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${short}${pad}${fence}`;
}
