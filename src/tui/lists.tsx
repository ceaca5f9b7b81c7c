/** The tables and lists of the screen. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Tally } from '../daemon/protocol.ts';
import { Cell, Head, Line, Row } from './cells.tsx';
import { bytes, count, percent, span, took } from './format.ts';
import { firstShown, type Plan } from './layout.ts';
import { type Item, itemsOf, keyOf, type List, sorted, type State } from './state.ts';

/** By tool and by shape, side by side. */
export function Tallies({ state, rows }: { readonly state: State; readonly rows: number }): ReactNode {
  const { byTool, byShape } = state.stats!.today;
  const width = Math.floor((state.size.columns - TABLE_GAP) / 2);
  return (
    <Box flexShrink={0} gap={TABLE_GAP} marginBottom={1}>
      <Table name="TOOL" tallies={sorted(byTool, state.sort)} rows={rows} width={width} />
      <Table name="SHAPE" tallies={sorted(byShape, state.sort)} rows={rows} width={width} />
    </Box>
  );
}

const TABLE_GAP = 3;

interface TableProps {
  readonly name: string;
  readonly tallies: readonly Tally[];
  readonly rows: number;
  readonly width: number;
}

function Table({ name, tallies, rows, width }: TableProps): ReactNode {
  return (
    <Box flexDirection="column" width={width} flexShrink={0} height={rows + 1} overflow="hidden">
      <Row>
        <Cell bold>{name}</Cell>
        {['RUNS', 'SAVED', 'SHARE'].map((head) => (
          <Cell key={head} bold width={6} isRight>
            {head}
          </Cell>
        ))}
      </Row>
      {tallies.slice(0, rows).map(({ name: own, runs, tokensBefore, tokensAfter }) => (
        <Row key={own}>
          <Cell>{own}</Cell>
          <Cell width={6} isRight>
            {count(runs)}
          </Cell>
          <Cell width={6} isRight color="green">
            {count(tokensBefore - tokensAfter)}
          </Cell>
          <Cell width={6} isRight>
            {percent(tokensBefore, tokensAfter)}
          </Cell>
        </Row>
      ))}
    </Box>
  );
}

const TITLES: Readonly<Record<List, string>> = {
  compressions: 'LAST COMPRESSIONS',
  expansions: 'LAST EXPANSIONS',
};

interface RecentProps {
  readonly state: State;
  readonly list: List;
  readonly rows: number;
}

/** A list of rows, of which one is chosen where the keys move in it. */
export function RecentList({ state, list, rows }: RecentProps): ReactNode {
  const items = itemsOf(state, list);
  const chosen = state.list === list ? state.chosen.index : undefined;
  const first = firstShown(chosen ?? 0, rows, items.length);
  return (
    <Box flexDirection="column" flexShrink={0} height={rows + 1} overflow="hidden">
      <Head isChosen={chosen !== undefined}>
        {TITLES[list] + (items.length > rows ? ` ${first + 1}-${first + rows} of ${items.length}` : '')}
      </Head>
      {items.length === 0 && <Line dimColor> none today and yesterday</Line>}
      {items.slice(first, first + rows).map((item, i) => (
        <ItemRow key={`${i} ${keyOf(item)}`} state={state} item={item} isChosen={first + i === chosen} />
      ))}
    </Box>
  );
}

interface ItemProps {
  readonly state: State;
  readonly item: Item;
  readonly isChosen: boolean;
}

function ItemRow({ state, item, isChosen }: ItemProps): ReactNode {
  const isWide = state.size.columns >= 76;
  const look = { inverse: isChosen };
  return (
    <Row>
      <Cell width={1} color="cyan" bold>
        {isChosen ? '>' : ' '}
      </Cell>
      <Cell width={4} isRight dimColor={!isChosen} {...look}>
        {span(state.nowMs - item.at)}
      </Cell>
      <Cell width={isWide ? 12 : 6} {...look}>
        {(item.hash ?? '').padEnd(12, '-').slice(0, isWide ? 12 : 6)}
      </Cell>
      <Cell {...look}>{item.tool ?? '-'}</Cell>
      {item.list === 'compressions' ? compressed(item, isWide) : expanded(item, isWide)}
    </Row>
  );
}

/** What became of the tokens, or why there is no view. */
function compressed(item: Extract<Item, { list: 'compressions' }>, isWide: boolean): ReactNode {
  const { tokensBefore: before, tokensAfter: after, hash, shapes, ms } = item;
  const time = isWide && (
    <Cell width={8} isRight dimColor>
      {took(ms)}
    </Cell>
  );
  if (hash === undefined || before === undefined || after === undefined)
    return (
      <>
        <Cell width={isWide ? 31 : 13} dimColor>
          {item.reason ?? `${bytes(item.bytes)} as they were`}
        </Cell>
        {time}
      </>
    );
  return (
    <>
      {isWide && <Cell width={9}>{shapes.join(' ')}</Cell>}
      <Cell width={isWide ? 16 : 8} isRight>
        {isWide ? `${count(before)} to ${count(after)}` : count(before - after)}
      </Cell>
      <Cell width={4} isRight color="green">
        {percent(before, after)}
      </Cell>
      {time}
    </>
  );
}

function expanded(item: Extract<Item, { list: 'expansions' }>, isWide: boolean): ReactNode {
  return (
    <>
      {isWide && <Cell width={9}>{item.hit ? '' : <Text color="red">not there</Text>}</Cell>}
      <Cell width={isWide ? 16 : 8} isRight>
        {item.hit ? `${count(item.tokens)}${isWide ? ' tokens' : ''}` : '-'}
      </Cell>
      <Cell width={isWide ? 13 : 8} isRight dimColor>
        {item.hit ? bytes(item.bytes) : ''}
      </Cell>
    </>
  );
}

/** Words that were wanted; a star where `ctxzip suggestions --apply` would take them. */
export function Suggestions({
  state,
  rows,
}: {
  readonly state: State;
  readonly rows: Plan['suggestions'];
}): ReactNode {
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1} height={rows + 1} overflow="hidden">
      <Head>{`SUGGESTIONS ${state.suggestions.length > rows ? `(${rows} of ${state.suggestions.length})` : ''}`}</Head>
      {state.suggestions.slice(0, rows).map(({ word, isSuggested, originals, tokens }) => (
        <Row key={word}>
          <Cell width={1} color="yellow">
            {isSuggested ? '*' : ' '}
          </Cell>
          <Cell>{word}</Cell>
          <Cell width={19} isRight>{`in ${count(originals)} ${originals === 1 ? 'output' : 'outputs'}`}</Cell>
          <Cell width={14} isRight>
            {tokens === undefined ? '' : `${count(tokens)} tokens`}
          </Cell>
        </Row>
      ))}
    </Box>
  );
}
