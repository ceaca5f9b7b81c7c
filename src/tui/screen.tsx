/** The whole screen, drawn from the state alone. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { Line } from './cells.tsx';
import { Facts, Title } from './facts.tsx';
import { planOf } from './layout.ts';
import { RecentList, Suggestions, Tallies } from './lists.tsx';
import { Help, NoDaemon, Opened } from './pages.tsx';
import type { State } from './state.ts';

export function Screen({ state }: { readonly state: State }): ReactNode {
  const { columns, rows } = state.size;
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Title state={state} />
      <Box flexDirection="column" flexGrow={1} flexShrink={1} overflow="hidden">
        <Body state={state} />
      </Box>
      <Keys state={state} />
    </Box>
  );
}

function Body({ state }: { readonly state: State }): ReactNode {
  const { page, stats } = state;
  if (page.kind === 'help') return <Help state={state} />;
  if (page.kind === 'item') return <Opened state={state} page={page} />;
  return stats === undefined ? <NoDaemon state={state} /> : <Overview state={state} />;
}

/** All parts that fit; also what `--once` prints. */
export function Overview({ state }: { readonly state: State }): ReactNode {
  const { tallies, lists, suggestions } = planOf(state);
  const isBoth = lists.compressions > 0 && lists.expansions > 0;
  return (
    <Box flexDirection="column">
      <Facts state={state} stats={state.stats!} />
      {tallies > 0 && <Tallies state={state} rows={tallies} />}
      {lists.compressions > 0 && <RecentList state={state} list="compressions" rows={lists.compressions} />}
      {isBoth && <Line> </Line>}
      {lists.expansions > 0 && <RecentList state={state} list="expansions" rows={lists.expansions} />}
      {suggestions > 0 && <Suggestions state={state} rows={suggestions} />}
    </Box>
  );
}

/** The keys of the page; while the daemon is away, how to start one. */
function Keys({ state }: { readonly state: State }): ReactNode {
  const { page, link, stats, sort, list, size } = state;
  if (page.kind === 'help') return <Line inverse>any key goes back</Line>;
  if (page.kind === 'item') return <KeyLine keys={ITEM_KEYS} />;
  if (link.kind === 'down' && stats !== undefined && page.kind === 'all')
    return <Line color="red">{`daemon gone (${link.why}): ctxzip daemon start`}</Line>;
  const other = list === 'compressions' ? 'expansions' : 'compressions';
  const isNarrow = size.columns < 60;
  const keys: Array<readonly [string, string]> = [
    ['q', 'quit'],
    ['?', 'help'],
    ['Enter', 'open'],
    ['Tab', isNarrow ? 'list' : other],
    ['p', state.isPaused ? 'go on' : 'pause'],
    ['s', `sort: ${sort}`],
  ];
  return <KeyLine keys={isNarrow ? keys.slice(0, 4) : keys} />;
}

const ITEM_KEYS = [
  ['Esc', 'back'],
  ['e', 'explain'],
  ['d', 'diff'],
  ['j/k', 'move'],
  ['q', 'quit'],
] as const;

function KeyLine({ keys }: { readonly keys: ReadonlyArray<readonly [string, string]> }): ReactNode {
  return (
    <Line>
      {keys.map(([key, what]) => (
        <Text key={key}>
          <Text bold color="cyan">
            {key}
          </Text>
          {` ${what}  `}
        </Text>
      ))}
    </Line>
  );
}
