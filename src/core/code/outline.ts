import { type Block, hiddenLines } from './blocks.ts';
import { braceBlocks, type Braces } from './braces.ts';
import { GO_LEADS, goKind, TS_LEADS, tsKind } from './kinds.ts';
import { pythonBlocks } from './python.ts';

type Language = 'typescript' | 'python' | 'go';

const TS: Braces = { leads: TS_LEADS, kindOf: tsKind, isGo: false };
const GO: Braces = { leads: GO_LEADS, kindOf: goKind, isGo: true };

/**
 * Which lines of a source file go from its outline, a byte a line: bodies of functions, large values, all but the heads of
 * comments. undefined where the language is none of those that are known. The lines have a character a byte.
 */
export function outlineOf(source: readonly string[]): Uint8Array | undefined {
  const lines = unnumbered(source);
  const language = languageOf(lines);
  return language === undefined ? undefined : hiddenLines(blocksOf(lines, language), lines);
}

function blocksOf(lines: readonly string[], language: Language): Block {
  if (language === 'python') return pythonBlocks(lines);
  return braceBlocks(lines.join('\n'), language === 'go' ? GO : TS);
}

/** Without the line numbers of `cat -n` and its like. */
function unnumbered(lines: readonly string[]): readonly string[] {
  const sample = lines.slice(0, 100).filter((line) => line !== '');
  const numbers = sample.map((line) => Number(NUMBERED.exec(line)?.[1] ?? NaN));
  const isCounted = numbers.every((number, i) => i === 0 || number === numbers[i - 1]! + 1);
  if (sample.length < 2 || !isCounted) return lines;
  return lines.map((line) => line.replace(NUMBERED, ''));
}

/** A number, then a tab, an arrow, a bar or a colon. */
const NUMBERED = /^ *(\d+)(?:\t|\xe2\x86\x92|(?: ?(?:\xe2\x94\x82|\|)|:)(?: |$))/;

/** Lines that only one language has, nearly. */
const SIGNS: Readonly<Record<Language, RegExp>> = {
  go: /^package \w+\s*$|^func (?:\(\w* ?\*?[\w[\], ]+\) )?\w+[([]|^type \w+ (?:struct|interface) \{|^\s*[\w, ]+ := |^import \($/,
  python:
    /^\s*(?:async )?def \w+\(|^\s*class \w+(?:\(.*\))?:|^\s*from [\w.]+ import |^import [\w., ]+$|^\s+self\.\w|^\s*(?:elif|except)\b.*:\s*$/,
  typescript:
    /^import\b.*['"];?\s*$|^\s*export (?:default|const|async|function|class|abstract|interface|type|enum|declare|\{|\*)|^\s*(?:declare )?(?:const|let|var) (?:[\w$]+|\{.*\}|\[.*\])(?:: .*)? = |^\s*(?:async )?function\*? ?[\w$]*\(|\) => |^\s*(?:declare )?(?:interface|type) \w+.*[={]\s*$|\brequire\(['"]|^\s*(?:constructor|describe|it|test)\(/,
};

/** Lines of C, Java, Rust, C#, Kotlin, Swift, Scala, Perl, PHP, Ruby, Lua, Vim, shells, HTML. */
const OTHERS = new RegExp(
  [
    String.raw`#(?:include|define|ifn?def|endif|!.*sh)\b|(?:static |extern |inline |unsigned |struct )*(?:void|int|char|bool|size_t|float|double|long|auto)\b[ *]+\w+ ?[(;=\[]`,
    String.raw`(?:package|import|using|use) (?:static )?[\w.:*{}, ]+;\s*$|(?:public|private|protected|internal) (?:static |final |abstract |override |async )*(?:class|void|interface|int|string|String|bool|[A-Z]\w*(?:<.*>)?) \w+ ?[({;]`,
    String.raw`(?:pub(?:\(\w+\))? )?(?:fn|impl|mod|trait) \w|let mut |match \w+ \{|fun \w+|val \w+ =|func \w+\(.*\) ->|(?:sub|my|our) [\w$@%(]|\$\w+(?:->|\[| =)|<\?php|elsif\b|end\s*$|local \w+ =`,
    String.raw`(?:fi|esac|done|then|endif|endfunction|endfor)\b|echo ["$]|syn \w+ |let [gbslav]:|"\s|<\/?(?:html|head|body|div|span|p|a|ul|li|table|tr|td|meta|link|script|h\d)\b`,
  ]
    .map((sign) => `^\\s*(?:${sign})`)
    .join('|'),
);

/** By the lines that look like one; undefined where too few do, or more those of another language. */
function languageOf(lines: readonly string[]): Language | undefined {
  const sample = lines.slice(0, 2000).filter((line) => line.trim() !== '');
  const times = (sign: RegExp): number => sample.filter((line) => sign.test(line)).length;
  if (times(/^```/) > 1) return undefined;
  if (times(/^package \w+\s*$/) === 1 && times(SIGNS.go) >= LEAST_SIGNS) return 'go';
  const scored = (Object.keys(SIGNS) as Language[]).map((language) => ({
    language,
    score: times(SIGNS[language]),
  }));
  const best = scored.reduce((top, each) => (each.score > top.score ? each : top));
  const isEnough = best.score >= Math.max(LEAST_SIGNS, sample.length * LEAST_SHARE);
  return isEnough && best.score > times(OTHERS) ? best.language : undefined;
}

const LEAST_SIGNS = 3;
const LEAST_SHARE = 0.005;
