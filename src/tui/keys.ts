import type { Key } from 'ink';
import type { KeyName } from './state.ts';

const LETTERS: Readonly<Record<string, KeyName>> = {
  k: 'up',
  j: 'down',
  h: 'left',
  l: 'right',
  g: 'home',
  G: 'end',
  p: 'pause',
  ' ': 'pause',
  s: 'sort',
  e: 'explain',
  d: 'diff',
  '?': 'help',
  q: 'quit',
  // Where several keys came at once.
  '\t': 'tab',
  '\r': 'enter',
  '\u007f': 'back',
  '\u0003': 'quit',
};

const SPECIAL: ReadonlyArray<readonly [keyof Key, KeyName]> = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageUp'],
  ['pageDown', 'pageDown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'back'],
  ['backspace', 'back'],
  ['delete', 'back'],
  ['tab', 'tab'],
];

/** What was typed, as names; several characters may come at once. */
export function keyNames(input: string, key: Key): readonly KeyName[] {
  if (key.ctrl) return [input === 'c' ? 'quit' : 'other'];
  if (key.meta && !key.escape) return ['other'];
  const special = SPECIAL.find(([name]) => key[name]);
  if (special !== undefined) return [special[1]];
  return Array.from(input, (letter) => LETTERS[letter] ?? 'other');
}
