/** JSON as a tree of its raw texts, so that `1.0`, duplicate keys and escapes are what they were; and views against it. */
import { findMarkers } from '../../src/core/marker.ts';

export type Tree =
  | { readonly kind: 'scalar'; readonly raw: string }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: ReadonlyArray<readonly [key: string, value: Tree]> };

/** Reads one value; throws where `JSON.parse` does. */
export function readTree(text: string): Tree {
  JSON.parse(text);
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs) ?? [];
  let at = 0;
  const read = (): Tree => {
    const token = tokens[at++]!;
    if (token === '[') {
      const items: Tree[] = [];
      while (tokens[at] !== ']') {
        items.push(read());
        if (tokens[at] === ',') at += 1;
      }
      at += 1;
      return { kind: 'list', items };
    }
    if (token === '{') {
      const members: Array<[string, Tree]> = [];
      while (tokens[at] !== '}') {
        const key = tokens[at]!;
        at += 2;
        members.push([key, read()]);
        if (tokens[at] === ',') at += 1;
      }
      at += 1;
      return { kind: 'object', members };
    }
    return { kind: 'scalar', raw: token };
  };
  return read();
}

/** How many units the marker that a text consists of stands for; undefined where it is none. */
function hiddenBy(text: string): number | undefined {
  if (!/^<<ctxzip[ :][^<>]*>>$/.test(text)) return undefined;
  return findMarkers(text)[0]?.count;
}

/** How many elements an element of a view stands for, if it is a marker; `own` is what stands at its place. */
function standsFor(item: Tree, own: Tree | undefined): number | undefined {
  if (JSON.stringify(item) === JSON.stringify(own)) return undefined;
  if (item.kind === 'scalar') return hiddenBy(item.raw.slice(1, -1));
  if (item.kind !== 'object' || item.members.length !== 1) return undefined;
  const [key, value] = item.members[0]!;
  return key === '"_ctxzip"' && value.kind === 'scalar' ? hiddenBy(value.raw.slice(1, -1)) : undefined;
}

/** What a view says that its original does not, or leaves out without a marker; undefined: nothing. */
export function difference(view: Tree, original: Tree, path = ''): string | undefined {
  if (view.kind === 'scalar') {
    if (original.kind === 'scalar' && view.raw === original.raw) return undefined;
    if (hiddenBy(view.raw.slice(1, -1)) !== undefined) return undefined;
    return original.kind === 'scalar' && isCutInside(view.raw, original.raw)
      ? undefined
      : `${path}: ${view.raw.slice(0, 80)}`;
  }
  if (view.kind === 'list' && original.kind === 'list')
    return listDifference(view.items, original.items, path);
  if (view.kind === 'object' && original.kind === 'object') {
    return memberDifference(view.members, original.members, path);
  }
  return `${path}: another kind of value`;
}

function listDifference(items: readonly Tree[], own: readonly Tree[], path: string): string | undefined {
  let at = 0;
  for (const item of items) {
    const hidden = standsFor(item, own[at]);
    if (hidden !== undefined) {
      at += hidden;
      continue;
    }
    if (at >= own.length) return `${path}: more elements than there were`;
    const found = difference(item, own[at]!, `${path}/${at}`);
    if (found !== undefined) return found;
    at += 1;
  }
  return at === own.length ? undefined : `${path}: ${at} of ${own.length} elements`;
}

function memberDifference(
  members: Extract<Tree, { kind: 'object' }>['members'],
  own: Extract<Tree, { kind: 'object' }>['members'],
  path: string,
): string | undefined {
  let at = 0;
  for (const [key, value] of members) {
    const isOwn = own[at]?.[0] === key && JSON.stringify(own[at]![1]) === JSON.stringify(value);
    const hidden =
      !isOwn && /^"_ctxzip\d*_*"$/.test(key) && value.kind === 'scalar'
        ? hiddenBy(value.raw.slice(1, -1))
        : undefined;
    if (hidden !== undefined) {
      if (own.some(([name]) => name === key)) return `${path}: the marker's key ${key} is taken`;
      at += hidden;
      continue;
    }
    if (own[at]?.[0] !== key) return `${path}: ${key} stands where ${own[at]?.[0]} was`;
    const found = difference(value, own[at]![1], `${path}/${key}`);
    if (found !== undefined) return found;
    at += 1;
  }
  return at === own.length ? undefined : `${path}: ${at} of ${own.length} members`;
}

/** Are the pieces between the markers of a string those of the other one, in order? */
function isCutInside(view: string, original: string): boolean {
  const markers = findMarkers(view);
  if (markers.length === 0) return false;
  let at = 0;
  let viewAt = 0;
  for (const { start, end } of markers) {
    // What is around a marker that stands in JSON or CSV in a string is none of the original's.
    const piece = view
      .slice(viewAt, start)
      .replace(/(?:\{?\\*"_ctxzip\d*_*\\*":)?\\*"?$|(?: |\\t)*(?:# )?$/, '');
    const found = original.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
    viewAt = end + /^(?:\\*"(?:\}|(?:,|;|\\+t)*))?(?:\\+r)?(?:\\+n)?/.exec(view.slice(end))![0].length;
  }
  return original.endsWith(view.slice(viewAt));
}

/** Says one value what the other one says, perhaps less of it? Lists lose elements, maps members, texts lines. */
export function isWithin(view: unknown, original: unknown): boolean {
  if (typeof view === 'string' && view.includes('<<ctxzip')) return typeof original === 'string';
  if (typeof original !== 'object' || original === null) return Object.is(view, original);
  // All that a map or a list held went.
  if (view === null) return true;
  if (Array.isArray(view)) return Array.isArray(original) && isPartOfList(view, original);
  if (typeof view !== 'object') return false;
  const own = original as Readonly<Record<string, unknown>>;
  return Object.entries(view).every(([key, value]) => Object.hasOwn(own, key) && isWithin(value, own[key]));
}

function isPartOfList(view: readonly unknown[], original: readonly unknown[]): boolean {
  let at = 0;
  for (const item of view) {
    while (at < original.length && !isWithin(item, original[at])) at += 1;
    if (at === original.length) return false;
    at += 1;
  }
  return true;
}
