export type ListForm = 'ls' | 'paths' | 'tree';

/** `drwxr-xr-x. 2 root root 4096 Jan 1 12:00 name` */
export const LONG =
  /^([-dlbcpsDPC])([-rwxsStTl]{9})[.+@]?\s+\d+\s+(\S+)\s+(\S+)\s+(?:\d+,\s+)?([\d.,]+[KMGTPkB]?)\s+(?:\w{3}\s+\d+\s+[\d:]+|\d+\s+\w{3}\s+[\d:]+|\d{4}-\d\d-\d\d \d\d:\d\d(?::[\d.]+ [-+]\d{4})?|\d\d-\d\d \d\d:\d\d)\s(.*)$/;
export const TOTAL = /^total [\d.,]+[KMGT]?$/;
/** Lines before the name: `│   ├── `, `|   |-- `, with blanks that do not break in UTF-8. */
export const BRANCH =
  /^((?:\xe2\x94\x82|\xc2\xa0|\|| )*)(?:\xe2\x94[\x9c\x94]\xe2\x94\x80\xe2\x94\x80|[|`+\\]--)(?: |\xc2\xa0)+(.*)$/;
const PATH = /^(?:[A-Za-z]:)?[^\s:"'<>|*?={},;()]{1,400}$/;

/** Does a line show that it is of a list of that form? The first looks spare most lines the patterns. */
export function showsForm(form: ListForm, text: string): boolean {
  if (form === 'paths') return isPlainPath(text);
  if (form === 'tree') return (text.includes('\xe2\x94') || text.includes('--')) && BRANCH.test(text);
  if (text.endsWith(':')) return /^\.{0,2}\/?[^\s:]*:$/.test(text) || LONG.test(text);
  if (text.startsWith('total ')) return TOTAL.test(text);
  return TYPES.includes(text[0] ?? ' ') && MODES.includes(text[1] ?? ' ') && LONG.test(text);
}

/** What `LONG` begins with. */
const TYPES = '-dlbcpsDPC';
const MODES = '-rwxsStTl';

/** A path and nothing else. */
export function isPlainPath(text: string): boolean {
  return !text.includes(' ') && (text.includes('/') || text.includes('\\')) && PATH.test(text);
}
