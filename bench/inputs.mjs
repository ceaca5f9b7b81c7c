import { generator } from './random.mjs';

// Seeded inputs in the shape of real output.
const SERVICES = ['api', 'worker', 'gateway', 'scheduler', 'auth', 'billing', 'search', 'cart'];

/** A log of about `bytes` bytes with seven kinds of lines, one in 200 of them a failure. */
export function logLines(bytes, seed = 11) {
  const { next, pick } = generator(seed);
  const kinds = [
    () =>
      `INFO ${pick(SERVICES)} request completed method=GET path=/v1/${pick(SERVICES)}/${next(99999)} status=200 duration=${(next(8000) / 100).toFixed(2)}ms bytes=${next(50000)}`,
    () => `DEBUG ${pick(SERVICES)} cache hit key=user:${next(100000)} ttl=${next(300)}s shard=${next(16)}`,
    () =>
      `INFO ${pick(SERVICES)} job ${next(2 ** 30).toString(16)} finished in ${next(900)}ms (attempt 1 of 3)`,
    () =>
      `INFO ${pick(SERVICES)} connection from 10.${next(255)}.${next(255)}.${next(255)}:${1024 + next(60000)} accepted, pool size ${next(64)} of 64`,
    () =>
      `WARN ${pick(SERVICES)} slow query took ${next(3000)}ms: SELECT * FROM orders WHERE customer_id = ${next(1e6)}`,
    () =>
      `INFO kafka consumer group=${pick(SERVICES)} partition=${next(48)} offset=${next(1e9)} lag=${next(50)}`,
  ];
  const parts = [];
  let size = 0;
  for (let ms = Date.UTC(2026, 0, 1); size < bytes; ms += next(50)) {
    const text =
      next(200) === 0
        ? `ERROR ${pick(SERVICES)} upstream request failed: connection refused to 10.0.${next(255)}.${next(255)}:8080`
        : pick(kinds)();
    const line = `${new Date(ms).toISOString()} ${text}\n`;
    parts.push(line);
    size += line.length;
  }
  return parts.join('').slice(0, bytes);
}

function row(cells) {
  return cells
    .map((cell, i) => String(cell).padEnd([12, 34, 8, 19, 16, 4][i]))
    .join('')
    .trimEnd();
}

/** `kubectl get pods -A` of about `bytes` bytes, one pod in 150 crash-looping. */
export function podTable(bytes, seed = 5) {
  const { next, pick } = generator(seed);
  const rows = [row(['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'])];
  for (let size = rows[0].length; size < bytes; size += rows.at(-1).length + 1) {
    const name = `${pick(SERVICES)}-${(next(2 ** 22) + 2 ** 20).toString(16)}-${(next(2 ** 22) + 2 ** 21).toString(36)}`;
    const healthy = next(150) !== 0;
    rows.push(
      row([
        'shop',
        name,
        healthy ? '1/1' : '0/1',
        healthy ? 'Running' : 'CrashLoopBackOff',
        healthy ? 0 : '57 (2m ago)',
        `${1 + next(9)}d`,
      ]),
    );
  }
  return `${rows.join('\n')}\n`.slice(0, bytes);
}

/** JSON records of an API, one a line, of about `bytes` bytes; one in 200 has failed. */
export function jsonRecords(bytes, seed = 7) {
  const { next, pick, word } = generator(seed);
  const lines = [];
  for (let size = 0, i = 0; size < bytes; size += lines.at(-1).length + 1, i += 1) {
    const failed = next(200) === 0;
    lines.push(
      JSON.stringify({
        id: `${word(8, 16)}-${word(4, 16)}-${i.toString(16)}`,
        service: pick(SERVICES),
        region: pick(['eu-west-1', 'us-east-2', 'ap-south-1']),
        state: failed ? 'failed' : 'active',
        latency_ms: next(900) / 10,
        attempts: 1 + next(3),
        labels: { team: pick(['shop', 'core']), tier: pick(['web', 'batch']) },
        message: failed ? 'upstream refused the connection' : `handled ${next(5000)} of ${next(5000)} rows`,
      }),
    );
  }
  return `${lines.join('\n')}\n`.slice(0, bytes);
}
