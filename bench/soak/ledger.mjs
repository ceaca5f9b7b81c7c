// What was put into the daemon, and what must come out of it again.
import { bodyOf, CLASSES, digestOf } from './bodies.mjs';

const MARKER = /<<ctxzip:([0-9a-f]{12})/g;

/** Remembers inputs by two small numbers; what is wrong with an answer goes into `faults`. */
export class Ledger {
  /** Printed hash → kind and number of its input. */
  printed = new Map();
  /** The same as a list. */
  hashes = [];
  faults = [];
  counts = CLASSES.map(() => 0);
  views = new Map();

  fault(what) {
    if (this.faults.length < 50) this.faults.push(what);
    else this.faults[50] = '… and more';
  }

  /** An input: a new one with a chance of one in `rarity`, else one that was sent before. */
  pick(size, next, rarity) {
    const kinds = CLASSES.flatMap((each, kind) => (each.size === size ? [kind] : []));
    const kind = kinds[next(kinds.length)];
    const isNew = this.counts[kind] === 0 || next(rarity) === 0;
    if (isNew) this.counts[kind] += 1;
    const number = isNew ? this.counts[kind] - 1 : next(this.counts[kind]);
    return { kind, number, body: bodyOf(kind, number) };
  }

  /** Looks at an answer to `compress`; `isUsual`: made under the default policy. */
  answered({ kind, number, body }, { headers, body: got }, isUsual) {
    const name = `${CLASSES[kind].size} ${CLASSES[kind].shape} ${number}`;
    if (headers['x-ctxzip-kind'] === 'passthrough') {
      if (!got.equals(body)) this.fault(`${name}: a passthrough that is not the input`);
      return;
    }
    this.note(got.toString('latin1'), { kind, number, body });
    if (!isUsual) return;
    const key = `${kind}:${number}`;
    const digest = digestOf(got).slice(0, 16);
    if ((this.views.get(key) ?? digest) !== digest) this.fault(`${name}: another view than before`);
    this.views.set(key, digest);
  }

  /** Notes the hashes that a view prints: each must be that of its input. */
  note(view, { kind, number, body }) {
    const sha = digestOf(body).slice(0, 12);
    for (const [, hash] of view.matchAll(MARKER)) {
      if (hash !== sha) this.fault(`${CLASSES[kind].shape} ${number}: prints ${hash}, which is not its hash`);
      if (this.printed.has(hash)) continue;
      this.printed.set(hash, { kind, number });
      this.hashes.push([hash, { kind, number }]);
    }
  }
}

/** Expands every hash over the socket; how many came back whole. */
export async function expandAll(box, ledger, clients = 8) {
  const left = [...ledger.printed];
  let whole = 0;
  const work = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) {
      const [hash, { kind, number }] = one;
      const { status, body } = await box.ask(`/v1/originals/${hash}`);
      if (status === 200 && body.equals(bodyOf(kind, number))) whole += 1;
      else ledger.fault(`LOST: ${hash} answers ${status} with ${body.length} bytes, not its input`);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return whole;
}

/** The same by processes that know nothing of a daemon, for `most` of them, evenly chosen. */
export async function expandByCommand(box, ledger, most) {
  const all = [...ledger.printed];
  const step = Math.max(1, Math.floor(all.length / most));
  const chosen = all.filter((_, i) => i % step === 0).slice(0, most);
  let whole = 0;
  const work = async () => {
    for (let one = chosen.pop(); one !== undefined; one = chosen.pop()) {
      const [hash, { kind, number }] = one;
      const { code, out, err } = await box.run(['expand', hash]);
      if (code === 0 && out.equals(bodyOf(kind, number))) whole += 1;
      else ledger.fault(`LOST: ctxzip expand ${hash} ended with ${code}: ${err.trim().slice(0, 200)}`);
    }
  };
  await Promise.all([work(), work()]);
  return whole;
}
