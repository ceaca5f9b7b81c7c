/** What a line is in the output of a test runner or a build. */
export const ROLE = {
  other: 0,
  /** One test or file that passed; of these only the count matters. */
  passed: 1,
  /** A test that starts, or goes on. */
  started: 2,
  /** Downloads, progress, compiled units, passing steps of a build. */
  noise: 3,
  skipped: 4,
  expected: 5,
  flaky: 6,
  slow: 7,
  /** A runner's own totals. */
  summary: 8,
  /** The head of a part of a report: `=== FAILURES ===`. */
  section: 9,
  /** Names a test that failed; what it printed stands above it, behind its start. */
  failedAbove: 10,
  /** Names a test that failed; deeper lines below belong to it. */
  failedLine: 11,
  /** Names a test that failed; all below belongs to it, up to the next that is something else … */
  failed: 12,
  /** … up to the next head of the same report, whatever stands in it. */
  failedReport: 13,
  /** An error of a compiler, with its code frame below. */
  compile: 14,
  /** A step of CI, and its end. */
  step: 15,
  stepEnd: 16,
  /** The echo of a step's command, inputs and environment begins. */
  echo: 17,
  /** BuildKit names a step; its lines carry the number of it. */
  build: 18,
} as const;

export function isFailed(role: number): boolean {
  return role >= ROLE.failedAbove && role <= ROLE.compile;
}
