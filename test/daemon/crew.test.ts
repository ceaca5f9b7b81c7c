import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Crew, type Events, type Order } from '../../src/daemon/crew.ts';

interface Fake {
  readonly events: Events<string>;
  readonly sent: string[];
  isDismissed: boolean;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function bench(seats: number, queue = 10, isSpent?: (result: string) => boolean) {
  const hired: Fake[] = [];
  const told: string[] = [];
  const crew = new Crew<string, string>({
    seats,
    queue,
    tell: (text) => void told.push(text),
    ...(isSpent && { isSpent }),
    hire: (events) => {
      const fake: Fake = { events, sent: [], isDismissed: false };
      hired.push(fake);
      return {
        send: (work) => void fake.sent.push(work),
        dismiss: () => void (fake.isDismissed = true),
        doing: () => 'json',
      };
    },
  });
  const order = (work: string, more: Partial<Order<string>> = {}) =>
    crew.run({ work, isLarge: false, limitMs: 1000, ...more });
  return { crew, hired, told, order };
}

it('gives works to whoever is free, in order, and queues the others', async () => {
  const { crew, hired, order } = bench(2);
  crew.warm();
  const ends = ['a', 'b', 'c'].map((work) => order(work));
  expect(hired.map(({ sent }) => sent)).toEqual([[], []]);
  for (const { events } of hired) events.ready();
  expect(hired.map(({ sent }) => sent)).toEqual([['a'], ['b']]);
  hired[1]!.events.done('B');
  expect(hired[1]!.sent).toEqual(['b', 'c']);
  hired[1]!.events.done('C');
  hired[0]!.events.done('A');
  expect(await Promise.all(ends)).toEqual(['A', 'B', 'C'].map((result) => ({ kind: 'done', result })));
});

it('hires when there is work, where it is not kept warm', async () => {
  const { hired, order } = bench(1);
  expect(hired).toHaveLength(0);
  const end = order('a');
  hired[0]!.events.ready();
  hired[0]!.events.done('A');
  expect(await end).toEqual({ kind: 'done', result: 'A' });
});

it('takes no more than the queue holds', async () => {
  const { order } = bench(1, 1);
  void order('a');
  expect(await order('b')).toEqual({ kind: 'busy' });
});

it('does not begin what nobody wants any more, and takes others in its place', async () => {
  const { hired, order } = bench(1, 2);
  const gone = new Set<string>();
  const asked = (work: string) => order(work, { isGone: () => gone.has(work) });
  const ends = ['a', 'b'].map(asked);
  hired[0]!.events.ready();
  const third = asked('c');
  gone.add('a').add('b');
  const fourth = asked('d');
  expect(await ends[1]).toEqual({ kind: 'gone', reason: 'the client has gone' });
  hired[0]!.events.done('A');
  expect(await ends[0]).toEqual({ kind: 'done', result: 'A' });
  hired[0]!.events.done('C');
  expect(hired[0]!.sent).toEqual(['a', 'c', 'd']);
  hired[0]!.events.done('D');
  expect(await Promise.all([third, fourth])).toEqual(['C', 'D'].map((result) => ({ kind: 'done', result })));
});

it('leaves one free for small works', () => {
  const { crew, hired, order } = bench(2);
  crew.warm();
  for (const { events } of hired) events.ready();
  void order('large', { isLarge: true });
  void order('larger', { isLarge: true });
  void order('small');
  expect(hired.map(({ sent }) => sent)).toEqual([['large'], ['small']]);
  hired[1]!.events.done('');
  expect(hired[1]!.sent).toEqual(['small']);
  hired[0]!.events.done('');
  expect(hired[0]!.sent).toEqual(['large', 'larger']);
});

it('gives up what is late, with what it was at, and hires another', async () => {
  const { crew, hired, told, order } = bench(1);
  const end = order('a');
  const waiting = order('b', { limitMs: 500 });
  hired[0]!.events.ready();
  vi.advanceTimersByTime(500);
  expect(await waiting).toEqual({ kind: 'late' });
  vi.advanceTimersByTime(500);
  expect(await end).toEqual({ kind: 'late', doing: 'json' });
  expect([hired[0]!.isDismissed, hired.length, crew.replaced]).toEqual([true, 2, 1]);
  expect(told).toEqual(['a worker was too long at json and is replaced']);
  // What the old one says now is nobody's.
  hired[0]!.events.done('too late');
  const next = order('c');
  hired[1]!.events.ready();
  hired[1]!.events.done('C');
  expect(await next).toEqual({ kind: 'done', result: 'C' });
});

it('replaces one that dies at work at once, and one that dies as it comes later', async () => {
  const { hired, order } = bench(1);
  const end = order('a');
  hired[0]!.events.ready();
  hired[0]!.events.gone('it fell');
  expect(await end).toEqual({ kind: 'gone', reason: 'it fell' });
  const kept = order('b');
  expect(hired).toHaveLength(2);
  hired[1]!.events.gone('no chunk');
  expect(await kept).toEqual({ kind: 'gone', reason: 'no chunk' });
  expect(hired).toHaveLength(2);
  vi.advanceTimersByTime(1000);
  expect(hired).toHaveLength(3);
});

it('replaces one that is spent', async () => {
  const { hired, order } = bench(1, 10, (result) => result === 'large');
  const end = order('a');
  hired[0]!.events.ready();
  hired[0]!.events.done('large');
  expect(await end).toEqual({ kind: 'done', result: 'large' });
  expect([hired[0]!.isDismissed, hired.length]).toEqual([true, 2]);
});

it('ends everything when it is closed', async () => {
  const { crew, hired, order } = bench(1);
  const ends = [order('a'), order('b')];
  hired[0]!.events.ready();
  crew.close();
  const gone = { kind: 'gone', reason: 'the daemon is stopping' };
  expect(await Promise.all(ends)).toEqual([gone, gone]);
  expect(await order('c')).toEqual(gone);
  expect(hired[0]!.isDismissed).toBe(true);
  hired[0]!.events.gone('killed');
  expect(hired).toHaveLength(1);
});
