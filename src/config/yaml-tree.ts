/** Reads with the `yaml` package (`edit.ts` is the other file that knows it); part of the lazy chunk of parse.ts. */
import {
  Composer,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  Parser,
  type CST,
  type Document,
  type YAMLMap,
} from 'yaml';
import { quoted } from './problems.ts';

/** One entry of a map, merge keys (`<<`) resolved. */
interface Entry {
  readonly key: string;
  readonly offset: number;
  readonly value: unknown;
}

export interface Tree {
  /** The document's top map; null for an empty document. */
  readonly root: readonly Entry[] | null;
  /** A node as plain data, and where the parts of it are, by `pathKey`. Throws `YamlError`. */
  readonly plain: (entry: Entry) => {
    readonly value: unknown;
    readonly offsets: ReadonlyMap<string, number>;
  };
}

/** Thrown by `readTree` and `Tree.plain`, caught in parse.ts. */
export class YamlError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

// The composer recurses; V8 kills the process when a regex is compiled on a stack that is nearly used up.
const MAX_DEPTH = 64;
const MAX_NODES = 50_000;
// Finding an anchor walks the whole document.
const MAX_ALIASES = 100;

/** Under which a node is found in `offsets`. */
export function pathKey(path: ReadonlyArray<string | number>): string {
  return JSON.stringify(path);
}

/**
 * Parses one YAML document. `lines` learns where lines begin; only `ourBlock` may not be given twice at the top.
 * Throws `YamlError` for broken, huge or deep ones.
 */
export function readTree(text: string, ourBlock: string, lines: LineCounter): Tree {
  const tokens: CST.Token[] = [];
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    checkDepth(token);
    tokens.push(token);
  }
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  let document: Document.Parsed | undefined;
  for (const parsed of composer.compose(tokens, true, text.length)) {
    const [error] = parsed.errors;
    if (error) throw new YamlError(error.message, error.pos[0]);
    if (document) throw new YamlError('several documents in one file', parsed.range[0]);
    document = parsed;
  }
  return treeOf(document, ourBlock);
}

function treeOf(document: Document.Parsed | undefined, ourBlock: string): Tree {
  const reader = new NodeReader(document);
  const top = reader.resolved(document?.contents);
  if (isMap(top))
    return { root: reader.entries(top, 0, (key) => key !== ourBlock), plain: (entry) => reader.plain(entry) };
  const isEmpty = top === null || top === undefined || (isScalar(top) && top.value === null);
  if (!isEmpty) throw new YamlError('the file is not a map of blocks', document?.contents?.range?.[0] ?? 0);
  return { root: null, plain: (entry) => reader.plain(entry) };
}

/** Walks a token tree without recursion. */
function checkDepth(token: CST.Token): void {
  const open: Array<readonly [CST.Token, number]> = [[token, 0]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [current, depth] = next;
    if (depth > MAX_DEPTH) throw new YamlError(`nested deeper than ${MAX_DEPTH} levels`, current.offset);
    if ('value' in current && current.value) open.push([current.value, depth + 1]);
    if (!('items' in current)) continue;
    for (const item of current.items) {
      if (item.key) open.push([item.key, depth + 1]);
      if (item.value) open.push([item.value, depth + 1]);
    }
  }
}

/** Turns nodes into plain data within fixed limits on nodes, aliases and depth. */
class NodeReader {
  readonly #document: Document.Parsed | undefined;
  #nodes = 0;
  #aliases = 0;
  #offsets = new Map<string, number>();

  constructor(document: Document.Parsed | undefined) {
    this.#document = document;
  }

  plain(entry: Entry): { value: unknown; offsets: ReadonlyMap<string, number> } {
    this.#offsets = new Map();
    return { value: this.#convert(entry.value, [], entry.offset), offsets: this.#offsets };
  }

  /** The node an alias stands for, any other node itself. */
  resolved(node: unknown): unknown {
    let target = node;
    while (isAlias(target) && this.#document) {
      const offset = target.range?.[0] ?? 0;
      if (++this.#aliases > MAX_ALIASES) throw new YamlError(`more than ${MAX_ALIASES} aliases`, offset);
      const found: unknown = target.resolve(this.#document);
      if (found === undefined) throw new YamlError(`the anchor of *${target.source} is missing`, offset);
      target = found;
    }
    return target;
  }

  entries(map: YAMLMap, depth: number, mayRepeat: (key: string) => boolean = () => false): Entry[] {
    const own = new Map<string, Entry>();
    const merged: Entry[] = [];
    for (const { key, value } of map.items) {
      const offset = offsetOf(key) ?? 0;
      this.#count(offset, depth);
      const name = isScalar(key) ? String(key.value) : '(a key that is no text)';
      if (isMergeKey(key)) merged.push(...this.#merge(value, offset, depth));
      else if (own.has(name) && !mayRepeat(name))
        throw new YamlError(`the key ${quoted(name)} is given twice`, offset);
      else own.set(name, { key: name, offset, value });
    }
    for (const entry of merged) if (!own.has(entry.key)) own.set(entry.key, entry);
    return [...own.values()];
  }

  /** What `<<` brings in: a map, or a list of maps of which the first wins. */
  #merge(value: unknown, offset: number, depth: number): Entry[] {
    const source = this.resolved(value);
    const maps = isSeq(source) ? source.items.map((item) => this.resolved(item)) : [source];
    return maps.flatMap((map) => {
      if (!isMap(map)) throw new YamlError('<< needs a map or a list of maps', offset);
      return this.entries(map, depth + 1);
    });
  }

  #convert(node: unknown, path: ReadonlyArray<string | number>, near: number): unknown {
    const offset = offsetOf(node) ?? near;
    this.#count(offset, path.length);
    const target = this.resolved(node);
    if (isMap(target)) {
      const pairs = this.entries(target, path.length).map(({ key, offset: at, value }) => {
        this.#offsets.set(pathKey([...path, key]), at);
        return [key, this.#convert(value, [...path, key], at)] as const;
      });
      return Object.fromEntries(pairs);
    }
    if (isSeq(target)) {
      return target.items.map((item, index) => {
        const at = offsetOf(item) ?? offset;
        this.#offsets.set(pathKey([...path, index]), at);
        return this.#convert(item, [...path, index], at);
      });
    }
    return isScalar(target) ? target.value : null;
  }

  #count(offset: number, depth: number): void {
    if (++this.#nodes > MAX_NODES)
      throw new YamlError(`more than ${MAX_NODES} values, aliases counted in full`, offset);
    if (depth > MAX_DEPTH) throw new YamlError(`nested deeper than ${MAX_DEPTH} levels`, offset);
  }
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}
