// Generators of lines and of reports made of them.

const APPS = ['cart', 'checkout', 'ledger', 'indexer', 'thumbnails', 'gateway'];
const PROSE = 'the batch was taken over by the next worker in line and went on where it had been left, ';

export const log = {
  name: 'line log',
  unit: (random, i) => {
    const { next, pick, word } = random;
    const app = pick(APPS);
    return {
      key: new Date(Date.UTC(2026, 2, 1) + i * 1000 + next(1000)).toISOString(),
      app,
      level: 'INFO',
      request: word(12, 16) + i.toString(16).padStart(4, '0'),
      ms: 3 + next(90),
      errors: 'errors=0',
      text: pick([
        (u) => `request completed status=200 duration=${u.ms}ms request=${u.request}`,
        (u) => `cache filled entries=${u.ms} request=${u.request}`,
        (u) => `job ${u.request} finished in ${u.ms}ms, ready 3/3`,
        (u) => `connection from 10.0.${u.ms}.7 accepted, request=${u.request}`,
        (u) => `session renewed for user ${u.ms} request=${u.request}`,
        (u) => `flushed ${u.ms} records to disk, request=${u.request}`,
      ]),
    };
  },
  plants: {
    failure: (u, { pick }) => {
      u.level = 'ERROR';
      return say(
        u,
        pick([
          'upstream failed: connection refused',
          'panic: index out of range',
          'worker killed: out of memory',
          'lock not taken: deadline exceeded',
        ]),
      );
    },
    state: (u, { pick }) =>
      say(
        u,
        pick([
          'replica promoted to primary',
          'entering maintenance mode',
          'leadership handed over',
          'feature flag dark-launch turned on',
        ]),
      ),
    outlier: (u, { next }) =>
      say(u, `request completed status=200 duration=${93_000 + next(900)}ms request=${u.request}`),
    missing: (u) => say(u, `request completed status=200 request=${u.request}`),
    extra: (u) => say(u, `request completed status=200 duration=${u.ms}ms request=${u.request} shadow=true`),
    type: (u) => say(u, `request completed status=200 duration=unset request=${u.request}`),
    unicode: (u) => say(u, `session renewed for user Zoë request=${u.request}`),
    long: (u) => say(u, `request dump ${u.request}: ${PROSE.repeat(30)}`, 40),
    ratio: (u) => say(u, `job ${u.request} finished in ${u.ms}ms, ready 2/3`),
  },
  render: (units) =>
    units.map((u) => `${u.key} ${u.level} [error-handler] ${u.app} ${u.text(u)} ${u.errors}\n`).join(''),
};

/** Gives a line its text; the needle is the first characters of it, behind its time. */
function say(u, text, length = text.length) {
  u.text = () => text;
  return [u.key, text.slice(0, length)];
}

export const describe = {
  name: 'kubectl describe',
  unit: ({ next, pick, word }, i) => ({
    key: `${pick(APPS)}-${word(8)}-${word(3)}${i.toString(36).padStart(3, '0')}`,
    node: `worker-${next(12)}/10.0.0.${next(12)}`,
    status: 'Running',
    ip: `10.${next(8)}.${i >> 8}.${i & 255}`,
    restarts: String(next(3)),
    ready: 'True',
    replicas: '3/3',
    limit: pick(['512Mi', '1Gi']),
  }),
  plants: {
    failure: (u, { pick }) => {
      u.ready = 'False';
      return [
        u.key,
        (u.reason = pick(['OOMKilled', 'CrashLoopBackOff', 'ContainerCannotRun', 'DeadlineExceeded'])),
      ];
    },
    state: (u, { pick }) => [u.key, (u.status = pick(['Pending', 'Terminating', 'Succeeded', 'Draining']))],
    outlier: (u, { next }) => [u.key, (u.restarts = String(41_000 + next(900)))],
    missing: (u) => {
      u.node = '<none>';
      return [u.key];
    },
    extra: (u, { pick }) => [u.key, (u.nominated = pick(['spare-a', 'spare-b', 'gpu-1', 'edge-4']))],
    type: (u) => [u.key, (u.limit = '<unset>')],
    duplicate: (u, _, other) => {
      u.ip = other.ip;
      return [u.key, other.key];
    },
    unicode: (u) => [(u.key = `${u.key}é`)],
    long: (u) => {
      u.note = `note of ${u.key}: ${PROSE.repeat(30)}`;
      return [u.note.slice(0, 60)];
    },
    ratio: (u) => [u.key, (u.replicas = '2/3')],
  },
  render: (units) =>
    units
      .map((u) =>
        [
          `Name:             ${u.key}`,
          'Namespace:        error-tracking',
          `Node:             ${u.node}`,
          ...(u.nominated === undefined ? [] : [`Nominated Node:   ${u.nominated}`]),
          ...(u.note === undefined ? [] : [`Annotations:      ${u.note}`]),
          `Status:           ${u.status}`,
          `IP:               ${u.ip}`,
          'Containers:',
          '  main:',
          '    Image:          registry.example/app:1.4',
          '    State:          Running',
          ...(u.reason === undefined
            ? []
            : [`    Last State:     Terminated`, `      Reason:       ${u.reason}`]),
          `    Ready:          ${u.ready}`,
          `    Restart Count:  ${u.restarts}`,
          `    Members:        ${u.replicas}`,
          '    Limits:',
          `      memory:  ${u.limit}`,
          'Events:           <none>',
          '',
        ].join('\n'),
      )
      .join('\n'),
};

