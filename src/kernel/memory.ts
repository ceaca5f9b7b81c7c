// A bump allocator over the linear memory. What one input needs is given back at once, by `reset`.

let top: usize = 0;
let floor: usize = 0;

/** Room of `size` bytes, aligned to 16, zeroed. It lives until `reset`. */
export function alloc(size: usize): usize {
  const at = reserve(size);
  memory.fill(at, 0, size);
  return at;
}

/** The same with whatever bytes are there. */
export function reserve(size: usize): usize {
  if (top === 0) top = (__heap_base + 15) & ~15;
  const at = top;
  top = (top + size + 15) & ~15;
  const pages = <i32>((top + 0xffff) >>> 16) - memory.size();
  if (pages > 0 && memory.grow(max(pages, memory.size() >> 2)) < 0) unreachable();
  return at;
}

/** What is allocated so far outlives every `reset`. */
export function settle(): void {
  floor = top;
}

/** Gives back everything since `settle`. */
export function giveBack(): void {
  top = floor;
}

/** Where the next room starts, for `popTo`. */
export function topNow(): usize {
  return top;
}

/** Gives back everything since `topNow` said so. */
export function popTo(mark: usize): void {
  top = mark;
}

/** A larger room with the first `size` bytes of the old one. */
export function enlarged(old: usize, size: usize, larger: usize): usize {
  const at = reserve(larger);
  memory.copy(at, old, size);
  return at;
}
