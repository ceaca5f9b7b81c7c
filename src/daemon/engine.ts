/** What a worker does: the way of the pipe, from the configuration to the record, for bytes in memory. */
import { compressInput, type Outcome } from '../app/compress.ts';
import { Input, readInput } from '../app/input.ts';
import { recordRun } from '../app/ledger.ts';
import { minimize } from '../app/minimal.ts';
import { runOf } from '../app/run-facts.ts';
import type { PipeFlags } from '../cli/flags.ts';
import { leave } from '../cli/leave.ts';
import type { PipeRequest } from '../cli/pipe.ts';
import { leastSize, requestOf } from '../cli/request.ts';
import { loadConfig } from '../config/load.ts';
import { pipeVerdict } from '../config/problems.ts';
import { SHAPES } from '../core/model.ts';
import { memorySource } from '../core/source.ts';
import { openSpool, type Spool } from '../store/spool.ts';
import { guardedOutliner } from '../app/shapes.ts';
import { VERSION, type Wire } from '../wire.ts';

/** What became of an input. */
export type Made =
  /** A parameter is wrong; nothing was done. */
  | { readonly kind: 'wrong'; readonly message: string }
  | {
      readonly kind: 'made';
      readonly outcome: Outcome;
      /** Absent where no configuration came about. */
      readonly request?: PipeRequest;
      /** When the work began. */
      readonly sinceMs: number;
      /** What is wrong with the configuration. */
      readonly warning?: string;
    };

/** How a call is made. */
export interface Call {
  readonly bytes: Uint8Array;
  readonly flags: PipeFlags;
  readonly cwd: string;
}

/** Milliseconds by strategy, without those that it called. */
type Times = Map<string, number>;

export class Engine {
  readonly times: Times = new Map();
  off: readonly string[] = [];
  private readonly wire: Wire;
  private readonly mark: Int32Array;
  private readonly limitMs: number;
  private inner = 0;

  constructor(wire: Wire, mark: Int32Array, limitMs: number) {
    this.wire = wire;
    this.mark = mark;
    this.limitMs = limitMs;
  }

  /** Makes the view of an input as the pipe would, and stores the original; nothing is recorded yet. */
  async make({ bytes, flags, cwd }: Call): Promise<Made> {
    const wire = this.wireOf(cwd);
    const sinceMs = wire.now();
    if (wire.isDisabled) return { kind: 'made', outcome: passed(bytes, 'CTXZIP_DISABLE is set'), sinceMs };
    const config = await loadConfig(wire.world, flags.config);
    const verdict = pipeVerdict(config.problems);
    const warning = verdict.line !== undefined && { warning: verdict.line };
    if (config.problems.some((p) => p.source === 'flag' && p.severity !== 'note'))
      return { kind: 'wrong', message: pipeVerdict(config.problems, 'nothing was done').line ?? '' };
    if (verdict.passthrough)
      return { kind: 'made', outcome: passed(bytes, verdict.line ?? ''), sinceMs, ...warning };
    const request = requestOf({ wire, config, flags }, flags);
    const reason = reasonToPass(bytes, request);
    const outcome = reason === undefined ? this.compress(bytes, request) : passed(bytes, reason);
    return { kind: 'made', outcome, request, sinceMs, ...warning };
  }

  /** Records what has been made, as the pipe does when it has printed. */
  record({ outcome, request, sinceMs }: Extract<Made, { kind: 'made' }>): void {
    if (request === undefined) return;
    const { createdMs: at, tool } = request.facts;
    const run = runOf(outcome, request.policy);
    const isUntouched = outcome.kind === 'input' && isUnread(outcome.reason);
    if (!isUntouched) leave(request, run, sinceMs, 'daemon');
    else recordRun(request.recordFolder, { at, ms: 0, ...run, ...(tool !== undefined && { tool }) });
  }

  private compress(bytes: Uint8Array, request: PipeRequest): Outcome {
    let spool: Spool | undefined;
    const openStore = (): Spool | undefined => {
      if (request.storeFolder !== undefined) spool ??= openSpool(request.storeFolder);
      return spool;
    };
    const input = readInput([bytes], request, openStore);
    if ('reason' in input) {
      const whole = new Input(memorySource(Buffer.concat([...input.pieces])), undefined);
      return { kind: 'input', input: whole, reason: input.reason, isNews: input.isNews };
    }
    const job = {
      ...request,
      version: VERSION,
      outline: guardedOutliner((name, outline) => this.guard(name, outline)),
      minimize,
      recall: (sha: string) => this.recall(sha),
    };
    return compressInput(input, job, openStore);
  }

  /** Notes what is at work, so that who waits knows what was too slow; measures it; refuses what is switched off. */
  private guard<T>(name: (typeof SHAPES)[number], outline: () => T): T {
    if (this.off.includes(name))
      throw new Error(`strategy ${name} is off for some minutes: it took too long`);
    const before = Atomics.exchange(this.mark, 0, SHAPES.indexOf(name) + 1);
    const outer = this.inner;
    this.inner = 0;
    const from = this.wire.ticks();
    try {
      return outline();
    } finally {
      const all = this.wire.ticks() - from;
      this.times.set(name, (this.times.get(name) ?? 0) + all - this.inner);
      this.inner = outer + all;
      if (before !== 0) Atomics.store(this.mark, 0, before);
    }
  }

  /** The original of a view that another policy made. It may be in LMDB, which could crash the process that opens it. */
  private recall(sha: string): Uint8Array | undefined {
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const [node, script] = this.wire.self;
    const { status, stdout } = spawnSync(node, [script, 'expand', '--unrecorded', sha], {
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 30,
      timeout: this.limitMs,
      env: { ...this.wire.env },
    });
    return status === 0 ? stdout : undefined;
  }

  private wireOf(cwd: string): Wire {
    const { wire } = this;
    return { ...wire, world: { ...wire.world, cwd, nowMs: wire.now() } };
  }
}

function passed(bytes: Uint8Array, reason: string): Outcome {
  return { kind: 'input', input: new Input(memorySource(bytes), undefined), reason, isNews: false };
}

/** Why the engine need not be asked. */
function reasonToPass({ length }: Uint8Array, request: PipeRequest): string | undefined {
  const { level, minChars } = request.policy;
  if (level === 'none') return 'level none';
  return length < leastSize(request) ? `under ${minChars} characters` : undefined;
}

/** Was it not asked? */
function isUnread(reason: string): boolean {
  return reason === 'level none' || /^under \d+ characters$/.test(reason);
}
