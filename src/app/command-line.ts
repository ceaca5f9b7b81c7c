import { scrub } from './scrub.ts';

/** So many characters of a command line are looked at … */
const LOOKED_AT = 8192;
/** … and so many of it are stored. */
const STORED = 1000;
/** Stands for an apostrophe inside of a quoted word while credentials are looked for. */
const APOSTROPHE = '\u0001';

/** The words of a command as `tools:` compares them, cut where they are very long. */
export function commandLine(words: readonly [string, ...string[]]): string {
  const [program, ...args] = words;
  // A folder with a blank in it would be taken for the program.
  const name = /\s/.test(program) ? program.replace(/^.*[/\\]/s, '') : program;
  return [name, ...args].join(' ').slice(0, LOOKED_AT);
}

/** The words of a command for the store: quoted as for a shell, without credentials, cut where they are very long. */
export function storedCommand(words: readonly string[]): string {
  const parts: string[] = [];
  let left = LOOKED_AT;
  for (const word of words) {
    // A part of a word could be a part of a credential, which nothing would recognise.
    const part = word.length > LOOKED_AT ? '…' : quoted(scrub(word));
    left -= part.length + 1;
    if (left < 0) {
      parts.push('…');
      break;
    }
    parts.push(part);
  }
  const text = scrub(parts.join(' ')).replaceAll(APOSTROPHE, "'\\''");
  return text.length > STORED ? `${text.slice(0, STORED)}…` : text;
}

/** A word as a shell reads it; of `NAME=VALUE` only the value is quoted. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./*-]+$/.test(word)) return word;
  const [, name = '', value = ''] = /^(-{0,2}[\w.-]+=)?(.*)$/s.exec(word) ?? [];
  return `${name}'${value.replaceAll("'", APOSTROPHE)}'`;
}
