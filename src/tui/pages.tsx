/** What is shown in the place of the lists: one opened row, help, and that no daemon answers. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { Line } from './cells.tsx';
import { bytes, count, percent, span, took } from './format.ts';
import { bodyRows } from './layout.ts';
import type { Item, Page, State } from './state.ts';

/** Nothing was ever heard. */
export function NoDaemon({ state }: { readonly state: State }): ReactNode {
  const { link, address } = state;
  if (link.kind !== 'down') return <Line dimColor>asking {address}</Line>;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line bold>No daemon answers: {link.why}.</Line>
      <Text wrap="wrap" dimColor>
        {address}
      </Text>
      <Line> </Line>
      <Line>
        Start one with{' '}
        <Text bold color="cyan">
          ctxzip daemon start
        </Text>
      </Line>
      <Line dimColor>Asking again every second.</Line>
    </Box>
  );
}

const HELP = [
  ['up, k, down, j', 'move'],
  ['PgUp, PgDn, g, G', 'move far'],
  ['Tab', 'the other list'],
  ['Enter, e', 'explain: what stayed, and why'],
  ['d', 'diff: the view against its original'],
  ['left, right', 'in a text: move to the side'],
  ['Esc, Backspace', 'back'],
  ['s', 'sort tools and shapes'],
  ['p, Space', 'pause'],
  ['q, Ctrl-C', 'quit'],
] as const;

export function Help({ state }: { readonly state: State }): ReactNode {
  return (
    <Box flexDirection="column" height={state.size.rows - 2} overflow="hidden">
      {HELP.map(([keys, what]) => (
        <Line key={keys}>
          <Text color="cyan">{keys.padEnd(18)}</Text>
          {what}
        </Line>
      ))}
      <Line> </Line>
      <Line dimColor>Tokens are estimated. Today and yesterday, whoever made them: pipe, run or daemon.</Line>
    </Box>
  );
}

type ItemPage = Extract<Page, { kind: 'item' }>;

export function Opened({ state, page }: { readonly state: State; readonly page: ItemPage }): ReactNode {
  const rows = bodyRows(state.size);
  const lines = page.lines[page.text];
  const shown = lines?.slice(page.top, page.top + rows) ?? [];
  const where = lines === undefined ? '' : ` ${page.top + 1}-${page.top + shown.length} of ${lines.length}`;
  return (
    <Box flexDirection="column" height={rows + 1} overflow="hidden">
      <Line bold>
        {page.text.toUpperCase()}
        {where} <Text dimColor>{factsOf(page.item, state.nowMs)}</Text>
      </Line>
      {lines === undefined && <Line dimColor>reading the original …</Line>}
      {shown.map((line, i) => (
        <Line key={page.top + i} {...paintOf(line, page)}>
          {Array.from(line).slice(page.left).join('') || ' '}
        </Line>
      ))}
    </Box>
  );
}

function factsOf(item: Item, nowMs: number): string {
  const ago = `${span(nowMs - item.at)} ago`;
  const name = [(item.hash ?? '').slice(0, 12), item.tool].filter(Boolean).join(' ');
  if (item.list === 'expansions') return `${name}, expanded ${ago}, ${count(item.tokens)} tokens`;
  const { tokensBefore: before, tokensAfter: after, bytes: size, ms } = item;
  const tokens =
    before === undefined || after === undefined ? bytes(size) : `${percent(before, after)} saved`;
  return `${name}, ${ago}, ${tokens}, ${took(ms)}`;
}

/** The colours of a diff. */
function paintOf(line: string, { text }: ItemPage): { color?: string; bold?: boolean } {
  if (text !== 'diff') return {};
  if (line.startsWith('---') || line.startsWith('+++')) return { bold: true };
  const color = { '-': 'red', '+': 'green', '@': 'cyan' }[line.charAt(0)];
  return color === undefined ? {} : { color };
}
