/** Rows as aligned columns, two blanks apart; the columns named in `right` end at the same place. */
export function columns(rows: ReadonlyArray<readonly string[]>, right: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, c) => Math.max(...rows.map((row) => row[c]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, c) => (right.includes(c) ? cell.padStart(widths[c]!) : cell.padEnd(widths[c]!)))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join('');
}
