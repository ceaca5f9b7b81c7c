/** The head of the screen: how the daemon is, what was saved, what is full. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { DaemonStats } from '../daemon/protocol.ts';
import { Line } from './cells.tsx';
import { bar, bytes, count, percent, rate, span, spark, took } from './format.ts';
import { hasWordLine, isSmallSize } from './layout.ts';
import { ratesOf, savedRates, type State } from './state.ts';

/** Name and version at the left, how the link is at the right. */
export function Title({ state }: { readonly state: State }): ReactNode {
  const { stats, link, isPaused, nowMs, size } = state;
  const about =
    stats === undefined || size.columns < 60
      ? ''
      : ` ${stats.version}  pid ${stats.pid}  up ${span(stats.uptimeMs)}`;
  return (
    <Box height={1} flexShrink={0} justifyContent="space-between" overflow="hidden">
      <Text wrap="truncate-end">
        <Text bold color="cyan">
          ctxzip top
        </Text>
        {about}
      </Text>
      <Box flexShrink={0}>
        {isPaused && <Text color="yellow">paused </Text>}
        {link.kind === 'up' && <Text color="green">live</Text>}
        {link.kind === 'trying' && <Text color="yellow">connecting</Text>}
        {link.kind === 'down' && <Text color="red">no daemon, {span(nowMs - link.sinceMs)}</Text>}
      </Box>
    </Box>
  );
}

/** All facts, or on small screens two lines of them. */
export function Facts({ state, stats }: { readonly state: State; readonly stats: DaemonStats }): ReactNode {
  if (isSmallSize(state.size)) return <SmallFacts state={state} stats={stats} />;
  const { today, requests, latencyMs, memory, breakers } = stats;
  const breaking = breakers.map(({ strategy, untilMs }) => `${strategy} for ${span(untilMs - state.nowMs)}`);
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Today state={state} stats={stats} />
      <Line>
        <Label>runs </Label>
        {count(today.runs)} today, {count(today.views)} views, {count(today.expansions)} expansions
      </Line>
      <Line>
        <Label>daemon </Label>
        {count(requests.total)} requests
        {requests.failed > 0 && <Text color="red">, {count(requests.failed)} failed</Text>},{' '}
        {count(requests.inFlight)} in flight, {rate(ratesOf(state)?.requests)}/s
        <Label> p50 </Label>
        {took(latencyMs.p50)}
        <Label> p99 </Label>
        {took(latencyMs.p99)}
        <Label> memory </Label>
        {bytes(memory.rssBytes)}
      </Line>
      <Fill state={state} stats={stats} />
      {breaking.length > 0 && <Line color="yellow">switched off: {breaking.join(', ')}</Line>}
      {hasWordLine(state) && <WordLine state={state} />}
      <Line> </Line>
    </Box>
  );
}

function WordLine({ state }: { readonly state: State }): ReactNode {
  const words = state.suggestions.map(({ word, isSuggested }) => (isSuggested ? `*${word}` : word));
  return (
    <Line>
      <Label>wanted </Label>
      {words.join(' ')}
    </Line>
  );
}

function SmallFacts({ state, stats }: { readonly state: State; readonly stats: DaemonStats }): ReactNode {
  const { today, store, spool, breakers } = stats;
  const { tokensBefore, tokensAfter } = today;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Line>
        <Text color="green">{count(tokensBefore - tokensAfter)}</Text> saved,{' '}
        {percent(tokensBefore, tokensAfter)}, {tokenRate(state)}
      </Line>
      <Line>
        <Label>store </Label>
        {shareText(store.bytes, store.capBytes)}
        <Label> spool </Label>
        {shareText(spool.files, spool.mostFiles)}
        {breakers.length > 0 && <Text color="yellow"> {breakers.length} off</Text>}
      </Line>
    </Box>
  );
}

function Today({ state, stats }: { readonly state: State; readonly stats: DaemonStats }): ReactNode {
  const { tokensBefore, tokensAfter } = stats.today;
  // What is left of the line behind the words.
  const width = Math.max(0, state.size.columns - 62);
  const curve = spark(savedRates(state.samples).slice(-Math.min(60, width)), state.isAscii);
  return (
    <Line>
      <Label>saved </Label>
      <Text bold color="green">
        {count(tokensBefore - tokensAfter)} tokens
      </Text>{' '}
      today, {percent(tokensBefore, tokensAfter)} of {count(tokensBefore)}
      <Label> now </Label>
      {tokenRate(state)}, {rate(ratesOf(state)?.runs)} runs/s <Text color="cyan">{curve}</Text>
    </Line>
  );
}

function tokenRate(state: State): string {
  return `${rate(ratesOf(state)?.saved)} tokens/s`;
}

function Fill({ state, stats }: { readonly state: State; readonly stats: DaemonStats }): ReactNode {
  const { store, spool } = stats;
  const width = Math.max(4, Math.min(20, Math.floor((state.size.columns - 72) / 2)));
  // An import begins where one of both is full.
  const spoolShare = Math.max(shareOf(spool.files, spool.mostFiles), shareOf(spool.bytes, spool.mostBytes));
  return (
    <Line>
      <Label>store </Label>
      <Gauge share={shareOf(store.bytes, store.capBytes)} width={width} isAscii={state.isAscii} />{' '}
      {bytes(store.bytes)} of {bytes(store.capBytes)}, {count(store.originals)} originals
      <Label> spool </Label>
      <Gauge share={spoolShare} width={width} isAscii={state.isAscii} /> {count(spool.files)} of{' '}
      {count(spool.mostFiles)}, {bytes(spool.bytes)}
    </Line>
  );
}

function Gauge(props: {
  readonly share: number;
  readonly width: number;
  readonly isAscii: boolean;
}): ReactNode {
  const { share, width, isAscii } = props;
  return <Text color={share >= 0.9 ? 'red' : 'blue'}>{bar(share, width, isAscii)}</Text>;
}

function Label({ children }: { readonly children: string }): ReactNode {
  return <Text dimColor>{children}</Text>;
}

function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : part / whole;
}

function shareText(part: number, whole: number): string {
  return whole <= 0 ? '-' : `${Math.round(100 * shareOf(part, whole))}%`;
}
