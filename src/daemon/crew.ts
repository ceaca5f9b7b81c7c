/**
 * Servants that do one work at a time each, and a bounded queue before them. What takes too long is given up and its
 * servant replaced, and so is one that dies. Large works leave one servant free for small ones.
 */
export interface Servant<W> {
  send(work: W, transfer: readonly ArrayBuffer[]): void;
  /** Ends it at once; nothing is heard of it any more. */
  dismiss(): void;
  /** What it is at, where that is known. */
  doing?(): string | undefined;
}

export interface Events<R> {
  ready(): void;
  done(result: R): void;
  gone(reason: string): void;
}

export type Hire<W, R> = (events: Events<R>) => Servant<W>;

/** `late`: the time was over; `doing` is what the servant was at, absent where that is not known. */
export type Ended<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'late'; readonly doing?: string }
  | { readonly kind: 'busy' }
  | { readonly kind: 'gone'; readonly reason: string };

export interface CrewOptions<W, R> {
  readonly hire: Hire<W, R>;
  readonly seats: number;
  /** Works that wait at most. */
  readonly queue: number;
  /** Is the servant to be replaced after this? */
  readonly isSpent?: (result: R) => boolean;
  readonly tell: (text: string) => void;
}

export interface Order<W> {
  readonly work: W;
  readonly isLarge: boolean;
  /** From now on, with the time in the queue. */
  readonly limitMs: number;
  readonly transfer?: readonly ArrayBuffer[];
  /** Does nobody want the result any more? What still waits is not begun then. */
  readonly isGone?: () => boolean;
}

interface Task<W, R> extends Order<W> {
  end(ended: Ended<R>): void;
}

interface Seat<W, R> {
  servant: Servant<W> | undefined;
  state: 'starting' | 'idle' | 'busy';
  hasServed: boolean;
  task: Task<W, R> | undefined;
}

/** Before one is hired again that died as it came. */
const PAUSE_MS = 1000;

export class Crew<W, R> {
  /** How often a servant was replaced because it was late or died. */
  replaced = 0;
  private readonly options: CrewOptions<W, R>;
  private readonly seats: Array<Seat<W, R>> = [];
  private queue: Array<Task<W, R>> = [];
  private isClosed = false;
  private readonly pauses = new Set<NodeJS.Timeout>();

  constructor(options: CrewOptions<W, R>) {
    this.options = options;
  }

  get busy(): number {
    return this.seats.filter(({ state }) => state === 'busy').length;
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Hires all; without it each is hired when there is work. */
  warm(): void {
    while (this.seats.length < this.options.seats) this.addSeat();
  }

  run(order: Order<W>): Promise<Ended<R>> {
    if (this.isClosed) return Promise.resolve({ kind: 'gone', reason: 'the daemon is stopping' });
    if (this.queue.length >= this.options.queue) this.forgetGone();
    if (this.queue.length >= this.options.queue) return Promise.resolve({ kind: 'busy' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.late(task), order.limitMs);
      const end = (ended: Ended<R>): void => {
        clearTimeout(timer);
        resolve(ended);
      };
      const task: Task<W, R> = { ...order, end };
      this.queue.push(task);
      this.pump();
    });
  }

  /** Ends all of them; what waits or is being done is gone. */
  close(): void {
    this.isClosed = true;
    for (const pause of this.pauses) clearTimeout(pause);
    const tasks = [...this.queue, ...this.seats.flatMap(({ task }) => task ?? [])];
    this.queue = [];
    for (const seat of this.seats) seat.servant?.dismiss();
    for (const task of tasks) task.end({ kind: 'gone', reason: 'the daemon is stopping' });
  }

  /** Whoever vanishes, and be it hundreds, makes nobody wait. */
  private forgetGone(): void {
    const gone = new Set(this.queue.filter(({ isGone }) => isGone?.() === true));
    if (gone.size === 0) return;
    this.queue = this.queue.filter((task) => !gone.has(task));
    for (const task of gone) task.end({ kind: 'gone', reason: 'the client has gone' });
  }

  private pump(): void {
    this.forgetGone();
    while (this.queue.length > 0) {
      const seat = this.seats.find(({ state }) => state === 'idle');
      const next = this.queue.findIndex(({ isLarge }) => !isLarge || this.hasRoomForLarge());
      if (next < 0) return;
      if (seat === undefined) {
        const isComing = this.seats.some(({ state }) => state === 'starting');
        if (!isComing && this.seats.length < this.options.seats) this.addSeat();
        return;
      }
      const [task] = this.queue.splice(next, 1);
      seat.state = 'busy';
      seat.task = task;
      seat.servant!.send(task!.work, task!.transfer ?? []);
    }
  }

  private hasRoomForLarge(): boolean {
    const large = this.seats.filter(({ task }) => task?.isLarge === true).length;
    return large < Math.max(1, this.options.seats - 1);
  }

  private addSeat(): void {
    const seat: Seat<W, R> = { servant: undefined, state: 'starting', hasServed: false, task: undefined };
    this.seats.push(seat);
    this.hireFor(seat);
  }

  private hireFor(seat: Seat<W, R>): void {
    seat.state = 'starting';
    seat.hasServed = false;
    let isOver = false;
    const once = (work: () => void): void => {
      if (!isOver && !this.isClosed) work();
    };
    const servant = this.options.hire({
      ready: () => once(() => this.ready(seat)),
      done: (result) => once(() => this.done(seat, result)),
      gone: (reason) => once(() => this.gone(seat, reason)),
    });
    seat.servant = {
      send: (work, transfer) => servant.send(work, transfer),
      dismiss: () => {
        isOver = true;
        servant.dismiss();
      },
      doing: () => servant.doing?.(),
    };
  }

  private ready(seat: Seat<W, R>): void {
    seat.hasServed = true;
    seat.state = 'idle';
    this.pump();
  }

  private done(seat: Seat<W, R>, result: R): void {
    const { task } = seat;
    seat.task = undefined;
    seat.state = 'idle';
    if (this.options.isSpent?.(result) === true) {
      seat.servant?.dismiss();
      this.hireFor(seat);
    }
    task?.end({ kind: 'done', result });
    this.pump();
  }

  private gone(seat: Seat<W, R>, reason: string): void {
    const { task, hasServed } = seat;
    seat.task = undefined;
    seat.servant?.dismiss();
    this.replaced += 1;
    this.options.tell(`a worker has ended and is replaced: ${reason}`);
    if (hasServed) this.hireFor(seat);
    else this.hireLater(seat, reason);
    task?.end({ kind: 'gone', reason });
    this.pump();
  }

  /** It died as it came: nobody is kept waiting for the next one. */
  private hireLater(seat: Seat<W, R>, reason: string): void {
    seat.state = 'starting';
    const waiting = this.queue;
    this.queue = [];
    for (const task of waiting) task.end({ kind: 'gone', reason });
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      this.hireFor(seat);
    }, PAUSE_MS);
    this.pauses.add(pause);
  }

  private late(task: Task<W, R>): void {
    const seat = this.seats.find((each) => each.task === task);
    if (seat === undefined) {
      this.queue = this.queue.filter((each) => each !== task);
      return task.end({ kind: 'late' });
    }
    const doing = seat.servant?.doing?.();
    seat.task = undefined;
    seat.servant?.dismiss();
    this.replaced += 1;
    this.options.tell(`a worker was too long at ${doing ?? 'its work'} and is replaced`);
    this.hireFor(seat);
    task.end({ kind: 'late', ...(doing !== undefined && { doing }) });
    this.pump();
  }
}
