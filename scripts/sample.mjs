// Writes samples/pods.txt, `kubectl get pods -A` of a cluster with 150 pods, one of them in a crash loop; and
// samples/events.json, `kubectl get events -o json` with 80 events, one of them a mount that failed.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let state = 20;
const next = (n) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >>> 8) % n;
};
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const id = (n) => Array.from({ length: n }, () => letters[next(letters.length)]).join('');
const apps = [
  ['ingress', 'nginx-ingress-controller', 6],
  ['kube-system', 'coredns', 2],
  ['kube-system', 'kube-proxy', 12],
  ['monitoring', 'node-exporter', 12],
  ['monitoring', 'prometheus', 2],
  ['shop', 'cart', 20],
  ['shop', 'catalog', 24],
  ['shop', 'checkout', 18],
  ['shop', 'orders', 22],
  ['shop', 'pay', 1],
  ['shop', 'search', 16],
  ['shop', 'web', 15],
];
const widths = [13, 42, 8, 19, 15, 4];
const row = (cells) =>
  cells
    .map((cell, i) => String(cell).padEnd(widths[i]))
    .join('')
    .trimEnd();
const lines = [row(['NAMESPACE', 'NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE'])];
for (const [namespace, app, count] of apps) {
  const set = id(9);
  for (let i = 0; i < count; i += 1) {
    const broken = app === 'pay';
    lines.push(
      row([
        namespace,
        `${app}-${set}-${id(5)}`,
        broken ? '0/1' : '1/1',
        broken ? 'CrashLoopBackOff' : 'Running',
        broken ? '57 (2m ago)' : '0',
        '3d',
      ]),
    );
  }
}
const write = (name, text) =>
  writeFileSync(join(dirname(fileURLToPath(import.meta.url)), '..', 'samples', name), text);
write('pods.txt', `${lines.join('\n')}\n`);

const event = (i, failed) => {
  const pod = `${failed ? 'pay' : apps[5 + next(7)][1]}-${id(9)}-${id(5)}`;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${pod}.${id(12)}`, namespace: 'shop', resourceVersion: String(70_000 + i) },
    involvedObject: { kind: 'Pod', name: pod, namespace: 'shop' },
    type: failed ? 'Warning' : 'Normal',
    reason: failed ? 'FailedMount' : 'Scheduled',
    message: failed ? 'secret "pay-tls" not found' : `Successfully assigned shop/${pod} to node-${next(12)}`,
    count: failed ? 41 : 1,
  };
};
const items = Array.from({ length: 80 }, (_, i) => event(i, i === 52));
write('events.json', `${JSON.stringify({ apiVersion: 'v1', items, kind: 'List' }, null, 4)}\n`);
