/**
 * The byte loops in WebAssembly (src/kernel, built by scripts/kernel.mjs): in the cold they run fifty times as fast as
 * JavaScript, and no garbage comes of them.
 *
 * What one input needs in its memory is given back when the next one begins; nothing may be kept of it until then. A view
 * of the memory holds until something is allocated: ask for `memory()` anew.
 */

/** What the module exports. */
interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  alloc(size: number): number;
  reserve(size: number): number;
  settle(): void;
  giveBack(): void;
  shaStart(state: number): void;
  shaBlocks(state: number, from: number, size: number): void;
  shaEnd(state: number, from: number, size: number, total: number): void;
  useFilter(at: number): void;
  tokens(from: number, end: number, before: number): number;
  indexStart(): void;
  indexChunk(from: number, size: number, raw: number, rawSize: number, base: number, skip: number): void;
  indexLines(starts: number, glances: number, room: number): number;
  scanStart(): void;
  scanChunk(from: number, size: number, skip: number): void;
  scanLines(out: number, room: number): number;
  isCrowded(): number;
  crowdedStart(): number;
  crowdedEnd(): number;
  crowdedBody(): number;
  crowd(severity: number): number;
  emptyLine(): number;
  readonly shapeCount: { readonly value: number };
  shapesAt(): number;
  coarseCount(): number;
  readonly fieldCount: { readonly value: number };
  readonly fieldList: { readonly value: number };
  hashBytes(from: number, to: number): number;
  hashMasked(from: number, to: number): number;
  rowsStart(width: number, isByWords: boolean): number;
  readonly cells: { readonly value: number };
  cutRow(base: number, from: number, to: number): number;
  readCells(base: number): void;
  recordsStart(from: number, delimiter: number, isQuoted: boolean): void;
  cutRecord(from: number, limit: number, rest: number): number;
  readonly recordCells: { readonly value: number };
  readonly recordFilled: { readonly value: number };
  readonly recordSpaced: { readonly value: number };
  inkStart(): number;
  inkRow(from: number, to: number): void;
  ruleWords(from: number, to: number): number;
  wordsAt(): number;
  jsonEnd(from: number, limit: number): number;
  recordLines(from: number, end: number): number;
  readonly recordBytes: { readonly value: number };
  topNow(): number;
  popTo(mark: number): void;
  newGrid(width: number): number;
  gridRow(grid: number, base: number): void;
  columnAt(grid: number, column: number): number;
  flushValues(values: number): void;
  bytesUntil(bytes: number, rows: number): number;
  newRules(telling: number, glued: number): number;
  newPaths(room: number): number;
  findUnits(tape: number, rules: number, known: number): number;
  newPools(tree: number, placed: number, quote: number): number;
  poolFields(pool: number): number;
  poolStart(grid: number, structures: number): void;
  poolRows(): number;
  poolVerdict(severity: number): void;
  holdsNeedle(from: number, end: number, needles: number, size: number): number;
  longStrings(tape: number, least: number, out: number): number;
  newTape(count: number): number;
  readTape(placed: number, from: number, to: number, options: number): number;
  useLiterals(from: number, size: number): number;
  literalChunk(from: number, size: number): void;
  literalLines(out: number, room: number): number;
  useForms(from: number, size: number): void;
  useVerdict(start: number): void;
  isQuiet(start: number, body: number, end: number): number;
  suspect(start: number, from: number, end: number): number;
  nextForm(at: number, end: number): number;
  readonly suspicion: { readonly value: number };
  readonly formAt: { readonly value: number };
  newField(most: number): number;
  addNumber(field: number, value: number, unit: number): void;
  addWord(field: number, id: number, unit: number): void;
  addRun(field: number, id: number, first: number, last: number, size: number): void;
  finishField(field: number): void;
}

/** As far as it is used: the types of WebAssembly belong to the DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

let load: (() => Uint8Array) | undefined;
let exported: KernelExports | undefined;
let view = new Uint8Array(0);
let words = new Uint32Array(0);
let floats = new Float64Array(0);

/** Says where the module comes from; it is read when it is first asked. */
export function useKernel(read: () => Uint8Array): void {
  load ??= read;
}

