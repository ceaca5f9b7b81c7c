/** What the daemon says over its socket in JSON, shared by the server and by those who ask. Times are milliseconds of the epoch. */

/** `GET /v1/stats`. Latencies are those of `POST /v1/compress`, in milliseconds, of the last 1,000 requests at most. */
export interface DaemonStats {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly uptimeMs: number;
  readonly socket: string;
  readonly requests: { readonly total: number; readonly failed: number; readonly inFlight: number };
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number };
  /** Of today's recorded runs, whoever made them: the pipe, `run` or the daemon. Estimated tokens. */
  readonly today: {
    readonly runs: number;
    readonly views: number;
    readonly expansions: number;
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly byTool: readonly Tally[];
    readonly byShape: readonly Tally[];
  };
  readonly store: {
    readonly path: string;
    readonly originals: number;
    readonly bytes: number;
    readonly capBytes: number;
  };
  /** `mostFiles` and `mostBytes` are where an import begins. */
  readonly spool: {
    readonly files: number;
    readonly bytes: number;
    readonly mostFiles: number;
    readonly mostBytes: number;
  };
  readonly memory: { readonly rssBytes: number; readonly heapBytes: number };
  /** Strategies that are switched off for a while, and until when. */
  readonly breakers: ReadonlyArray<{ readonly strategy: string; readonly untilMs: number }>;
}

export interface Tally {
  readonly name: string;
  readonly runs: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** `GET /v1/recent?limit=N`, latest first: the recorded runs and expansions of today and yesterday, whoever made them. */
export interface Recent {
  readonly compressions: ReadonlyArray<{
    readonly at: number;
    readonly ms: number;
    readonly bytes: number;
    readonly tool?: string;
    readonly shapes: readonly string[];
    readonly tokensBefore?: number;
    readonly tokensAfter?: number;
    /** SHA-256 of the original; absent where the input came out as it was. */
    readonly hash?: string;
    /** Why the input came out as it was. */
    readonly reason?: string;
  }>;
  readonly expansions: ReadonlyArray<{
    readonly at: number;
    readonly hash: string;
    /** Was there such an original? */
    readonly hit: boolean;
    /** What was printed, and its estimated tokens. */
    readonly bytes: number;
    readonly tokens: number;
    readonly tool?: string;
  }>;
}
