const line = (cells) => `| ${cells.join(' | ')} |`;

/** A Markdown table; columns behind the first are for numbers. */
export function markdown(head, rows) {
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** `12,345` */
export const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ',');
