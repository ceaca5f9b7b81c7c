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
    const { items, scores } = this;
    let at = items.length;
    while (at > 0) {
      const up = (at - 1) >> 1;
      const above = scores[up]!;
      if (above > score || (above === score && items[up]! < item)) break;
      items[at] = items[up]!;
      scores[at] = above;
      at = up;
    }
    items[at] = item;
    scores[at] = score;
  }

  pop(): number | undefined {
    const { items, scores } = this;
    const top = items[0];
    const item = items.pop();
    const score = scores.pop();
    const count = items.length;
    if (item === undefined || score === undefined || count === 0) return top;
    // The last one sinks from the top.
    let at = 0;
    for (let below = 1; below < count; below = 2 * at + 1) {
      const right = below + 1;
      if (right < count) {
        const difference = scores[right]! - scores[below]!;
        if (difference > 0 || (difference === 0 && items[right]! < items[below]!)) below = right;
      }
      const best = scores[below]!;
      if (score > best || (score === best && item < items[below]!)) break;
      items[at] = items[below]!;
      scores[at] = best;
      at = below;
    }
    items[at] = item;
    scores[at] = score;
    return top;
  }
}
