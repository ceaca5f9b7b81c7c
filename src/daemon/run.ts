/** The daemon itself: puts its parts together, listens, and drains when it is told to end. A chunk of its own. */
import { join } from 'node:path';
import { loadConfig } from '../config/load.ts';
import { VERSION, type Wire } from '../wire.ts';
import { Breakers } from './breaker.ts';
import { claim, type Claimed, infoOfSelf } from './claim.ts';
import { Crew } from './crew.ts';
import { Hands } from './hands.ts';
import { Housekeeping } from './housekeeping.ts';
import { Journal } from './journal.ts';
import { type Limits, QUEUE } from './limits.ts';
import { logLine } from './log.ts';
import { Metrics, type Sources } from './metrics.ts';
import { type Place, preparePlace } from './place.ts';
import type { DaemonStats } from './protocol.ts';
import { type Parts, routesOf } from './routes.ts';
import { Daemon } from './server.ts';
import { hireThread } from './servants.ts';
import { type Home, StoreStats } from './store-stats.ts';
import type { Done, Work } from './work.ts';

export interface DaemonRun {
  readonly wire: Wire;
  readonly place: Place;
  readonly limits: Limits;
  /** Hears every line of the log. */
  readonly say: (text: string) => void;
}

/** Runs until it is told to end; the exit code: 0, or 1 where another one listens already. */
export async function runDaemon({ wire, place, limits, say }: DaemonRun): Promise<number> {
  preparePlace(place);
  const tell = (text: string): void => {
    logLine(place.log, wire.now(), text);
    say(text);
  };
  const house = await House.build({ wire, place, limits, tell });
  const { daemon } = house;
  const claimed = await claim(place, daemon.server, { version: VERSION, now: wire.now });
  if (claimed.kind === 'taken') {
    daemon.server.close();
    house.close();
    tell('another one listens already');
    return 1;
  }
  house.open();
  tell(`ctxzip ${VERSION} listens at ${place.socket}, with ${limits.workers} workers`);
  const why = await endOf(claimed, house);
  tell(`${why}: ${daemon.inFlight} requests in flight`);
  await daemon.drain(limits.drainMs);
  claimed.release();
  house.close();
  tell('ended');
  return 0;
}

/** How often the daemon looks whether it can still be reached. */
const LOOK_MS = 5000;

/** Waits for a signal, a request to stop, or the loss of the socket. */
function endOf(claimed: Claimed, house: House): Promise<string> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!claimed.isOurs()) end('the socket was removed or replaced');
    }, LOOK_MS);
    const end = (why: string): void => {
      clearInterval(timer);
      resolve(why);
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(signal));
    house.onStop = () => end('asked to stop');
  });
}

interface Building extends Omit<DaemonRun, 'say'> {
  readonly tell: (text: string) => void;
}

/** All parts, and what holds them together. */
class House {
  readonly daemon: Daemon;
  onStop = (): void => undefined;
  private readonly building: Building;
  private readonly crew: Crew<Work, Done>;
  private readonly hands: Hands;
  private readonly breakers: Breakers;
  private readonly metrics: Metrics;
  private readonly journal: Journal;
  private readonly housekeeping: Housekeeping;
  private readonly startedAt: number;
  private home: Home | undefined;
  private lastWarning = '';
  private readonly storeStats: StoreStats;

  static async build(building: Building): Promise<House> {
    const { wire } = building;
    const world = { ...wire.world, cwd: '' };
    const { storeFolder: folder, settings } = await loadConfig(world);
    return new House(
      building,
      folder === undefined ? undefined : { folder, capBytes: settings.maxStoreBytes },
    );
  }

  private constructor(building: Building, home: Home | undefined) {
    const { wire, place, limits, tell } = building;
    const { self, now, ticks } = wire;
    this.building = building;
    this.home = home;
    this.startedAt = now();
    this.storeStats = new StoreStats(now);
    // Children and threads may be in another folder.
    const homeFolder = wire.env['CTXZIP_HOME'] ? place.state : undefined;
    const env = homeFolder === undefined ? wire.env : { ...wire.env, CTXZIP_HOME: homeFolder };
    const { timeoutMs: limitMs, workers: seats } = limits;
    const hire = hireThread<Work, Done>(join(__dirname, 'daemon-worker.cjs'), {
      self,
      home: homeFolder,
      limitMs,
    });
    this.crew = new Crew({ hire, seats, queue: QUEUE, tell, isSpent: ({ isSpent }) => isSpent });
    this.hands = new Hands(join(__dirname, 'daemon-hands.cjs'), { self, env }, tell);
    this.breakers = new Breakers(now, tell);
    this.journal = new Journal(place.state, now);
    this.housekeeping = new Housekeeping({ now, self, hands: this.hands, tell });
    this.metrics = new Metrics(this.sources(), VERSION);
    const { metrics } = this;
    this.daemon = new Daemon(routesOf(this.parts()), limits, {
      begun: () => metrics.begun(),
      ended: (...ended) => metrics.ended(...ended),
      moved: (...moved) => metrics.moved(...moved),
      tell,
      ticks,
    });
  }

  /** Called when the socket is ours. */
  open(): void {
    this.crew.warm();
    this.hands.warm();
    this.housekeeping.start(this.home?.folder);
  }

  close(): void {
    this.housekeeping.stop();
    this.crew.close();
    this.hands.close();
  }

  private sources(): Sources {
    return {
      ticks: this.building.wire.ticks,
      inFlight: () => this.daemon.inFlight,
      connections: () => this.daemon.connections,
      heldBytes: () => this.daemon.heldBytes,
      waiting: () => this.crew.waiting,
      busy: () => this.crew.busy,
      replaced: () => this.crew.replaced,
      open: () => this.breakers.open(),
    };
  }

  private parts(): Parts {
    const { crew, hands, breakers, journal, metrics, startedAt } = this;
    const { wire, place, limits } = this.building;
    return {
      crew,
      hands,
      breakers,
      journal,
      metrics,
      limits,
      self: wire.self,
      info: infoOfSelf(place, VERSION, startedAt),
      now: wire.now,
      onDone: (done) => this.noteDone(done),
      stats: () => this.stats(),
      isDraining: () => this.daemon.isDraining,
      stop: () => this.onStop(),
    };
  }

  private noteDone({ views, stored, home, warning }: Done): void {
    this.metrics.made(views);
    this.housekeeping.noteStored(stored);
    this.home = home ?? this.home;
    if (warning !== undefined && warning !== this.lastWarning) this.building.tell(warning);
    this.lastWarning = warning ?? this.lastWarning;
  }

  private async stats(): Promise<DaemonStats> {
    const { wire, place } = this.building;
    const { daemon, metrics, startedAt } = this;
    await this.journal.refresh();
    const { rss, heapUsed } = process.memoryUsage();
    return {
      version: VERSION,
      pid: process.pid,
      startedAt,
      uptimeMs: wire.now() - startedAt,
      socket: place.socket,
      requests: { total: daemon.total, failed: daemon.failed, inFlight: daemon.inFlight },
      latencyMs: metrics.latencies.percentiles(),
      today: this.journal.sums(),
      ...(await this.storeStats.of(this.home, (folder) => this.housekeeping.storedBytes(folder))),
      memory: { rssBytes: rss, heapBytes: heapUsed },
      breakers: this.breakers.open(),
    };
  }
}
