// Generators of records: JSON, NDJSON, YAML. A unit is an element, its key an id or a name that nothing else has.

const APPS = ['cart', 'checkout', 'error-pages', 'ledger', 'indexer', 'thumbnails'];
const REGIONS = ['eu-west-1', 'eu-north-1', 'us-east-2'];
const PROSE = 'the batch was taken over by the next worker in line and went on where it had been left, ';

/** A service as an API tells of it. */
const service = ({ next, pick, word }, i) => ({
  key: `${pick(APPS)}-${word(5)}${i.toString(36).padStart(3, '0')}`,
  id: `${word(8, 16)}-${word(4, 16)}-${i.toString(16).padStart(8, '0')}`,
  state: pick(['active', 'active', 'active', 'scaled']),
  region: pick(REGIONS),
  replicas: '3/3',
  latency: 12 + next(40),
  port: pick([8080, 8443, 9090]),
  errors: 0,
  error: null,
});

const plants = {
  failure: (u, { pick }) => {
    u.state = 'failed';
    u.error = pick(['connection refused', 'deadline exceeded', 'out of memory', 'permission denied']);
    return [u.key, u.error];
  },
  state: (u, { pick }) => [u.key, (u.state = pick(['quiesced', 'superseded', 'draining', 'standby']))],
  outlier: (u, { next }) => [u.key, String((u.latency = 930_000_000 + next(9_000_000)))],
  missing: (u) => {
    delete u.region;
    return [u.key];
  },
  extra: (u, { pick }) => [u.key, (u.replacedBy = pick(['ledger2', 'basket', 'crawler', 'previews']))],
  type: (u) => {
    u.port = String(u.port);
    return [u.key, `"${u.port}"`];
  },
  duplicate: (u, _, other) => {
    u.id = other.id;
    return [u.key, other.key];
  },
  unicode: (u) => [(u.key = `${u.key}-żółw`)],
  long: (u) => {
    u.note = `note of ${u.key}: ${PROSE.repeat(30)}`;
    return [u.note.slice(0, 60)];
  },
  ratio: (u) => [u.key, (u.replicas = '2/3')],
};

const flat = (u) => ({
  id: u.id,
  name: u.key,
  state: u.state,
  ...(u.region === undefined ? {} : { region: u.region }),
  replicas: u.replicas,
  latency_ms: u.latency,
  port: u.port,
  errors: u.errors,
  error: u.error,
  note: u.note ?? 'taken over by the next worker in line',
  ...(u.replacedBy === undefined ? {} : { replaced_by: u.replacedBy }),
});

export const jsonArray = {
  name: 'JSON array',
  unit: service,
  plants,
  render: (units) => `${JSON.stringify(units.map(flat))}\n`,
};

export const jsonList = {
  name: 'JSON list',
  unit: service,
  plants,
  render: (units) =>
    `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: units.map(nested) }, null, 2)}\n`,
};

const nested = (u) => ({
  kind: 'Service',
  metadata: {
    name: u.key,
    uid: u.id,
    ...(u.region === undefined ? {} : { region: u.region }),
    annotations: {
      note: u.note ?? 'taken over by the next worker in line',
      ...(u.replacedBy === undefined ? {} : { replacedBy: u.replacedBy }),
    },
  },
  spec: { ports: [{ name: 'http', port: u.port }] },
  status: { phase: u.state, ready: u.replicas, latencyMs: u.latency, errors: u.errors, error: u.error },
});

export const ndjson = {
  name: 'NDJSON log',
  unit: (random, i) => {
    const { next, pick } = random;
    return {
      ...service(random, i),
      level: pick(['info', 'info', 'info', 'debug']),
      logger: 'error-handler',
      message: pick(['request completed', 'cache filled', 'job done', 'session renewed']),
      ts: new Date(Date.UTC(2026, 2, 1) + i * 1000 + next(1000)).toISOString(),
    };
  },
  plants: {
    ...plants,
    failure: (u, { pick }) => {
      u.level = 'error';
      u.message = pick([
        'upstream call failed: connection refused',
        'panic: index out of range',
        'job killed: out of memory',
        'lock not taken: deadline exceeded',
      ]);
      return [u.key, u.message];
    },
  },
  render: (units) =>
    units
      .map((u) => {
        const { id, ...rest } = flat(u);
        return `${JSON.stringify({ ts: u.ts, level: u.level, logger: u.logger, msg: u.message, request: id, ...rest })}\n`;
      })
      .join(''),
};

export const yamlList = {
  name: 'YAML list',
  unit: service,
  plants,
  render: (units) =>
    `services:\n${units
      .map((u) => {
        const [first, ...rest] = Object.entries(flat(u));
        return [`  - ${field(first)}`, ...rest.map((entry) => `    ${field(entry)}`)].join('\n');
      })
      .join('\n')}\n`,
};

/** Strings that YAML would take for another type are quoted. */
function field([name, value]) {
  const isPlain = typeof value !== 'string' || /^[\p{L}][^:#]*$/u.test(value);
  return `${name}: ${isPlain ? value : JSON.stringify(value)}`;
}
