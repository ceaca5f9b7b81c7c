/** A binary heap of numbered items, highest score first; of equal scores the lower number. */
export class Heap {
  private readonly items: number[] = [];
  private readonly scores: number[] = [];

  get size(): number {
    return this.items.length;
  }

  topScore(): number {
    return this.scores[0] ?? -Infinity;
  }

  push(item: number, score: number): void {
    let at = this.items.length;
    this.items.push(item);
    this.scores.push(score);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!this.before(at, up)) break;
      this.swap(at, up);
      at = up;
    }
  }

  pop(): number | undefined {
    const top = this.items[0];
    if (top === undefined) return undefined;
    this.swap(0, this.items.length - 1);
    this.items.pop();
    this.scores.pop();
    let at = 0;
    for (;;) {
      let best = at;
      const left = at * 2 + 1;
      if (left < this.items.length && this.before(left, best)) best = left;
      if (left + 1 < this.items.length && this.before(left + 1, best)) best = left + 1;
      if (best === at) break;
      this.swap(at, best);
      at = best;
    }
    return top;
  }

  private before(a: number, b: number): boolean {
    const sa = this.scores[a]!;
    const sb = this.scores[b]!;
    return sa > sb || (sa === sb && this.items[a]! < this.items[b]!);
  }

  private swap(a: number, b: number): void {
    const { items, scores } = this;
    const item = items[a]!;
    items[a] = items[b]!;
    items[b] = item;
    const score = scores[a]!;
    scores[a] = scores[b]!;
    scores[b] = score;
  }
}
