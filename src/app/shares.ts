/**
 * Shares out a budget among needs. Small needs are met; the largest give way first, down to the next largest, and so on.
 * What can't be shared evenly goes to the lower index.
 */
export function shares(needs: readonly number[], total: number): number[] {
  const given = [...needs];
  const order = needs.map((_, i) => i).sort((a, b) => needs[a]! - needs[b]! || a - b);
  let left = Math.max(0, Math.floor(total));
  let met = 0;
  while (met < order.length && needs[order[met]!]! <= Math.floor(left / (order.length - met))) {
    left -= needs[order[met]!]!;
    met += 1;
  }
  const cut = order.slice(met).sort((a, b) => a - b);
  const each = Math.floor(left / Math.max(1, cut.length));
  const more = left - each * cut.length;
  cut.forEach((index, n) => {
    given[index] = each + (n < more ? 1 : 0);
  });
  return given;
}
