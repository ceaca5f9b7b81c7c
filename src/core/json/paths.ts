/** Paths of values as numbers: a parent path and a step from it. Elements and members of maps share the step `ANY`. */

/** The step to any element of a list or member of a map. */
export const ANY = 0xffffffff;
/** The step to a line between records. */
export const LINE = 0xfffffffe;
/** The path of the root. */
export const ROOT = 0;

export class Paths {
  count = 1;
  private slots = new Int32Array(1 << 10).fill(-1);
  private parents = new Uint32Array(1 << 9);
  private steps = new Uint32Array(1 << 9);
  /** A node that has the path: the first one that was met. */
  private firsts = new Uint32Array(1 << 9);

  /** The path one step from `parent`; `step` is the hash of a key, an index or `ANY`. */
  child(parent: number, step: number, node: number): number {
    const mask = this.slots.length - 1;
    let at = (Math.imul(parent ^ Math.imul(step, 0x9e3779b1), 0x85ebca6b) >>> 7) & mask;
    for (;;) {
      const id = this.slots[at]!;
      if (id < 0) break;
      if (this.parents[id] === parent && this.steps[id] === step) return id;
      at = (at + 1) & mask;
    }
    const id = this.count;
    if (id === this.parents.length) this.grow();
    this.parents[id] = parent;
    this.steps[id] = step;
    this.firsts[id] = node;
    this.count += 1;
    if (this.count * 2 > this.slots.length) this.rehash();
    else this.slots[at] = id;
    return id;
  }

  parentOf(path: number): number {
    return this.parents[path]!;
  }

  /** A node of the path. */
  nodeOf(path: number): number {
    return this.firsts[path]!;
  }

  private grow(): void {
    const more = (old: Uint32Array): Uint32Array<ArrayBuffer> => {
      const larger = new Uint32Array(old.length * 2);
      larger.set(old);
      return larger;
    };
    this.parents = more(this.parents);
    this.steps = more(this.steps);
    this.firsts = more(this.firsts);
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let id = 1; id < this.count; id += 1) {
      let at =
        (Math.imul(this.parents[id]! ^ Math.imul(this.steps[id]!, 0x9e3779b1), 0x85ebca6b) >>> 7) & mask;
      while (this.slots[at]! >= 0) at = (at + 1) & mask;
      this.slots[at] = id;
    }
  }
}
