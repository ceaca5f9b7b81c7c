/**
 * The byte loops in WebAssembly (src/kernel, built by scripts/kernel.mjs): in the cold they run fifty times as fast as
 * JavaScript, and no garbage comes of them.
 *
 * What one input needs in its memory is given back when the next one begins; nothing may be kept of it until then. A view
 * of the memory holds until something is allocated: ask for `memory()` anew.
 */
import type { KernelExports } from './kernel-exports.ts';

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

/** Gives the kernel the vocabulary of the estimator, which `read` puts into its memory; see word-filter.ts. */
export function placeFilter(read: (room: Uint8Array) => void): void {
  kernel();
  read(memory().subarray(filter.at, filter.at + FILTER_ROOM));
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
  forget(mark, Infinity);
  return result;
}

/** What is allocated while `work` runs is taken from the `size` bytes at `at`, which were reserved for it. */
export function within<T>(at: number, size: number, work: () => T): T {
  const { topNow, popTo } = kernel();
  const top = topNow();
  popTo(at);
  const result = work();
  if (topNow() > at + size) throw new RangeError('more was needed than was reserved');
  popTo(top);
  forget(at, at + size);
  return result;
}

/** What lies in places that are given back is copied again. */
function forget(from: number, to: number): void {
  for (const room of Object.values(rooms))
    if (room.at >= from && room.at < to) Object.assign(room, newRoom());
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

/** Makes the place for texts large enough for `size` bytes. */
export function makeRoom(size: number): void {
  enlarge(rooms.text, size);
}

function enlarge(room: Room, size: number): void {
  if (size <= room.size && room.size > 0) return;
  room.size = Math.max(LEAST_ROOM, size);
  room.at = kernel().reserve(room.size + MARGIN);
  room.held = undefined;
}

function fill(room: Room, bytes: Uint8Array): number {
  const { length } = bytes;
  enlarge(room, length);
  const bytesOf = memory();
  bytesOf.set(bytes, room.at);
  bytesOf.fill(10, room.at + length, room.at + length + MARGIN);
  room.held = bytes;
  return room.at;
}
