/** What a line looks like, as bits; looked at once for each shape. */
export const STAMPED = 1;
/** Starts with a level: `INFO:`, `[warn]`, `local.ERROR:`, logcat, klog. */
export const LEVELLED = 2;
export const BLANK_LINE = 4;
export const INDENTED = 8;
/** A stack frame, a cause, a traceback head: part of the record above. */
export const FRAME = 16;
/** `key: value` or `- item`, as in YAML and describe. */
export const KEYED = 32;
/** Says a level somewhere in its first part. */
export const SAYS_LEVEL = 128;
/** Ends as statements of source code do, or starts as they start. */
export const CODE = 64;
/** Part of the record above, if there is one. */
export const CONTINUED = 256;

const LEVEL =
  /^(?:[\x80-\xff]{2,16} ?|[\W\d]|\w{1,24}[.:] ?){0,3}\[?(?:TRACE|DEBUG|DBG|INFO|INF|NOTICE|WARN|WARNING|WRN|ERROR|ERR|FATAL|CRITICAL|CRIT|SEVERE|PANIC)\b|^\s*<?\[?(?:trace|debug|info|notice|warn|warning|error|fatal|critical)[\]>:]|^(?:\d+\s+\d+\s+)?[VDIWEF][ /]\w|\blevel=|^[IWEF]\d{4} /;
const FRAME_LINE =
  /^\s+at [\w$.<>/\\([]|^\s+File "|^Caused by: |^\s*\.\.\. \d+ (?:more|common)|^Traceback \(|^#\d+[ :]|^\s+#\d+[ :]|^goroutine \d|^\s+from \S+:\d|^\[stacktrace\]/;
/** Behind a record it goes on with it; alone it tells nothing: source code is indented with tabs, too. */
const CONTINUED_LINE = /^\t\S|^\s*\^+\s*$/;
const KEYED_LINE = /^\s*(?:- )?(?:["'][^"']{1,60}["']|[A-Za-z_][\w ./()-]{0,60}?):(?:\s|$)|^\s*- \S/;
const CODE_LINE =
  /[;{}]\s*$|^\s*[)}\]]|^\s*(?:return|case|def|elif|const|var|import|package|func|#include|#define)\b|^\s*(?:\/\/|\/\*)|^\s*(?:import|from|export|const|let|var|function|class|def|return|if|else|for|while|package|func|type|struct|impl|use|pub|fn|#include|@\w+)\b.*[({:;'"]\s*$|=>\s*[({]?\s*$/;

/** Bits of a line without a time stamp. */
export function classOf(line: string): number {
  if (/^\s*$/.test(line)) return BLANK_LINE;
  let bits = 0;
  if (LEVEL.test(line)) bits |= LEVELLED;
  if (FRAME_LINE.test(line)) bits |= FRAME;
  if (CONTINUED_LINE.test(line)) bits |= CONTINUED;
  if (KEYED_LINE.test(line) && !/\r(?!$)/.test(line)) bits |= KEYED;
  if (CODE_LINE.test(line)) bits |= CODE;
  if (LEVEL_WORD.test(line.slice(0, 240))) bits |= SAYS_LEVEL;
  return bits;
}

const LEVEL_WORD =
  /\b(?:TRACE|VERBOSE|DEBUG|DBG|INFO|INF|NOTICE|WARN(?:ING)?|WRN|ERROR|ERR|SEVERE|FATAL|CRITICAL|CRIT|PANIC|ALERT|EMERG)\b|[[<=:"](?:trace|debug|info|notice|warn(?:ing)?|error|err|fatal|critical|crit|panic|alert|emerg)[\]>:" ]/;
