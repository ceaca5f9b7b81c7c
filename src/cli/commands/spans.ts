/** A span of time in its largest unit: `12s`, `5m`, `3h`, `6d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds}s`;
  if (seconds < 6000) return `${Math.round(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

/** How long a command ran: `0.4s`, `75s`, `3m`. */
export function took(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)}s` : span(ms);
}
