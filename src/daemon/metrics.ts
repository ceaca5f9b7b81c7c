/** What `GET /metrics` tells Prometheus, and the latencies of the last requests. */
import { createHistogram } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const MOST_LATENCIES = 1000;

/** The latencies of the last thousand, in milliseconds. */
export class Latencies {
  private readonly ring: number[] = [];
  private next = 0;

  add(ms: number): void {
    this.ring[this.next] = ms;
    this.next = (this.next + 1) % MOST_LATENCIES;
  }

  percentiles(): { readonly p50: number; readonly p95: number; readonly p99: number } {
    const sorted = this.ring.toSorted((a, b) => a - b);
    const at = (share: number): number => {
      const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
      return Math.round(value * 1000) / 1000;
    };
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  }
}

/** Milliseconds between two looks at the clock. */
const LOOK_MS = 5;
const IDLE_MS = 2000;

/**
 * How late the timers of the event loop are; looked at only while there is something to do. (The monitor of Node counts
 * the time in which it was off.)
 */
class LoopDelay {
  private readonly microseconds = createHistogram();
  private readonly ticks: () => number;
  private timer: NodeJS.Timeout | undefined;
  private lastMs = 0;
  private untilMs = 0;

  constructor(ticks: () => number) {
    this.ticks = ticks;
  }

  touch(): void {
    this.untilMs = this.ticks() + IDLE_MS;
    if (this.timer !== undefined) return;
    this.lastMs = this.ticks();
    this.timer = setInterval(() => this.look(), LOOK_MS);
    this.timer.unref();
  }

  /** Seconds; of 1, the longest of all. */
  seconds(quantile: number): number {
    const { count, max } = this.microseconds;
    if (count === 0) return 0;
    return (quantile === 1 ? max : this.microseconds.percentile(quantile * 100)) / 1e6;
  }

  private look(): void {
    const nowMs = this.ticks();
    this.microseconds.record(Math.max(1, Math.round((nowMs - this.lastMs - LOOK_MS) * 1000)));
    this.lastMs = nowMs;
    if (nowMs < this.untilMs) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** What is looked up when somebody asks. */
export interface Sources {
  /** Milliseconds that are never set back. */
  readonly ticks: () => number;
  readonly inFlight: () => number;
  readonly connections: () => number;
  readonly heldBytes: () => number;
  readonly waiting: () => number;
  readonly busy: () => number;
  readonly replaced: () => number;
  readonly open: () => ReadonlyArray<{ readonly strategy: string }>;
}

export class Metrics {
  readonly latencies = new Latencies();
  private readonly registry = new Registry();
  private readonly delay: LoopDelay;
  private readonly requests: Counter;
  private readonly seconds: Histogram;
  private readonly bytes: Counter;
  private readonly views: Counter;
  private readonly tokens: Counter;

  constructor(sources: Sources, version: string) {
    this.delay = new LoopDelay(sources.ticks);
    const registers = [this.registry];
    const counter = (name: string, help: string, labelNames: string[]): Counter =>
      new Counter({ name, help, labelNames, registers });
    this.requests = counter('ctxzip_requests_total', 'Requests, by route and status.', ['route', 'status']);
    this.seconds = new Histogram({
      name: 'ctxzip_request_duration_seconds',
      help: 'From the whole request to the answer, by route.',
      labelNames: ['route'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.bytes = counter('ctxzip_bytes_total', 'Bytes of bodies that came in and went out.', ['direction']);
    this.views = counter('ctxzip_outcomes_total', 'Inputs, by what became of them.', ['kind']);
    this.tokens = counter(
      'ctxzip_tokens_total',
      'Estimated tokens of inputs with a view, and of the views.',
      ['side'],
    );
    this.addGauges(sources, version);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  begun(): void {
    this.delay.touch();
  }

  ended(route: string, status: number, ms: number): void {
    this.requests.inc({ route, status: String(status) });
    this.seconds.observe({ route }, ms / 1000);
    if (route === '/v1/compress') this.latencies.add(ms);
  }

  moved(direction: 'in' | 'out', bytes: number): void {
    this.bytes.inc({ direction }, bytes);
  }

  made(
    views: ReadonlyArray<{ readonly kind: string; readonly before: number; readonly after: number }>,
  ): void {
    for (const { kind, before, after } of views) {
      this.views.inc({ kind });
      this.tokens.inc({ side: 'before' }, before);
      this.tokens.inc({ side: 'after' }, after);
    }
  }

  private addGauges(sources: Sources, version: string): void {
    const simple: ReadonlyArray<readonly [string, string, () => number]> = [
      ['ctxzip_requests_in_flight', 'Requests that are being answered.', sources.inFlight],
      ['ctxzip_connections', 'Open connections.', sources.connections],
      ['ctxzip_held_bytes', 'Bytes of bodies in memory.', sources.heldBytes],
      ['ctxzip_queue_length', 'Requests that wait for a worker.', sources.waiting],
      ['ctxzip_workers_busy', 'Workers at work.', sources.busy],
      ['ctxzip_workers_replaced', 'Workers that were too slow or died.', sources.replaced],
      ['process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
      ['process_cpu_seconds', 'User and system CPU time.', cpuSeconds],
    ];
    for (const [name, help, value] of simple) this.gauge(name, help, [], (gauge) => gauge.set(value()));
    this.gauge('ctxzip_info', 'The version.', ['version'], (gauge) => gauge.set({ version }, 1));
    this.gauge('ctxzip_breaker_open', 'Strategies that are off.', ['strategy'], (gauge) => {
      gauge.reset();
      for (const { strategy } of sources.open()) gauge.set({ strategy }, 1);
    });
    const help = 'How late timers of the event loop were under load, since the start.';
    this.gauge('ctxzip_event_loop_delay_seconds', help, ['quantile'], (gauge) => {
      for (const quantile of [0.5, 0.99, 1])
        gauge.set({ quantile: String(quantile) }, this.delay.seconds(quantile));
    });
  }

  private gauge(name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: () => collect(gauge),
    });
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
