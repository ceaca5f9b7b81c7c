/** A state-like column: the id of its value in each row, and the values. */
export interface States {
  readonly of: Uint8Array;
  readonly names: readonly string[];
}

/** Column names that say what state a row is in, best first. */
export const STATE_NAMES = [
  /^(?:pod )?status$/i,
  /^(?:state|phase|health|condition|result|conclusion|workload)$/i,
  /stat(?:e|us)|phase|health|[_ .-](?:result|outcome|conclusion)$/i,
  /^(?:level|severity|link|type|stat)$/i,
];
export const STATE_TEXT =
  /^(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)$)[A-Z][A-Za-z_-]{1,23}$/;
/** Columns in which `n/m` says how much of something is up. */
export const READY_NAME = /ready|avail|healthy|\bup\b/i;
/** States in which `0/1` is as it should be. */
export const ENDED = /^(?:complet|succe|finish|done|stopped|exited \(0\))/i;

/** A state in a column without a name; of several such columns the one of fewest words is it. */
export const STATE_WORD = /^[A-Za-z][A-Za-z_-]{1,23}$/;
