/** What a line of a diff is. */
export const ROLE = {
  other: 0,
  /** A commit's hash, author, date, message. */
  commit: 1,
  /** The first line about a file … */
  head: 2,
  /** … and more of them: modes, renames, `index`, `---`, `+++`. */
  header: 3,
  /** `@@ -1,7 +1,9 @@` */
  hunk: 4,
  context: 5,
  plus: 6,
  minus: 7,
  /** `\ No newline at end of file`, `Binary files … differ`, `Only in …` */
  note: 8,
  /** A file with its counts: `--stat`, `--numstat`, `--name-status`. */
  stat: 9,
  /** ` 3 files changed, 7 insertions(+)` */
  total: 10,
  /** Encoded bytes of a binary patch. */
  data: 11,
  /** A file of `git status`. */
  entry: 12,
} as const;