export const tests = {
  name: 'test output',
  unit: ({ next, pick, word }, i) => ({
    key: `TestError${pick(['Cart', 'Ledger', 'Index'])}${word(5)}${i.toString(36).padStart(3, '0')}`,
    verdict: 'PASS',
    seconds: `0.0${next(9)}`,
    more: [],
  }),
  plants: {
    failure: (u, { next }) => {
      u.verdict = 'FAIL';
      u.more = [`    cart_test.go:41: got ${900 + next(90)} items, want 3`];
      return [`FAIL: ${u.key}`, u.more[0]];
    },
    state: (u) => {
      u.verdict = 'SKIP';
      return [`SKIP: ${u.key}`];
    },
    outlier: (u, { next }) => {
      u.seconds = `${310 + next(90)}.50`;
      return [`PASS: ${u.key} (${u.seconds}s)`];
    },
  },
  render: (units) =>
    `${units.map((u) => [`=== RUN   ${u.key}`, ...(u.verdict === 'FAIL' ? [] : u.more), `--- ${u.verdict}: ${u.key} (${u.seconds}s)`, ...(u.verdict === 'FAIL' ? u.more : [])].join('\n')).join('\n')}\n${units.some((u) => u.verdict === 'FAIL') ? 'FAIL\nexit status 1' : 'PASS'}\n`,
};

export const diff = {
  name: 'diff',
  /** A change that is the same all over is shown three times and at its last place. */
  shown: () => 4,
  unit: ({ next, pick, word }, i) => ({
    key: `main-${word(5)}${i.toString(36).padStart(3, '0')}`,
    path: `deploy/${pick(APPS)}/${word(6)}${i.toString(36).padStart(3, '0')}.yaml`,
    line: 10 + next(40),
    hash: `${word(7, 16)}..${word(7, 16)}`,
    removed: '          image: registry.example/error-pages:1.4.0',
    added: '          image: registry.example/error-pages:1.5.0',
  }),
  plants: {
    state: (u, { pick }) => {
      u.removed = '          imagePullPolicy: IfNotPresent';
      u.added = `          imagePullPolicy: ${pick(['Always', 'Never', 'Eager', 'Lazy'])}`;
      return [u.key, u.added];
    },
    outlier: (u, { next }) => {
      u.removed = '          timeoutSeconds: 30';
      u.added = `          timeoutSeconds: ${93_000 + next(900)}`;
      return [u.key, u.added];
    },
    missing: (u) => {
      u.added = undefined;
      return [u.key, ',2 @@ spec:'];
    },
    extra: (u) => {
      u.added = `${u.added}\n+          command: [serve, --shadow]`;
      return [u.key, '--shadow'];
    },
    type: (u) => {
      u.removed = '          port: 8080';
      u.added = '          port: "8080"';
      return [u.key, u.added];
    },
    unicode: (u) => {
      u.added = `${u.added} # für später`;
      return [u.key, '# für später'];
    },
    long: (u) => {
      u.added = `${u.added} # ${u.key.slice(-8)} ${PROSE.repeat(30)}`;
      return [u.key, u.added.slice(0, 90)];
    },
  },
  render: (units) =>
    units
      .map((u) =>
        [
          `diff --git a/${u.path} b/${u.path}`,
          `index ${u.hash} 100644`,
          `--- a/${u.path}`,
          `+++ b/${u.path}`,
          `@@ -${u.line},3 +${u.line},${u.added === undefined ? 2 : u.added.includes('\n') ? 4 : 3} @@ spec:`,
          `         - name: ${u.key}`,
          `-${u.removed}`,
          ...(u.added === undefined ? [] : [`+${u.added}`]),
          '           ports:',
          '',
        ].join('\n'),
      )
      .join(''),
};

export const search = {
  name: 'search results',
  /** The first hit of each file, of 200 files at most. */
  shown: (n) => Math.min(200, Math.ceil(n / 8)),
  unit: ({ next, pick }, i) => ({
    key: `src/${APPS[(i >> 3) % APPS.length]}/module${i >> 3}.ts:${1 + 20 * (i & 7) + next(20)}:`,
    text: pick([
      "import { logger } from '../error/logger';",
      '  const logger = createLogger({ timeout: 30 });',
      '  logger.error(error);',
    ]),
  }),
  plants: {
    state: (u, { pick }) => [
      u.key,
      (u.text = pick([
        '  logger.mute();',
        "  logger.level = 'silent';",
        '  logger.detach();',
        '  delete logger.sink;',
      ])),
    ],
    outlier: (u, { next }) => [
      u.key,
      (u.text = `  const logger = createLogger({ timeout: ${93_000 + next(900)} });`),
    ],
    missing: (u) => [u.key, (u.text = '  const logger = createLogger({});')],
    extra: (u) => [u.key, (u.text = '  const logger = createLogger({ timeout: 30, shadow: true });')],
    type: (u) => [u.key, (u.text = "  const logger = createLogger({ timeout: '30' });")],
    unicode: (u) => [u.key, (u.text = '  logger.error(error); // für später')],
    long: (u) => {
      u.text = `var logger="${u.key.slice(4)}";${'function a(b){return c[b]};'.repeat(100)}`;
      return [u.key, u.text.slice(0, 30)];
    },
  },
  render: (units) => units.map((u) => `${u.key}${u.text}\n`).join(''),
};