/** The functions of the kernel. Throws where no module was provided, or where WebAssembly can't run it. */
export function kernel(): KernelExports {
  return exported ?? open();
}

function open(): KernelExports {
  if (load === undefined) throw new Error('no kernel was provided');
  const { Module, Instance } = WebAssembly;
  exported = new Instance(new Module(load()), {}).exports as KernelExports;
  out.at = exported.reserve(LINES * 5);
  filter.at = exported.reserve(FILTER_ROOM);
  exported.settle();
  return exported;
}

/** The memory of the kernel as bytes, until something is allocated. */
export function memory(): Uint8Array {
  if (view.length === 0) refresh();
  return view;
}

/** The same as words of 32 bits. */
export function memoryWords(): Uint32Array {
  if (words.length === 0) refresh();
  return words;
}

/** The same as numbers of 64 bits. */
export function memoryFloats(): Float64Array {
  if (floats.length === 0) refresh();
  return floats;
}

/** Views of a memory that has grown are empty. */
function refresh(): void {
  const { buffer } = kernel().memory;
  view = new Uint8Array(buffer);
  words = new Uint32Array(buffer);
  floats = new Float64Array(buffer);
}

/** So many lines are asked for at once. */
export const LINES = 16_384;
const out = { at: 0 };
const FILTER_ROOM = 1 << 18;
const filter = { at: 0 };

/** Where results are written: a word for each of `LINES` lines, then a byte for each. */
export function outAt(): number {
  kernel();
  return out.at;
}

/** Gives the kernel the vocabulary of the estimator; see word-filter.ts. */
export function placeFilter(bytes: Uint8Array): void {
  if (bytes.length > FILTER_ROOM) throw new RangeError('the vocabulary is too large');
  kernel();
  memory().set(bytes, filter.at);
  kernel().useFilter(filter.at);
}

/** Scanners read a few bytes too far; there stand line feeds. */
const MARGIN = 64;
const LEAST_ROOM = 1 << 14;
/** Places in the kernel's memory for a text, for the same with its control sequences, and for a line; they grow with need. */
const rooms = { text: newRoom(), raw: newRoom(), line: newRoom() };

interface Room {
  at: number;
  size: number;
  /** What lies there: it is not copied again. */
  held: Uint8Array | undefined;
}

function newRoom(): Room {
  return { at: 0, size: 0, held: undefined };
}

/** Begins an input: what the last one needed is given back. */
export function beginInput(): void {
  if (exported === undefined) return;
  exported.giveBack();
  for (const room of Object.values(rooms)) Object.assign(room, newRoom());
}

/** What is allocated while `work` runs is given back behind it. */
export function scoped<T>(work: () => T): T {
  const { topNow, popTo } = kernel();
  const mark = topNow();
  const result = work();
  popTo(mark);
  for (const room of Object.values(rooms)) if (room.at >= mark) Object.assign(room, newRoom());
  return result;
}

/** Does the same part of the same memory lie there already? */
function isHeld({ held }: Room, { buffer, byteOffset, length }: Uint8Array): boolean {
  return held?.buffer === buffer && held.byteOffset === byteOffset && held.length === length;
}

/**
 * Copies bytes into the kernel's memory, with line feeds behind them; they stay until the next ones come. A text that lies
 * there already is not copied again, so it may not change while its input is read.
 */
export function place(bytes: Uint8Array, which: keyof typeof rooms = 'text'): number {
  const room = rooms[which];
  if (which !== 'line') {
    if (isHeld(room, bytes)) return room.at;
    if (isHeld(rooms.text, bytes)) return rooms.text.at;
  }
  return fill(room, bytes);
}

/** The same for what is no part of an input. */
export function placeAnew(bytes: Uint8Array): number {
  return fill(rooms.text, bytes);
}

function fill(room: Room, bytes: Uint8Array): number {
  const { length } = bytes;
  if (length > room.size || room.size === 0) {
    room.size = Math.max(LEAST_ROOM, length);
    room.at = kernel().reserve(room.size + MARGIN);
  }
  const bytesOf = memory();
  bytesOf.set(bytes, room.at);
  bytesOf.fill(10, room.at + length, room.at + length + MARGIN);
  room.held = bytes;
  return room.at;
}
