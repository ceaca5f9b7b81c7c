import { prefixEnd } from '../runner/prefix.ts';
import { FRAME, frameOf } from './frames.ts';

/** What a line is in a text of traces; up to 4 it is a frame, see `FRAME`. */
export const TRACE = {
  other: 0,
  foreign: FRAME.foreign,
  own: FRAME.own,
  detail: FRAME.detail,
  half: FRAME.half,
  /** `Caused by: …`, `During handling of the above exception …`. */
  chain: 5,
  /** The head of a thread, goroutine or task in a dump. */
  thread: 6,
  /** An exception, where frames follow. */
  exception: 7,
  traceback: 8,
  /** A crash, whose report goes on to its summary. */
  report: 9,
  /** Threads that wait for each other, to the end of that part. */
  deadlock: 10,
  /** Totals and ends of reports. */
  summary: 11,
  /** Registers, shadow bytes, modules. */
  noise: 12,
  /** The head of a task of the kernel, alone or in a report. */
  task: 13,
  /** Ends a report, and says it in a line. */
  end: 14,
} as const;

/** The clock of the kernel, and what syslog and journald write before it. */
const KERNEL =
  /^(?:<\d+>)?(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8} \S+ (?:kernel|systemd\S*): )?\[ *\d+\.\d+\](?:\[ *[TC]?\d+\])? ?/;

const RULES: ReadonlyArray<readonly [RegExp, number]> = [
  [
    /^(?:Caused by|Suppressed|Wrapped by): |^\s+Suppressed: |^\s*(?:--->|---> )|^\s+--- End of|^\[cause\]: |^\s+\[cause\]: /,
    TRACE.chain,
  ],
  [/^(?:During handling of the above exception|The above exception was the direct cause)/, TRACE.chain],
  [/^(?:\s*\| )*Traceback \(most recent call last\)|^Stack trace:?$|^stack backtrace:$/, TRACE.traceback],
  [
    /^Found one Java-level deadlock|^={4,} DEADLOCK|^WARNING: possible (?:circular|recursive) locking/,
    TRACE.deadlock,
  ],
  [/^(?:SUMMARY: \w+Sanitizer|---\[ end |Found \d+ deadlock)/, TRACE.end],
  [/^(?:==\d+== (?:ERROR SUMMARY|LEAK SUMMARY|HEAP SUMMARY)|Full thread dump|exit status \d)/, TRACE.summary],
  [/^==\d+==\s*ERROR: \w+Sanitizer|^WARNING: \w+Sanitizer|^\S+:\d+:\d+: runtime error: /, TRACE.report],
  [
    /^==\d+== (?:Invalid|Conditional jump|Use of|Syscall param|Process terminating|Mismatched|Source and|[\d,]+ .*(?:lost|reachable))/,
    TRACE.report,
  ],
  [
    /^(?:BUG: |Oops|INFO: (?:task|rcu)|rcu: INFO|WARNING: CPU|general protection fault|Kernel panic|Unable to handle|watchdog: BUG|NMI backtrace|Internal error|kernel BUG|KASAN|UBSAN)/,
    TRACE.report,
  ],
  [
    /^(?:Program|Thread .*) received signal |^Program terminated with signal|^Fatal Python error|^Fatal signal \d|^\*\*\* \*\*\* /,
    TRACE.report,
  ],
  [/^(?:panic|fatal error): |^thread '.*' .*panicked at/, TRACE.exception],
  [/^(?:Exception in thread |Uncaught |Unhandled |PHP Fatal error: |Fatal error: |\*\* \()/, TRACE.exception],
  [
    /^(?:[\w$]+(?:\.|::|\\))*[A-Z][\w$]*(?:Error|Exception|Throwable|Failure|Fault)\b(?: \[\w+\])?(?::|$| \()/,
    TRACE.exception,
  ],
  [/^\S+\.rb:\d+:in .*: .*\(\w[\w:]*\)$/, TRACE.exception],
  [/^goroutine \d+ (?:gp=\S+ m=\S+ )?(?:mp=\S+ )?\[/, TRACE.thread],
  [/^"[^"]*".* (?:prio|tid|nid|Id|os_prio)=|^"[^"]*" #\d+ /, TRACE.thread],
  [
    /^Thread \d+ (?:\(|received)|^(?:Current t|T)hread 0x\w+ .*\(most recent call first\)|^\* thread #\d+|^\s{1,2}thread #\d+/,
    TRACE.thread,
  ],
  [
    /^\d+ locks? held by |^task:\S+ +state:|^CPU: \d+ PID: \d+ Comm: .*(?:idle|swapper)|^\S+ +[A-Z] ?[\d ]+ 0x[0-9a-f]+/,
    TRACE.task,
  ],
  [
    /^(?:R[A-D]X|R[SD]I|R[BS]P|R\d+|E[A-D]X|CR\d|FS|DR\d|[xr]\d+ ?): *[0-9a-fx]|^(?:=>| {2})0x[0-9a-f]+: ?(?:\[?[0-9a-f]{2}\]?[ <>]*){4}|^Modules linked in|^Code: [0-9a-f]{2} |^\s+(?:Addressable|Partially|Heap|Stack|Global|Freed|Poisoned|Container|Array|Intra|ASan|Left|Right|Shadow)[\w ]*: +[0-9a-f]{2}/,
    TRACE.noise,
  ],
  [
    /^Shadow byte(?:s| legend)|^\[New (?:LWP|Thread)|^\[Thread debugging|^Reading symbols|^warning: (?:Could not|Unable)|^Using host libthread/,
    TRACE.noise,
  ],
];

/** Where the text of a line begins, behind what CI, syslog and the kernel write before it. */
export function textStart(line: string): number {
  return KERNEL.exec(line)?.[0].length ?? prefixEnd(line);
}

/** The role of a line (see `TRACE`), one character a byte. */
export function traceRoleOf(line: string): number {
  const text = line.slice(textStart(line));
  const rule = RULES.find(([pattern]) => pattern.test(text));
  return rule === undefined ? frameOf(text) : rule[1];
}

/** Does another stack begin? */
export function isHead(role: number): boolean {
  return (role >= TRACE.thread && role <= TRACE.summary) || role === TRACE.task;
}

export function isFrame(role: number): boolean {
  return role >= TRACE.foreign && role <= TRACE.half;
}
