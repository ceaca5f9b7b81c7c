/** What the lines of diffs, of lists of changes and of a status begin with. */

export const FILE_START =
  /^diff --git .* "?b\/(.+?)"?$|^diff --(?:git|cc|combined) (?:.* )?(.+)$|^(?:diff -.* |Index: )(\S+)$/;
export const FILE_LINE =
  /^(?:index [0-9a-f]|old mode |new mode |deleted file mode |new file mode |(?:dis)?similarity index |rename (?:from|to) |copy (?:from|to) |mode [0-7,.]+|={60,}$)/;
export const DATA = /^(?:literal|delta) \d+$|^[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{5,}$/;
export const HUNK = /^(@@+) -(\d+)(?:,(\d+))? (?:-\d+(?:,\d+)? )*\+(\d+)(?:,(\d+))? @@/;
export const STAT = /^ \S.*\s\|\s+(?:\d+(?: [+-]+)?|Bin(?: .*)?|Unmerged)\s*$/;
export const SUMMARY =
  /^ (?:create|delete) mode \d{6} |^ mode change \d{6} |^ (?:rename|copy|rewrite) .*\(\d+%\)$/;
export const TOTAL = /^ \d+ files? changed(?:, \d+ (?:insertion|deletion)s?\([+-]\))*\s*$/;
export const NUMSTAT = /^(?:\d+|-)\t(?:\d+|-)\t./;
export const NAME_STATUS = /^[ACDMRTUX]\d{0,3}\t./;
export const STATUS_HEAD =
  /^(?:On branch |HEAD detached |Changes (?:to be committed|not staged for commit):|Untracked files:|Unmerged paths:|Ignored files:)/;

export const STATUS_LINE =
  /^(?: {2}|Your branch |and have |nothing |no changes |You |All conflicts |It took )/;

/** The path of `--- a/x` and `+++ b/x`, without what diff writes behind it. */
export function pathOf(text: string): string {
  return text
    .slice(4)
    .replace(/\t.*$/, '')
    .replace(/^"(.*)"$/, '$1')
    .replace(/^[abciw]\//, '');
}
