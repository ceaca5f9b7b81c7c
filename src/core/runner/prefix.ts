/** Job and step, as `gh run view` writes them before the stamp. */
const JOB = /[^\t]{1,120}\t[^\t]{1,120}\t(?:\xef\xbb\xbf)?(?=\d{4}-\d\d-)/y;
/** GitHub, GitLab (`00O ` is its stream), Kubernetes. */
const STAMP = /\d{4}-\d\d-\d\dT[\d:.,]+(?:Z|[+-]\d\d:?\d\d)?(?: \d\d[OE]\+?)? ?/y;
/** Taskcluster, Jenkins. */
const BRACKETS = /\[(?:[\w-]+ )?\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\] ?/y;
/** Jenkins, and the level of mozharness. */
const CLOCK = /\d\d:\d\d:\d\d(?:[.,]\d+)? +(?:[A-Z]+ +- ?)?/y;
/** BuildKit: step and seconds. */
const BUILDKIT = /#\d+ \d+\.\d+ ?/y;
/** Compose: `web-1  | `. */
const SERVICE = /[\w.]{1,40}(?:-[\w.]{1,40}){0,6}-\d{1,4} +\| /y;
/** Turbo, pnpm: `@shop/cart:test: `, `packages/cart test: `. */
const PACKAGE = /[@\w./-]{1,80}[: ](?:[\w-]{1,30}:){0,3}test(?::[\w-]{1,30})?: /y;

/**
 * Where the text of a line begins, behind what CI writes before it: the job and step of `gh run view`, a time stamp, the
 * task of Taskcluster, the clock of Jenkins and BuildKit, the service of compose, the package of turbo and pnpm.
 */
export function prefixEnd(line: string): number {
  let at = line.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const skip = (pattern: RegExp): void => {
    pattern.lastIndex = at;
    if (pattern.test(line)) at = pattern.lastIndex;
  };
  const tab = line.indexOf('\t', at);
  if (tab > at && tab < at + 120) skip(JOB);
  if (isDigit(line, at)) skip(STAMP);
  if (line[at] === '[') skip(BRACKETS);
  if (isDigit(line, at)) skip(CLOCK);
  if (line[at] === '#') skip(BUILDKIT);
  if (line.includes(' | ', at)) skip(SERVICE);
  if (line.includes('test', at) && line.includes(': ', at)) skip(PACKAGE);
  return at;
}

function isDigit(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Does `gh run view` write job and step before the line? Such a text has columns, and is no table. */
export function hasJob(line: string): boolean {
  JOB.lastIndex = 0;
  return JOB.test(line);
}
