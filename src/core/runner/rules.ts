import { BUILD_RULES } from './build-rules.ts';
import { prefixEnd } from './prefix.ts';
import { ROLE } from './roles.ts';

/**
 * The first characters that a line may begin with (none: any), what it holds besides, what it must match, and what it is
 * then. The first two are cheap: few lines are matched at all.
 */
export type Rule = readonly [firsts: string, holds: string, pattern: RegExp, role: number];

const { passed, started, noise, skipped, expected, flaky, slow, summary, section } = ROLE;
const { failedAbove, failedLine, failed, failedReport } = ROLE;

const DIGITS = '0123456789';
/** In UTF-8, a character a byte: ✓✔✅√ · ✗✘✖✕×❌⨯ · ○↓◌➜⊝. */
const TICK = /^\xe2(?:\x9c[\x93\x94\x85]|\x88\x9a)\S{0,3} /;
const CROSS = /^(?:\xe2\x9c[\x95-\x98]\S{0,3}|\xc3\x97|\xe2\x9d\x8c|\xe2\xa8\xaf) /;
const HOLLOW = /^\xe2(?:\x97[\x8b\x8c]|\x86\x93|\x8a\x9d|\x9e\x9c) /;

/** In this order; a line is what the first that fits says. */
const TEST_RULES: readonly Rule[] = [
  // totals
  [
    '=',
    '',
    /^=+ .*\b\d+ (?:passed|failed|errors?|skipped|xfailed|deselected|warnings?)\b.* in [\d.:]+s/,
    summary,
  ],
  ['=', '', /^=+ no tests ran/, summary],
  [DIGITS, ' in ', /^\d+ (?:passed|failed|errors?|skipped)(?:, \d+ \w+)* in [\d.]+s\b/, summary],
  ['!', '!!!', /^!{3,} .* !{3,}$/, summary],
  ['TS', ':', /^(?:Tests|Test Suites|Snapshots):\s+(?:\d+ \w+(?:, )?)+$/, summary],
  ['TR', '', /^(?:Time: {2,}[\d.]+ ?m?s|Ran all test suites)/, summary],
  [
    'TSDE',
    '  ',
    /^(?:Test Files|Tests|Type Errors|Errors|Snapshots) {2,}\d+ |^(?:Start at|Duration) {2,}\d/,
    summary,
  ],
  [
    DIGITS,
    '',
    /^\d+ (?:passing|failing|pending|failed|passed|flaky|skipped|did not run|interrupted)(?: \([\d.]+ ?m?[smh]\))?$/,
    summary,
  ],
  [
    '[T',
    'Tests run:',
    /^(?:\[(?:ERROR|INFO|WARNING)\] )?Tests run:.*Failures: \d+(?!.*(?:Time elapsed|<<<))/,
    summary,
  ],
  ['[T', '<<<', /^(?:\[\w+\] )?Tests run:.*<<< (?:FAILURE|ERROR)!/, summary],
  ['[T', 'Tests run:', /^(?:\[\w+\] )?Tests run:.*Failures: 0, Errors: 0, .*Time elapsed/, passed],
  [DIGITS, ' test', /^\d+ tests? completed, /, summary],
  [DIGITS, '% tests passed', /^\d+% tests passed, \d+ tests? failed out of/, summary],
  ['TE', 'est', /^Total Test time \(real\)|^Errors while running CTest/, summary],
  [
    '#1',
    '',
    /^# (?:tests|suites|pass|fail|failures|cancelled|skipped|todo|duration_ms|ok)\b[: ]*[\d.]*$|^1\.\.\d+$/,
    summary,
  ],
  ['E', 'Executed', /^Executed \d+ (?:out of \d+ )?tests?[,: ]/, summary],
  ['', 'Test run with', /^\S{0,8} *Test run with \d+ tests?.* (?:passed|failed)/, summary],
  [DIGITS, ', ', /^\d+ examples?, \d+ failures?|^\d+ (?:runs|tests), \d+ (?:assertions|failures?)/, summary],
  ['FR', ' in ', /^(?:Finished|Ran \d+ tests?) in \d/, summary],
  ['FPSO', '', /^(?:Failed|Passed|Skipped)!  - Failed: |^FAILED \(\w+=\d|^OK(?: \(.*\))?$/, summary],
  ['T', '', /^(?:Total tests: \d|Test Run (?:Failed|Successful|Aborted)|Tests: \d+, Assertions: )/, summary],
  ['PFTS', ':', /^(?:Passed|Failed|Skipped|Todo): +\d+$/, summary],
  ['t', 'test result', /^test result: (?:ok|FAILED)\./, summary],
  ['S', '', /^Summary \[ *[\d.]+s\]|^SUITE-END\b/, summary],
  ['e', 'error: ', /^error: (?:test run failed|\d+ targets? failed|test failed, to rerun)/, summary],
  ['[', ' test', /^\[ +PASSED +\] \d+ tests?|^\[ +FAILED +\] \d+ tests?|^\[={10}\] /, summary],
  ['[', ' ]', /^\[ *\d+ (?:tests|containers) [a-z]+ *\]/, summary],
  ['TA', '', /^TOTAL +\d+ .*%$|^All files +\|/, summary],
  // parts of reports
  [
    '=',
    '',
    /^=+ (?:FAILURES|ERRORS|short test summary info|warnings summary|slowest .*durations|test session starts).* =+$/i,
    section,
  ],
  ['f', '', /^failures:$/, section],
  [
    'FPSET',
    '',
    /^(?:Failures(?: \(\d+\))?|Failed examples|Failed Tests|Pending|Errors|The following tests FAILED|Summary of all failing tests):?\s*(?:\(.*\))?:?$/,
    section,
  ],
  ['[', 'ERROR', /^\[ERROR\] (?:Failures|Errors):\s*$/, section],
  [
    '\xe2',
    '\xe2\x8e\xaf',
    /^(?:\xe2\x8e\xaf)+ .*(?:Failed|Unhandled|Errors?).* (?:\xe2\x8e\xaf)+(?:\[.*\]\S*)?$/,
    section,
  ],
  // failures with all that is below
  ['_', '___', /^_{4,} .*\S _{4,}$|^_+ \S.*[\w\])] _+$/, failedReport],
  ['-', ' std', /^-{4} \S.* std(?:out|err) -{4}$/, failedReport],
  ['-', '--- STD', /^-{3} STD(?:OUT|ERR): /, failedReport],
  ['FSTA', '[', /^(?:FAIL|SIG[A-Z]+|TIMEOUT|ABORT) +\[ *[\d.]+s\]/, failedReport],
  ['\xe2', '\xe2\x97\x8f', /^\xe2\x97\x8f (?!Console\b|Validation)\S/, failed],
  ['F', ' > ', /^FAIL {1,2}\S+ > /, failed],
  ['FE', ' (', /^(?:FAIL|ERROR): \S+ \(\S+\)/, failed],
  [DIGITS, ') ', /^\d{1,4}\) \S/, failed],
  ['[', '<<<', /^\[ERROR\] +\S+.* (?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!/, failed],
  ['', '<<<', /^\S.* <<< (?:FAILURE|ERROR)!$/, failed],
  ['pf', ': ', /^(?:panic|fatal error): /, failed],
  ['', ' > ', /^[\w$.[\]() ]+ > .*\bFAILED$/, failed],
  ['n', 'not ok', /^not ok\b(?!.*# (?:TODO|SKIP))/i, failed],
  ['F', '[', /^Failed \S.* \[[<\d.,: ]+ ?m?[smh](?: \d+ ?m?s)?\]$/, failed],
  ['[', '[FAIL]', /^\[xUnit\.net [\d:.]+\] +\S.* \[FAIL\]/, failed],
  ['-', '--- FAIL', /^--- FAIL: /, failedAbove],
  ['JT', ':', /^(?:JUnit (?:Jupiter|Vintage)|TestNG):\S/, failed],
  // … with what is deeper
  ['FE', '.py', /^(?:FAILED|ERROR) \S+\.py(?:::|\b)/, failedLine],
  ['F', 'FAIL', /^FAIL(?:ED)?\b(?!URE)/, failedLine],
  ['TP', ' |', /^TEST-UNEXPECTED-\w+ \||^PROCESS-CRASH \|/, failedLine],
  ['(', '(fail)', /^\(fail\) /, failedLine],
  ['T', 'TRY', /^TRY \d+ (?:FAIL|TMT|SIG\w+)/, flaky],
  ['[', '[ERROR]', /^\[ERROR\] +[\w$.]+\.\w+:\d+/, failedLine],
  ['[', 'FAILED', /^\[ +FAILED +\] /, failedAbove],
  ['T', 'failed', /^Test Case '.*' failed \(/, failedAbove],
  ['', 'recorded', /^\S{0,8} *(?:Test|Suite) .* recorded a known issue\b/, expected],
  ['', 'recorded', /^\S{0,8} *(?:Test|Suite) .* recorded an issue\b/, failedLine],
  ['', 'failed after', /^\S{0,8} *(?:Test|Suite) .* failed after\b/, failedLine],
  ['', ' ... ', /^\S.* \.\.\. (?:FAIL|FAILED|ERROR|error)$/i, failedLine],
  ['', '***', /\*\*\*(?:Failed|Exception|Timeout|Not Run)\b/, failedLine],
  [
    DIGITS,
    ' - ',
    /^\d+ - \S.* \((?:Failed|SEGFAULT|Timeout|Not Run|.*Exception.*|ILLEGAL|NUMERICAL)\)(?: *\S+)?$/i,
    failedLine,
  ],
  ['r', 'rspec', /^rspec \S+:\d+ # /, failedLine],
  ['', '(FAILED', /\(FAILED - \d+\)$/, failedLine],
  ['/', ':', /^\/\/\S+:\S+ +.*(?:FAILED|TIMEOUT)\b/, failedLine],
  ['', '*** FAILED ***', /\*\*\* FAILED/, failedLine],
  ['', '.py::', /\.py::.* (?:FAILED|ERROR)\b/, failedLine],
  ['\xe2\xc3', '', CROSS, failedLine],
  ['\xe2', '\xe2\x9d\xaf', /^\xe2\x9d\xaf \S+ (?:> .*|.*\d+ failed.*)$/, failedLine],
  ["|\xe2+'", '[X]', /\[X\] \S/, failedLine],
  ['|\xe2', '\xe2\x9c\x98', / \xe2\x9c\x98 \S/, failedLine],
  // skipped, expected to fail, flaky, slow
  ['', 'SKIPPED', /\.py\b.* SKIPPED\b|\bSKIPPED\b.*\.py|^=== SKIP\b|\bSKIPPED$/, skipped],
  ['-', '--- SKIP', /^--- SKIP: /, skipped],
  ['?', '[no test files]', /^\?\s+\S+\s+\[no test files\]/, noise],
  ['oO', '#', /^ok \d.*# skip/i, skipped],
  ['no', '#', /^(?:not )?ok \d.*# todo/i, expected],
  ['', 'XFAIL', /(?:\.py::.*| )XFAIL(?:ED)?\b|^XFAIL\b/, expected],
  ['X', 'XPASS', /^XPASS/, expected],
  ['', 'expected failure', /\.\.\. expected failure$/, expected],
  ['T', 'TEST-', /^TEST-(?:KNOWN-FAIL|SKIP)\b/, expected],
  ['', ' ... ', /\.\.\. (?:ignored|skipped)\b/, skipped],
  ['', ' skipped', /^\S{0,8} *(?:Test|Suite) .* skipped(?:\.|:)/, skipped],
  ['\xe2', '', HOLLOW, skipped],
  ['(', '', /^\((?:skip|todo)\) /, skipped],
  ['-', '', /^- \S.* \(?(?:pending|skipped)\)?$/i, skipped],
  ['S', '', /^(?:Skipped|SKIP) \S/, skipped],
  ["[|\xe2+'", 'S', /^\[ +SKIPPED +\]|\[S\] /, skipped],
  ['', '***', /\*\*\*Skipped\b/, skipped],
  ['F', 'FLAKY', /^FLAKY \d/, flaky],
  ['', 'retr', /\bflaky\b.*(?:retr|attempt)|\bretry #?\d+\b/i, flaky],
  ['', 'RERUN', /\.py.*\bRERUN\b|^RERUN\b/, flaky],
  ['S', 'SLOW', /^SLOW +\[/, slow],
  [DIGITS, 's ', /^\d+\.\d+s (?:call|setup|teardown) +\S/, slow],
  // passed
  ['', 'PASSED', /\.py(?:::.*)? PASSED\b|^\[gw\d+\] .*PASSED\b|^[\w$.[\]() ]+ > .*\bPASSED$/, passed],
  ['', '.py ', /^\S+\.py [.sxX]+(?: +\[ *\d+%\])?$/, passed],
  ['.', '....', /^[.sxX]{10,}(?: +\[ *\d+%\])?$/, passed],
  ['', ' ... ok', /\.\.\. ok(?: \([\d.]+m?s\))?$/, passed],
  ['\xe2', '', TICK, passed],
  ["|\xe2'+", ']', /\[OK\]$/, passed],
  ['|\xe2', '\xe2\x9c\x94', /\xe2\x9c\x94$/, passed],
  ['P', 'PASS', /^PASS(?:ED)?\b/, passed],
  ['(', '(pass)', /^\(pass\) /, passed],
  ['o', 'ok', /^ok\s+(?:\d|\S+\s+(?:[\d.]+s|\(cached\)))/, passed],
  ['-', '--- PASS', /^--- PASS: /, passed],
  ['P', '[', /^Passed \S.* \[/, passed],
  [DIGITS, ' Passed ', /^\d+\/\d+ Test +# *\d+: .* Passed +[\d.]+ sec/, passed],
  ['T', ' passed', /^Test (?:Case|Suite) '.*' passed/, passed],
  ['', ' passed ', /^\S{0,8} *(?:Test|Suite) .* passed (?:after [\d.]+ seconds|with \d+ known)/, passed],
  ['[', 'OK', /^\[ +OK +\] /, passed],
  ['T', 'TEST-', /^TEST-(?:PASS|OK)\b/, passed],
  ['/', 'PASSED', /^\/\/\S+:\S+ +.*PASSED\b/, passed],
  // started
  ['r', 'running', /^running \d+ tests?$/, started],
  ['=', '===', /^=== (?:RUN|PAUSE|CONT|NAME)\b/, started],
  ['T', 'started', /^Test (?:Case|Suite) '.*' started/, started],
  ['', 'started.', /^\S{0,8} *(?:Test|Suite) .* started\.$/, started],
  ['', 'Passing', /^\S{0,8} *Passing \d+ arguments? /, started],
  ['[', 'R', /^\[ RUN +\] |^\[INFO\] Running \S/, started],
  ['SR', '', /^(?:Start +\d+: |START +\[|RUNS? +\S)/, started],
  ['#', '# Subtest', /^# Subtest: /, started],
  ['TS', '-', /^TEST-(?:START|INFO)\b|^SUITE-START/, started],
  // rows of coverage
  ['', ' |', /^[^|]+\|(?: +[\d.]+ \|){3}/, noise],
  ['', '%', /^\S+\.\w+ +\d+ +\d+ .*\d%/, noise],
];

let byFirst: Map<string, readonly Rule[]> | undefined;

function rulesFor(first: string): readonly Rule[] {
  byFirst ??= new Map();
  let rules = byFirst.get(first);
  if (rules === undefined) {
    rules = [...BUILD_RULES.steps, ...TEST_RULES, ...BUILD_RULES.others].filter(
      ([firsts]) => firsts === '' || firsts.includes(first),
    );
    byFirst.set(first, rules);
  }
  return rules;
}

/** The role of a line (see `ROLE`), one character a byte, with what CI writes before it. */
export function roleOf(line: string): number {
  const text = line.slice(prefixEnd(line)).trim();
  if (text === '') return ROLE.other;
  for (const [, holds, pattern, role] of rulesFor(text[0]!)) {
    if ((holds === '' || text.includes(holds)) && pattern.test(text)) return role;
  }
  return ROLE.other;
}
