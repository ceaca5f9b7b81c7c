/**
 * Switches a strategy off that keeps taking too long. Calls are counted in windows of 100 or of a minute; a window in which
 * most were over their time is a strike, three strikes in a row open the breaker. After five minutes exactly one call is
 * let through as a probe, and what becomes of that one decides; calls that were on their way say nothing.
 */
export const NUMBERS = {
  windowCalls: 100,
  windowMs: 60_000,
  strikes: 3,
  openMs: 5 * 60_000,
  /** Milliseconds that a call may take: so many, and one more for as many bytes. */
  allowedMs: 100,
  bytesPerMs: 1000,
} as const;

/** Did a call on as many bytes take too long? */
export function isOverTime(ms: number, bytes: number): boolean {
  return ms > NUMBERS.allowedMs + bytes / NUMBERS.bytesPerMs;
}

export type Permit = 'go' | 'probe' | 'off';

/** The breaker of one strategy. `now` is in milliseconds. */
class Breaker {
  openUntilMs: number | undefined;
  private windowMs: number;
  private calls = 0;
  private over = 0;
  private strikes = 0;
  private isProbing = false;
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
    this.windowMs = now();
  }

  /** Whether a call may use the strategy. A probe is given to one call, which settles it or hands it back. */
  ask(): Permit {
    if (this.openUntilMs === undefined) return 'go';
    if (this.isProbing || this.now() < this.openUntilMs) return 'off';
    this.isProbing = true;
    return 'probe';
  }

  /** A call has used the strategy. */
  record(isOver: boolean): void {
    if (this.openUntilMs !== undefined) return;
    if (this.now() - this.windowMs >= NUMBERS.windowMs) this.closeWindow();
    this.calls += 1;
    if (isOver) this.over += 1;
    if (this.calls >= NUMBERS.windowCalls) this.closeWindow();
  }

  /** What became of the probe; undefined: it did not come to the strategy. */
  settle(isOver: boolean | undefined): void {
    if (!this.isProbing) return;
    this.isProbing = false;
    if (isOver === undefined) return;
    if (isOver) this.open();
    else this.openUntilMs = undefined;
  }

  /** A window without calls says nothing. */
  private closeWindow(): void {
    if (this.calls > 0) this.strikes = this.over * 2 > this.calls ? this.strikes + 1 : 0;
    if (this.strikes >= NUMBERS.strikes) this.open();
    this.clearWindow();
  }

  private open(): void {
    this.openUntilMs = this.now() + NUMBERS.openMs;
    this.strikes = 0;
    this.clearWindow();
  }

  private clearWindow(): void {
    this.calls = 0;
    this.over = 0;
    this.windowMs = this.now();
  }
}

/** What a call may use: strategies that are off, and those that it is the probe of. */
export interface Permits {
  readonly off: readonly string[];
  readonly probes: readonly string[];
}

/** What a call has used. */
export interface Use {
  readonly name: string;
  readonly isOver: boolean;
}

/** The breakers of all strategies. `tell` hears of what opens and closes. */
export class Breakers {
  private readonly all = new Map<string, Breaker>();
  private readonly now: () => number;
  private readonly tell: (text: string) => void;

  constructor(now: () => number, tell: (text: string) => void) {
    this.now = now;
    this.tell = tell;
  }

  permits(): Permits {
    const asked = [...this.all].map(([name, breaker]) => ({ name, permit: breaker.ask() }));
    const named = (which: Permit): string[] =>
      asked.flatMap(({ name, permit }) => (permit === which ? name : []));
    return { off: named('off'), probes: named('probe') };
  }

  /** A call with these permits has ended. */
  report({ probes }: Permits, uses: readonly Use[]): void {
    for (const name of probes) {
      const use = uses.find((each) => each.name === name);
      this.change(name, (breaker) => breaker.settle(use?.isOver));
    }
    for (const { name, isOver } of uses)
      if (!probes.includes(name)) this.change(name, (breaker) => breaker.record(isOver));
  }

  /** Those that are open, and until when. */
  open(): Array<{ readonly strategy: string; readonly untilMs: number }> {
    return [...this.all].flatMap(([strategy, { openUntilMs: untilMs }]) =>
      untilMs === undefined ? [] : { strategy, untilMs },
    );
  }

  private change(name: string, work: (breaker: Breaker) => void): void {
    const breaker = this.all.get(name) ?? new Breaker(this.now);
    this.all.set(name, breaker);
    const before = breaker.openUntilMs;
    work(breaker);
    const after = breaker.openUntilMs;
    if (after === before) return;
    const minutes = NUMBERS.openMs / 60_000;
    this.tell(
      after === undefined
        ? `strategy ${name} is fast enough again`
        : `strategy ${name} takes too long and is off for ${minutes} minutes`,
    );
  }
}
