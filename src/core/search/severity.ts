import type { Severity } from '../failures.ts';

const SAYS =
  /^\s*(?:- )?(?:(fatal error|internal compiler error|error|\[error\b)|(warning|warn|\[warning\b|\[warn\b)|(note|info|information|hint|remark|help|style|convention|refactor)\b|(?:\[?[A-Z]{1,6}\d{2,5}\]?[:\s]))/i;
/** What linters write behind a message: `(errcheck)`, `[no-untyped-def]`, `[Error/no-undef]`. */
const RULE = /\s(?:\([a-z][\w/-]*\)|\[(?:(Error)\/|Warning\/)?[\w@/-]+\])\s*$/;

/** Characters that a rule may take. */
const LONGEST_RULE = 80;

/** What a message at a place says: an error is 2, a warning or the rule of a linter 1, a note 0; undefined: it is no message. */
export function messageSeverity(text: string): Severity | undefined {
  const says = SAYS.exec(text);
  if (says !== null) return says[1] !== undefined ? 2 : says[3] !== undefined ? 0 : 1;
  const rule = /[)\]]\s*$/.test(text.slice(-2)) ? RULE.exec(text.slice(-LONGEST_RULE)) : null;
  return rule === null ? undefined : rule[1] !== undefined ? 2 : 1;
}
