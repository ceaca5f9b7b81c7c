/** What a line is to the readers of test reports and traces, and that no failure loses its message. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { prefixEnd } from '../../src/core/runner/prefix.ts';
import { ROLE } from '../../src/core/runner/roles.ts';
import { roleOf } from '../../src/core/runner/rules.ts';
import { FRAME, frameOf } from '../../src/core/trace/frames.ts';
import { viewOf } from '../support/fixtures.ts';

const bytes = (text: string): string => Buffer.from(text).toString('latin1');

describe('the role of a line', () => {
  it.each([
    ['tests/test_a.py::test_b[x y] PASSED      [ 10%]', 'passed'],
    ['tests/test_a.py ......ss.  [ 10%]', 'passed'],
    ['tests/test_a.py::test_b FAILED      [ 10%]', 'failedLine'],
    ['____________ TestDesk.test_b ____________', 'failedReport'],
    ['======= 1 failed, 3 passed in 0.12s =======', 'summary'],
    ['    ✓ opens (3 ms)', 'passed'],
    ['    ✕ opens (3 ms)', 'failedLine'],
    ['  ● Desk › opens', 'failed'],
    ['  ● Console', 'other'],
    [' FAIL  src/a.test.ts > desk > opens', 'failed'],
    ['--- PASS: TestA (0.00s)', 'passed'],
    ['    --- FAIL: TestA/b (0.00s)', 'failedAbove'],
    ['ok  \texample.org/a\t0.012s', 'passed'],
    ['FAIL\texample.org/a\t0.012s', 'failedLine'],
    ['test desk::opens ... ok', 'passed'],
    ['test desk::opens ... ignored, needs a radar', 'skipped'],
    ['---- desk::opens stdout ----', 'failedReport'],
    ['        FAIL [   0.014s] harbour desk::opens', 'failedReport'],
    ['not ok 3 - opens', 'failed'],
    ['not ok 3 - opens # TODO later', 'expected'],
    ['ok 3 - opens # SKIP no radar', 'skipped'],
    ['[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0', 'summary'],
    ['[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A', 'passed'],
    ['DeskTest > opens() FAILED', 'failed'],
    ["Test Case '-[A b]' failed (0.041 seconds).", 'failedAbove'],
    ['  Failed A.B.C [31 ms]', 'failed'],
    ['2026-02-11T19:03:14.1234567Z ##[error]Process completed with exit code 1.', 'failedLine'],
    ['[task 2026-02-11T19:04:05.465Z] 19:04:05     INFO - TEST-UNEXPECTED-FAIL | a | b', 'failedLine'],
    ['src/a.ts(3,5): error TS2322: Type X is not assignable to type Y.', 'compile'],
    ['error[E0308]: mismatched types', 'compile'],
    ['the desk failed to open', 'other'],
    ['FAILURES are counted below', 'other'],
  ] as const)('%s is %s', (line, role) => {
    expect(roleOf(bytes(line))).toBe(ROLE[role]);
  });
});

describe('what stands before a line', () => {
  it.each([
    ['2026-02-11T19:03:14.1234567Z '],
    ['tests (3.12)\tRun pytest\t2026-02-11T19:03:14.1234567Z '],
    ['[task 2026-02-11T19:04:05.465Z] 19:04:05     INFO - '],
    ['#9 1.020 '],
    ['web-1  | '],
    ['@shop/cart:test: '],
    ['packages/cart test: '],
    [''],
  ])('%j', (prefix) => {
    expect(prefixEnd(`${prefix}ok 3 - opens`)).toBe(prefix.length);
  });
});

describe('whose frame a line is', () => {
  it.each([
    ['\tat org.harbour.Desk.open(Desk.java:41)', 'own'],
    ['\tat java.base/java.lang.Thread.run(Thread.java:1583)', 'foreign'],
    ['    at Desk.open (/srv/desk.js:3:1)', 'own'],
    ['    at next (/srv/node_modules/express/lib/router.js:3:1)', 'foreign'],
    ['  File "/srv/desk.py", line 3, in open', 'own'],
    ['  File "/usr/lib/python3/dist-packages/requests/api.py", line 3, in get', 'foreign'],
    ['main.run(0xc000)', 'half'],
    ['\t/srv/desk.go:41 +0x1d', 'detail'],
    ['    #3 0x55d0 in harbour::open() /srv/desk.cc:3', 'own'],
    ['#1  0x7f3c in start_thread (arg=0x0) at ./nptl/pthread_create.c:442', 'foreign'],
    [' lamp_read+0x2b/0xc0 [lamp]', 'own'],
    [' do_syscall_64+0x81/0x170', 'foreign'],
    ['the desk is open', 'none'],
  ] as const)('%s is %s', (line, frame) => {
    expect(frameOf(line)).toBe(FRAME[frame]);
  });
});

/** A report of pytest with these messages. */
function report(messages: readonly string[]): Buffer {
  return Buffer.from(
    [
      '================ FAILURES ================',
      ...messages.flatMap((message, i) => [
        `________________ test_${i} ________________`,
        '',
        `    def test_${i}():`,
        `>       check(${i})`,
        `E       ${message}`,
        '',
        `tests/test_desk.py:${i + 10}: AssertionError`,
      ]),
      `========= ${messages.length} failed, 3 passed in 1.02s =========`,
      '',
    ].join('\n'),
  );
}

describe('failures', () => {
  it('keep their messages and places, up to fifty that differ', () => {
    const messages = Array.from({ length: 50 }, (_, i) => `AssertionError: berth ${i * 31 + 7} is taken`);
    const shown = viewOf(report(messages), DEFAULT_POLICY).bytes.toString();
    expect(messages.filter((message) => !shown.includes(message))).toEqual([]);
    expect(messages.filter((_, i) => !shown.includes(`tests/test_desk.py:${i + 10}:`))).toEqual([]);
  });

  it('are counted where they say the same', () => {
    const messages = Array.from({ length: 60 }, (_, i) =>
      i === 40 ? 'TypeError: no berth' : 'OSError: refused',
    );
    const { bytes: shown, gaps } = viewOf(report(messages), DEFAULT_POLICY);
    expect(shown.toString()).toContain('E       TypeError: no berth');
    expect(gaps.reduce((sum, gap) => sum + gap.failures, 0)).toBe(60 - 1 - 4);
  });
});
