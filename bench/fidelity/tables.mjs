// Generators of tables: a unit is a row, its key a name that nothing else has.

/** Lays cells out in columns, as the tools do: three blanks behind the widest. */
function columns(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, c) => Math.max(...sample(all, c)));
  const lines = all.map((cells) =>
    cells
      .map((cell, c) => (c === head.length - 1 ? cell : cell.padEnd(widths[c] + 3)))
      .join('')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

function* chunks(list, size) {
  for (let i = 0; i < list.length; i += size) yield list.slice(i, i + size);
}

/** The widths of a column, a thousand rows at a time: `Math.max` takes only so many arguments. */
function sample(rows, c) {
  return [...chunks(rows, 1000)].map((part) => Math.max(...part.map((cells) => cells[c].length)));
}

const TEAMS = ['shop', 'billing', 'search', 'error-tracking', 'media'];
const APPS = ['cart', 'checkout', 'error-pages', 'ledger', 'indexer', 'thumbnails'];

export const kubectl = {
  name: 'kubectl get pods',
  unit: ({ next, pick, word }, i) => ({
    key: `${pick(APPS)}-${word(8)}-${word(3)}${i.toString(36).padStart(3, '0')}`,
    namespace: pick(TEAMS),
    ready: '1/1',
    status: 'Running',
    restarts: String(next(3)),
    age: `${1 + next(9)}d`,
    ip: `10.${next(8)}.${i >> 8}.${i & 255}`,
    node: `worker-${next(12)}`,
    nominated: '<none>',
  }),
  plants: {
    failure: (u, { pick }) => {
      u.ready = '0/1';
      u.status = pick(['CrashLoopBackOff', 'ImagePullBackOff', 'OOMKilled', 'CreateContainerConfigError']);
      return [u.key, u.status];
    },
    state: (u, { pick }) => [
      u.key,
      (u.status = pick(['Terminating', 'Pending', 'SchedulingGated', 'Draining'])),
    ],
    outlier: (u, { next }) => [u.key, (u.restarts = String(41_000 + next(900)))],
    missing: (u) => {
      u.ip = '-';
      return [u.key];
    },
    extra: (u, { pick }) => [u.key, (u.nominated = pick(['spare-a', 'spare-b', 'gpu-1', 'edge-4']))],
    type: (u) => [u.key, (u.age = '<unknown>')],
    duplicate: (u, _, other) => {
      u.ip = other.ip;
      return [u.key, other.key];
    },
    unicode: (u) => [(u.key = `${u.key}é`)],
    ratio: (u) => [u.key, (u.ready = '2/3')],
  },
  render: (units) =>
    columns(
      ['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE', 'IP', 'NODE', 'NOMINATED NODE'],
      units.map((u) => [u.namespace, u.key, u.ready, u.status, u.restarts, u.age, u.ip, u.node, u.nominated]),
    ),
};

export const docker = {
  name: 'docker ps',
  unit: ({ next, pick, word }, i) => ({
    key: `${pick(APPS)}_${word(4)}${i.toString(36).padStart(3, '0')}`,
    id: word(8, 16) + i.toString(16).padStart(4, '0'),
    image: `registry.example/${pick(APPS)}:1.${next(3)}`,
    command: pick(['"/entrypoint.sh"', '"node error.js"', '"nginx -g daemon off"']),
    created: `${2 + next(9)} days ago`,
    status: `Up ${2 + next(9)} days`,
    ports: `${pick(['8080', '9090'])}/tcp`,
  }),
  plants: {
    failure: (u, { pick }) => [
      u.key,
      (u.status = pick([
        'Exited (137) 3 minutes ago',
        'Up 2 days (unhealthy)',
        'Restarting (1) 5 seconds ago',
        'Dead',
      ])),
    ],
    state: (u, { pick }) => [
      u.key,
      (u.status = pick([
        'Up 3 days (Paused)',
        'Created',
        'Removal In Progress',
        'Up 2 days (health: starting)',
      ])),
    ],
    outlier: (u, { next }) => [u.key, (u.created = `${6 + next(3)} years ago`)],
    missing: (u) => {
      u.ports = '';
      return [u.key];
    },
    duplicate: (u, _, other) => {
      u.id = other.id;
      return [u.key, other.key];
    },
    unicode: (u) => [(u.key = `${u.key}_ß`)],
    long: (u) => [(u.key = `${u.key}_${'with-a-very-long-name-'.repeat(12)}end`)],
  },
  render: (units) =>
    columns(
      ['CONTAINER ID', 'IMAGE', 'COMMAND', 'CREATED', 'STATUS', 'PORTS', 'NAMES'],
      units.map((u) => [u.id, u.image, u.command, u.created, u.status, u.ports, u.key]),
    ),
};

export const df = {
  name: 'df -hT',
  unit: ({ next, pick, word }, i) => ({
    key: `/var/lib/${pick(APPS)}/${word(6)}${i.toString(36).padStart(3, '0')}`,
    device: `/dev/mapper/pvc-${word(5, 16)}${i.toString(16).padStart(4, '0')}`,
    type: pick(['ext4', 'xfs']),
    size: pick(['50G', '100G']),
    used: `${11 + next(30)}G`,
    avail: `${9 + next(50)}G`,
    share: `${18 + next(40)}%`,
  }),
  plants: {
    failure: (u, { pick }) => {
      u.line = `df: ${u.key}: ${pick(['Input/output error', 'Permission denied', 'Stale file handle', 'Transport endpoint is not connected'])}`;
      return [u.line];
    },
    state: (u, { pick }) => [u.key, (u.type = pick(['fuseblk', 'ramfs', 'btrfs', 'nfs4']))],
    outlier: (u) => [u.key, (u.share = '100%')],
    missing: (u) => {
      Object.assign(u, { size: '-', used: '-', avail: '-', share: '-' });
      return [u.key];
    },
    duplicate: (u, _, other) => {
      u.device = other.device;
      return [u.key, other.key];
    },
    unicode: (u) => [(u.key = `${u.key}/ñ`)],
    long: (u) => [(u.key = `${u.key}/${'nested-folder/'.repeat(20)}end`)],
  },
  render: (units) => {
    const head = ['Filesystem', 'Type', 'Size', 'Used', 'Avail', 'Use%', 'Mounted on'];
    const rows = units.map((u) => [u.device, u.type, u.size, u.used, u.avail, u.share, u.key]);
    const lines = columns(head, rows).split('\n');
    units.forEach((u, i) => {
      if (u.line !== undefined) lines[i + 1] = u.line;
    });
    return lines.join('\n');
  },
};

export const ps = {
  name: 'ps aux',
  unit: ({ next, pick, word }, i) => ({
    key: `--id=${word(6)}${i.toString(36).padStart(3, '0')}`,
    user: pick(['root', 'www-data', 'app']),
    pid: String(1000 + i * 3 + next(3)),
    cpu: `0.${next(10)}`,
    mem: `0.${next(10)}`,
    rss: String(20_000 + next(60_000)),
    stat: pick(['Sl', 'Ss']),
    command: pick(['/usr/sbin/nginx', 'node /srv/error-collector.js', 'postgres: worker']),
  }),
  plants: {
    failure: (u) => [u.key, (u.command = '[collector] <defunct>')],
    state: (u, { pick }) => {
      u.stat = pick(['T', 'D', 'Tl', 'Dl']);
      return [u.key];
    },
    outlier: (u, { next }) => [u.key, (u.cpu = `39${next(10)}.${next(10)}`)],
    missing: (u) => {
      u.rss = '-';
      return [u.key];
    },
    unicode: (u) => [(u.key = `${u.key}ü`)],
    long: (u) => {
      u.tail = ` ${'-Dsome.property.of.it=value '.repeat(60)}`;
      return [u.key];
    },
  },
  render: (units) => {
    const lines = units.map((u) =>
      [
        u.user.padEnd(10),
        u.pid.padStart(7),
        u.cpu.padStart(6),
        u.mem.padStart(5),
        '1204312'.padStart(8),
        u.rss.padStart(7),
        '?       ',
        u.stat.padEnd(4),
        'Nov29',
        '  0:01',
        `${u.command} ${u.key}${u.tail ?? ''}`,
      ].join(' '),
    );
    return `USER           PID   %CPU  %MEM      VSZ     RSS TTY      STAT START   TIME COMMAND\n${lines.join('\n')}\n`;
  },
};
