/**
 * The vocabulary of failure. A form is matched in any case where a word or a hump of a CamelCase word begins; the longest
 * one counts. `word` forms are then judged by what stands around them, `phrase` forms mean failure wherever they stand.
 */
export interface Form {
  readonly text: string;
  readonly kind: 'word' | 'phrase' | 'exit';
  /** 3 fatal, 2 error, 1 warning. */
  readonly severity: 1 | 2 | 3;
}

const FATAL_WORDS = 'fatal panic panicked critical crit severe emerg emergency alert oom';
const ERROR_WORDS =
  'err errs error errors fail failed failure failures failing fails exception exceptions timeout timeouts time-out ' +
  'time-outs timed-out crash crashed crashes crashing abort aborted aborting reject rejected rejects refused denied ' +
  'forbidden unauthorized unauthorised invalid illegal unexpected unreachable unhealthy degraded evicted killed corrupt ' +
  'corrupted corruption mismatch mismatched conflict conflicts deadlock deadlocked unresolved exceeded abnormal ' +
  'abnormally lost inconsistent faulted backoff traceback fehler fehlgeschlagen erreur';
const WARNING_WORDS = 'warn warns warning warnings wrn missing expired stuck';

/** Each ends at a word boundary, but for those that end with `*`. */
const PHRASES = [
  'timed out',
  'timedout',
  'segmentation fault',
  'segfault*',
  'core dumped',
  'out of memory',
  'oom-kill*',
  'oomkill*',
  'sigsegv',
  'sigabrt',
  'sigbus',
  'sigkill',
  'heap-buffer-overflow',
  'heap-use-after-free',
  'stack-buffer-overflow',
  'stack-overflow',
  'global-buffer-overflow',
  'use-after-free',
  'use-after-return',
  'use-after-scope',
  'sanitizer:*',
  'double free',
  'data race',
  'leaked in*',
  'kernel panic*',
  'stack overflow*',
  'assertion failed*',
  'undefined reference',
  'undefined symbol',
  'hung task',
  'blocked for more than',
  'not found',
  'no such file',
  'no such host',
  'no such device',
  'no such process',
  'no such table',
  'no such container',
  'no such image',
  'command not found',
  'no route to host',
  'no space left',
  'too many open files',
  'too many requests',
  'read-only file system',
  'bad gateway',
  'service unavailable',
  'gateway timeout',
  'internal server error',
  'duplicate key',
  'violates *',
  'signed by unknown authority',
  'certificate verify failed',
  'general protection',
  'soft lockup',
  'hard lockup',
  'closed by remote host',
  'back-off ',
  'cannot ',
  "can't ",
  'could not',
  "couldn't",
  'unable to',
  'does not exist',
  "doesn't exist",
  'doesnt exist',
  'not permitted',
  'connection reset',
  'broken pipe',
  'not ready',
  'exited abnormally',
  'nonzero exit',
  'non-zero exit',
  'not fully functional',
  'crashloop*',
  'imagepullbackoff',
  'errimage*',
  'notready',
  'nodelost',
  'createcontainererror',
  'createcontainerconfigerror',
  'containerstatusunknown',
];

/** Phrases of one word: names of errors of the system. */
const NAMES =
  'enoent eacces eperm eexist econnrefused econnreset econnaborted etimedout epipe eaddrinuse enospc emfile ehostunreach ' +
  'enetunreach enotfound eai_again einval eio ebusy erofs enotdir eisdir ebadf enotempty eproto';

/** What comes before the number of an exit code. */
const EXITS = 'restarting exit exited return returncode return_code rc';

const LISTS = [FATAL_WORDS, ERROR_WORDS, WARNING_WORDS, PHRASES, NAMES, EXITS];

/** All forms in their order, a line each; each start makes them, so that strings are joined and nothing is gone through. */
function allLines(): string {
  return LISTS.map((list) => (typeof list === 'string' ? list.replaceAll(' ', '\n') : list.join('\n'))).join(
    '\n',
  );
}

/** The same without their asterisks. */
export function formsText(): string {
  return allLines().replaceAll('*', '');
}

const KINDS = ['word', 'word', 'word', 'phrase', 'phrase', 'exit'] as const;
const SEVERITIES = [3, 2, 1, 2, 2, 2] as const;

/** All forms in their order, and how many come before the end of each list. */
let forms: { readonly texts: readonly string[]; readonly ends: readonly number[] } | undefined;

/** The form with this number in that order. */
export function formAt(at: number): Form {
  forms ??= { texts: allLines().split('\n'), ends: listEnds() };
  const { texts, ends } = forms;
  const list = ends.findIndex((end) => at < end);
  return { text: texts[at]!, kind: KINDS[list]!, severity: SEVERITIES[list]! };
}

function listEnds(): number[] {
  let end = 0;
  return LISTS.map((list) => (end += (typeof list === 'string' ? list.split(' ') : list).length));
}
