/** Inputs in the shape of real output; the same ones in every run. */

/** `kubectl get pods -A` with one pod in a crash loop at `sick`. */
export function pods(count = 150, sick = Math.floor(count / 3)): string {
  const rows = ['NAMESPACE   NAME                          READY   STATUS             RESTARTS      AGE'];
  for (let i = 0; i < count; i += 1) {
    const number = String(i).padStart(4, '0');
    rows.push(
      i === sick
        ? `shop        pay-66b4c7d9f-q${number}           0/1     CrashLoopBackOff   57 (3m ago)   3d`
        : `shop        cart-7d9f8b6c5-x${number}          1/1     Running            0             3d`,
    );
  }
  return `${rows.join('\n')}\n`;
}

export const FAILURE = 'ERROR payment 77 failed: connection refused by db-3';

/** A log whose lines differ in numbers, with one failure in the middle; `salt` makes another one of it. */
export function log(count = 2000, salt = ''): string {
  return `${logLines(count, salt).join('\n')}\n`;
}

export function logLines(count = 2000, salt = ''): string[] {
  return Array.from({ length: count }, (_, i) => {
    const stamp = `2026-05-01T12:${pad(Math.floor(i / 60) % 60)}:${pad(i % 60)}Z`;
    if (i === Math.floor(count / 2)) return `${stamp} ${FAILURE}`;
    return `${stamp} INFO request${salt} id=${i} path=/api/items/${i % 17} took ${20 + (i % 13)}ms status=200`;
  });
}

/** A log with a failure that is too long for a small budget. */
export function longFailureLog(): string {
  const paths = Array.from({ length: 60 }, (_, i) => `/srv/reef${i}/quay`).join(' ');
  return `${log()}2026-05-01T12:59:59Z ERROR cannot open ${paths}: permission denied\n`;
}

function pad(n: number): string {
  return String(n).padStart(2, '0');
}

/** Numbers in [0, 1), the same ones for a seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
