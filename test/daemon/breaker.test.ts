import { describe, expect, it } from 'vitest';
import { Breakers, isOverTime, NUMBERS } from '../../src/daemon/breaker.ts';

const MINUTE = 60_000;

function bench() {
  let nowMs = 1_000_000;
  const told: string[] = [];
  const breakers = new Breakers(
    () => nowMs,
    (text) => void told.push(text),
  );
  const call = (name: string, isOver: boolean, times = 1): void => {
    for (let i = 0; i < times; i += 1) breakers.report(breakers.permits(), [{ name, isOver }]);
  };
  return { breakers, told, call, pass: (ms: number) => void (nowMs += ms) };
}

/** Opens the breaker of a strategy. */
function opened(name = 'json') {
  const made = bench();
  made.call(name, true, 3 * NUMBERS.windowCalls);
  return made;
}

describe('the breaker', () => {
  it('opens after three windows of 100 calls that are mostly over their time', () => {
    const { breakers, call, told } = bench();
    call('json', true, 299);
    expect(breakers.permits()).toEqual({ off: [], probes: [] });
    call('json', true);
    expect(breakers.permits()).toEqual({ off: ['json'], probes: [] });
    expect(breakers.open()).toEqual([{ strategy: 'json', untilMs: 1_000_000 + NUMBERS.openMs }]);
    expect(told).toEqual(['strategy json takes too long and is off for 5 minutes']);
  });

  it('opens after three such windows of a minute, however few calls they have', () => {
    const { breakers, call, pass } = bench();
    for (let i = 0; i < 3; i += 1) {
      call('log', true);
      pass(MINUTE);
    }
    expect(breakers.open()).toEqual([]);
    call('log', true);
    expect(breakers.permits().off).toEqual(['log']);
  });

  it('does not count windows without calls, and a good window forgives', () => {
    const { breakers, call, pass } = bench();
    call('log', true, 200);
    pass(10 * MINUTE);
    call('log', false, 100);
    call('log', true, 200);
    expect(breakers.open()).toEqual([]);
    call('log', true, 100);
    expect(breakers.open()).toHaveLength(1);
  });

  it('takes a window for a bad one only if more than half of its calls are', () => {
    const { breakers, call } = bench();
    for (let i = 0; i < 5; i += 1) {
      call('csv', true, 50);
      call('csv', false, 50);
    }
    expect(breakers.open()).toEqual([]);
  });

  it('counts each strategy for itself', () => {
    const { breakers, call } = opened('json');
    call('table', false);
    expect(breakers.permits()).toEqual({ off: ['json'], probes: [] });
  });

  it('gives exactly one probe after five minutes, and others wait for what becomes of it', () => {
    const { breakers, pass } = opened();
    pass(NUMBERS.openMs - 1);
    expect(breakers.permits().off).toEqual(['json']);
    pass(1);
    const probe = breakers.permits();
    const other = breakers.permits();
    expect([probe.probes, other]).toEqual([['json'], { off: ['json'], probes: [] }]);
    // What was on its way when it opened, or was let through unread, decides nothing.
    breakers.report(other, []);
    breakers.report({ off: [], probes: [] }, [{ name: 'json', isOver: false }]);
    expect(breakers.permits().off).toEqual(['json']);
    breakers.report(probe, [{ name: 'json', isOver: false }]);
    expect(breakers.permits()).toEqual({ off: [], probes: [] });
  });

  it('stays open for another five minutes after a probe that was too slow', () => {
    const { breakers, pass, told } = opened();
    pass(NUMBERS.openMs);
    breakers.report(breakers.permits(), [{ name: 'json', isOver: true }]);
    pass(NUMBERS.openMs - 1);
    expect(breakers.permits().off).toEqual(['json']);
    pass(1);
    expect(breakers.permits().probes).toEqual(['json']);
    expect(told).toHaveLength(2);
  });

  it('takes back a probe that came to nothing', () => {
    const { breakers, pass } = opened();
    pass(NUMBERS.openMs);
    breakers.report(breakers.permits(), [{ name: 'log', isOver: false }]);
    expect(breakers.permits().probes).toEqual(['json']);
  });

  it('needs three bad windows again after it has closed', () => {
    const { breakers, pass, call } = opened();
    pass(NUMBERS.openMs);
    breakers.report(breakers.permits(), [{ name: 'json', isOver: false }]);
    call('json', true, 299);
    expect(breakers.open()).toEqual([]);
    call('json', true);
    expect(breakers.open()).toHaveLength(1);
  });
});

it('allows more time for more bytes', () => {
  expect(isOverTime(99, 0)).toBe(false);
  expect(isOverTime(101, 0)).toBe(true);
  expect(isOverTime(1099, 1_000_000)).toBe(false);
  expect(isOverTime(1101, 1_000_000)).toBe(true);
});
