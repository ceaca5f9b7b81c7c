import { kernel, memory, memoryWords } from '../kernel.ts';
import { type Tape, tapeAt } from './tape.ts';

/**
 * The units of a tape: elements of lists, members of maps, and members of objects that are large. What is small belongs
 * to the unit around it. Units are in the order of their starts; a unit inside of another comes behind it.
 */
export interface JsonUnits {
  /** Where the kernel has them; that holds until the next input begins. */
  readonly at: number;
  readonly count: number;
  /** The value of each unit. */
  readonly nodes: Uint32Array;
  readonly parents: Int32Array;
  readonly parentOf: (unit: number) => number;
  /** The first unit behind all that is inside of a unit. */
  readonly afterOf: (unit: number) => number;
  /** The unit before it under the same parent, if nothing but a comma is between them; -1. */
  readonly beforeOf: (unit: number) => number;
  /** The path of a value, which elements of a list share, and the unit that it belongs to. */
  readonly pathOf: (node: number) => number;
  readonly ownerOf: (node: number) => number;
}

/** A member of fewer bytes belongs to its object, a list of fewer to what is around it. */
const LEAST_FOLDED = 300;
/** Members from which on an object may be a map. */
const LEAST_MAP = 6;
const LEAST_SCALAR_MAP = 40;
/** A list inside of a list with so few elements, all scalars, is a tuple: its index is a field. */
const MOST_TUPLE = 24;
/** Elements of a small list that are told apart. */
const MOST_INDEXES = 4;

/** Keys of what tells an object from its likes, or says how it is. An object with one of them is never folded. */
const TELLING = new Set(
  'name id uid uuid status state phase reason severity level'.split(' ').map((key) => hashKey(key)),
);

/** The hash of a key as the tape has it. */
export function hashKey(key: string): number {
  let hash = 0x811c9dc5 | 0;
  for (const c of Buffer.from(key)) hash = Math.imul(hash ^ c, 0x01000193);
  return hash >>> 0;
}

export interface UnitOptions {
  /** Hashes of the keys of what is never folded. */
  readonly telling: ReadonlySet<number>;
  /** Values that are no units of their own. */
  readonly glued?: Uint8Array;
}

export const JSON_UNITS: UnitOptions = { telling: TELLING };

/**
 * Finds the units of a tape; the kernel does it (src/kernel/tree.ts). `paths` is where it has those of other tapes of the
 * same text, if it has any.
 */
export function unitsOf(tape: Tape, options: UnitOptions, paths = 0): JsonUnits {
  const tree = kernel().findUnits(tapeAt(tape), rulesAt(options), paths) >> 2;
  const [, count, nodes, parents, afters, befores, pathsAt, owners] = memoryWords().subarray(
    tree,
    tree + MEMBERS,
  );
  const column = (at: number): Uint32Array => memoryWords().slice(at >> 2, (at >> 2) + count!);
  const parentsOf = new Int32Array(column(parents!).buffer);
  const after = column(afters!);
  const before = new Int32Array(column(befores!).buffer);
  return {
    at: tree << 2,
    count: count!,
    nodes: column(nodes!),
    parents: parentsOf,
    parentOf: (unit) => parentsOf[unit]!,
    afterOf: (unit) => after[unit]!,
    beforeOf: (unit) => before[unit]!,
    pathOf: (node) => memoryWords()[(pathsAt! >> 2) + node]!,
    ownerOf: (node) => memoryWords()[(owners! >> 2) + node]!,
  };
}

const MEMBERS = 8;

/** Gives the kernel the rules. */
function rulesAt({ telling, glued }: UnitOptions): number {
  const at = kernel().newRules(telling.size, glued?.length ?? 0) >> 2;
  const words = memoryWords();
  words.set([LEAST_FOLDED, LEAST_MAP, LEAST_SCALAR_MAP, MOST_TUPLE, MOST_INDEXES], at);
  words.set([...telling], words[at + TELLING_AT]! >> 2);
  if (glued !== undefined) memory().set(glued, words[at + GLUED_AT]!);
  return at << 2;
}

const TELLING_AT = 5;
const GLUED_AT = 7;
