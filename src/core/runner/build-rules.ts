import { ROLE } from './roles.ts';
import type { Rule } from './rules.ts';

const { noise, summary, failed, failedLine, compile, step, stepEnd, echo, build } = ROLE;

const DIGITS = '0123456789';

/** What CI and build tools print; the heads of steps come before what the tools in them say. */
export const BUILD_RULES: { readonly steps: readonly Rule[]; readonly others: readonly Rule[] } = {
  steps: [
    ['#', 'group]', /^##\[group\] ?(?:Run |Inputs?$)/, echo],
    ['#:', '', /^(?:##\[group\]|::group::|##\[section\]Starting)/, step],
    ['#:', '', /^(?:##\[endgroup\]|::endgroup::|##\[section\]Finishing)/, stepEnd],
    ['#:', 'error', /^(?:##\[error\]|::error[ :])/, failedLine],
    ['#', ' [', /^#\d+ \[[^\]]+\] /, build],
    [
      '#',
      '',
      /^#\d+ (?:exporting|importing|extracting|transferring|resolve|sha256:|DONE|CACHED|\.\.\.)/,
      noise,
    ],
    ['s', 'section_', /^section_(?:start|end):\d+:/, step],
    ['[', '', /^\[command\]/, noise],
    ['USF', '', /^(?:Uns|S)uccessful task run|^Finished: [A-Z]+$/, summary],
  ],
  others: [
    // totals of builds
    [
      '[',
      '',
      /^\[(?:INFO|ERROR)\] (?:BUILD |Total time:|Reactor Summary)|^\[INFO\] \S.* \.{3,} (?:FAILURE|SKIPPED)/,
      summary,
    ],
    ['B', 'BUILD', /^BUILD (?:SUCCESSFUL|FAILED|SUCCESS|FAILURE)\b/, summary],
    [DIGITS, 'actionable', /^\d+ actionable tasks?:/, summary],
    [DIGITS, '(s)', /^\d+ (?:Warning|Error)\(s\)$/, summary],
    ['T', 'T', /^Total time: |^Time Elapsed /, summary],
    ['F', 'Found', /^Found \d+ errors?\b/, summary],
    // failures
    ['F', 'FAILURE', /^FAILURE: Build failed/, failed],
    ['>', 'FAILED', /^> Task \S+ FAILED$/, failedLine],
    ['e', 'error', /^error(?:\[E\d+\])?: \S/, compile],
    [
      '',
      'error',
      /^(?:[A-Za-z]:)?[^\s:()]+(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))(?: -|:) (?:fatal )?error\b/,
      compile,
    ],
    ['[', '[ERROR]', /^\[ERROR\] \S+:\[\d+,\d+\] /, compile],
    ['e', 'e: file', /^e: file:\/\//, compile],
    ['', '.go:', /^(?:\.{1,2}\/)?[\w./-]+\.go:\d+:\d+: /, compile],
    // downloads, progress, what was compiled
    [
      'DRPFUVCWE',
      '',
      /^(?:Download(?:ing|ed)|Receiv(?:ing|ed)|Resolving|Progress|Pulling|Pull complete|Fetch(?:ing|ed)|Updating|Unpacking|Verifying|Compil(?:ing|ed)|Extracting|Waiting|Collecting|Cached?)\b/,
      noise,
    ],
    ['GHI', ':', /^(?:Get|Hit|Ign):\d+ /, noise],
    [
      'SPRruIU',
      '',
      /^(?:Selecting previously|Preparing to unpack|Setting up|Processing triggers|Reading |Requirement already|Installing|Installed|remote: |Using cached)/,
      noise,
    ],
    [
      '[',
      '[INFO]',
      /^\[INFO\](?:\s*$| (?:Download|---|-{10,}|<<<|>>>|skip non|Copying|Nothing to compile|Changes detected|Using |Building |Scanning|[\w.-]+ .*SUCCESS \[))/,
      noise,
    ],
    ['P', 'Progress', /^Progress \(\d+\): /, noise],
    ['>', '> Task', /^> Task \S+(?: UP-TO-DATE| NO-SOURCE| FROM-CACHE| SKIPPED)?$/, noise],
    ['[', ']', /^\[-{10}\]|^\[ *\d+%\] /, noise],
    ['*', '[new', /^\* \[new (?:branch|tag|ref)\]/, noise],
    ['h', 'hint', /^hint:/, noise],
    [
      '0123456789abcdef',
      ': ',
      /^[0-9a-f]{12}: (?:Pulling|Waiting|Download|Verifying|Pull|Extracting|Already)/,
      noise,
    ],
  ],
};
