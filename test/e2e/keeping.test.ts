/** `list`, `forget`, `gc`: what the store holds, and how it goes. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hashOf, sandbox, type Sandbox } from '../support-e2e/command.ts';
import { log, pods, seeded } from '../support-e2e/inputs.ts';

const clock = fileURLToPath(new URL('../support-e2e/clock.cjs', import.meta.url));
const DAY = 86_400_000;

function shifted(ms: number): Record<string, string> {
  return { NODE_OPTIONS: `--require=${clock}`, CLOCK_SHIFT_MS: String(ms) };
}

async function filled(): Promise<{ own: Sandbox; hashes: string[] }> {
  const own = sandbox();
  const hashes: string[] = [];
  for (const salt of ['-a', '-b', '-c'])
    hashes.push(hashOf((await own.run([], { input: log(400, salt) })).text));
  return { own, hashes };
}

describe('list', () => {
  it('an empty store', async () => {
    const own = sandbox();
    const { out, err, code } = await own.run(['list']);
    expect({ out: out.length, code }).toEqual({ out: 0, code: 0 });
    expect(err).toMatch(/empty/);
    expect(JSON.parse((await own.run(['list', '--json'])).text)).toEqual([]);
    expect(existsSync(own.store)).toBe(false);
  });

  it('latest first, from spool and LMDB', async () => {
    const { own, hashes } = await filled();
    await own.run(['gc']);
    hashes.push(hashOf((await own.run(['--tool', 'kubectl get pods'], { input: pods() })).text));
    const { text, code } = await own.run(['list']);
    expect(code).toBe(0);
    const rows = text.trimEnd().split('\n');
    expect(rows[0]).toMatch(/^HASH +SIZE +STORED +EXPIRES +EXIT +TOOK +FOLDER +COMMAND$/);
    expect(rows.slice(1).map((row) => row.slice(0, 12))).toEqual(hashes.toReversed());
    expect(rows[1]).toMatch(/ 12\.\d KB +\d+s ago +in 7d +- +- +\S+ +kubectl get pods$/);
    const entries = JSON.parse((await own.run(['list', '--json'])).text) as Array<{
      where: string;
      hash: string;
    }>;
    expect(entries.map((entry) => entry.where)).toEqual(['spool', 'lmdb', 'lmdb', 'lmdb']);
    expect(entries[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('a command with control characters can not harm a terminal', async () => {
    const own = sandbox();
    await own.run(['--tool', 'evil \u001b]0;pwned\u0007 \n tool'], { input: pods() });
    const { text } = await own.run(['list']);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(text.trimEnd().split('\n')).toHaveLength(2);
  });
});

// What `--tool` is given may be a command line, and that is scrubbed before it is stored.
describe('a tool with credentials', () => {
  it('is scrubbed', async () => {
    const own = sandbox();
    const tool = 'curl -H "Authorization: Bearer sk-verysecret123" https://user:pass9876@host';
    await own.run(['--tool', tool], { input: pods() });
    const { text } = await own.run(['list', '--json']);
    expect(text).toContain('curl');
    expect(text).not.toMatch(/sk-verysecret123|pass9876/);
  });
});

describe('forget', () => {
  it('erases originals wherever they are, and what is known of them', async () => {
    const { own, hashes } = await filled();
    await own.run(['gc']);
    const last = (await own.run([], { input: pods() })).text;
    const { err, code } = await own.run(['forget', hashes[0]!, hashOf(last).toUpperCase()]);
    expect({ err, code }).toEqual({ err: 'ctxzip: 2 originals erased\n', code: 0 });
    for (const hash of [hashes[0]!, hashOf(last)]) {
      const { code: gone, err: why } = await own.run(['expand', hash]);
      expect(gone).toBe(1);
      expect(why).toMatch(/no original is stored/);
    }
    expect((await own.run(['restore'], { input: last })).code).toBe(1);
    expect((await own.run(['expand', hashes[1]!])).code).toBe(0);
    expect(grepFolder(own.store, Buffer.from('request-a id=')).length).toBe(0);
    expect(grepFolder(own.store, Buffer.from('CrashLoopBackOff')).length).toBe(0);
  });

  it('says what it does not know, and erases the rest', async () => {
    const { own, hashes } = await filled();
    const { err, code } = await own.run(['forget', 'abcdef123456', hashes[2]!, 'nonsense']);
    expect(code).toBe(2);
    expect(err).toMatch(/no original is stored under abcdef123456/);
    expect(err).toMatch(/1 original erased/);
    expect((await own.run(['expand', hashes[2]!])).code).toBe(1);
  });

  // LMDB keeps the pages of what was deleted as they were until it needs them.
  it.fails('leaves nothing of it in LMDB', async () => {
    const own = sandbox();
    const random = seeded(3);
    const hex = (): string => Math.floor(random() * 2 ** 48).toString(16);
    const secret = Array.from({ length: 2000 }, () => `INFO token ${hex()}${hex()} ok\n`).join('');
    const hash = hashOf((await own.run([], { input: secret })).text);
    await own.run(['gc']);
    const data = (): Buffer => readFileSync(join(own.store, 'lmdb', 'data.mdb'));
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    const piece = brotliCompressSync(Buffer.from(secret).subarray(0, 65_472), options).subarray(5000, 5064);
    expect(data().includes(piece)).toBe(true);
    await own.run(['forget', hash]);
    expect(data().includes(piece)).toBe(false);
  });

  it('--all only with --force', async () => {
    const { own } = await filled();
    const asked = await own.run(['forget', '--all']);
    expect({ code: asked.code, err: asked.err }).toEqual({
      code: 2,
      err: 'ctxzip: this would erase 3 originals for good; add --force to do it\n',
    });
    expect(JSON.parse((await own.run(['list', '--json'])).text)).toHaveLength(3);
    const done = await own.run(['forget', '--all', '--force']);
    expect({ code: done.code, err: done.err }).toEqual({ code: 0, err: 'ctxzip: 3 originals erased\n' });
    expect(JSON.parse((await own.run(['list', '--json'])).text)).toEqual([]);
  });

  it('needs to be told what', async () => {
    const own = sandbox();
    expect((await own.run(['forget'])).code).toBe(2);
    expect((await own.run(['forget', '--all', 'abcdef123456'])).code).toBe(2);
  });
});

describe('gc', () => {
  it('moves the spool into LMDB, and has nothing to do twice', async () => {
    const { own, hashes } = await filled();
    const first = await own.run(['gc']);
    expect(first.code).toBe(0);
    expect(first.err).toMatch(/^ctxzip: 3 imported, 0 expired, 0 evicted/);
    expect(own.spooled()).toEqual([]);
    expect((await own.run(['gc'])).err).toMatch(/^ctxzip: 0 imported/);
    for (const hash of hashes) expect((await own.run(['expand', hash, 'L1'])).code).toBe(0);
  });

  it('--quiet says nothing', async () => {
    const { own } = await filled();
    const { out, err, code } = await own.run(['gc', '--quiet']);
    expect({ out: out.length, err, code }).toEqual({ out: 0, err: '', code: 0 });
  });

  it('without a store there is nothing to do, and none is made', async () => {
    const own = sandbox();
    const { err, code } = await own.run(['gc']);
    expect({ err, code }).toEqual({ err: 'ctxzip: there is nothing to do: no store yet\n', code: 0 });
    expect(existsSync(own.store)).toBe(false);
  });

  it('removes what has expired, and leaves no copy of it', async () => {
    const { own, hashes } = await filled();
    await own.run(['gc']);
    const { err } = await own.run(['gc'], { env: shifted(8 * DAY) });
    expect(err).toMatch(/0 imported, 3 expired/);
    expect((await own.run(['expand', hashes[0]!], { env: shifted(8 * DAY) })).code).toBe(3);
    expect(JSON.parse((await own.run(['list', '--json'], { env: shifted(8 * DAY) })).text)).toEqual([]);
    // A tombstone ends after 30 days.
    await own.run(['gc'], { env: shifted(40 * DAY) });
    expect((await own.run(['expand', hashes[0]!], { env: shifted(40 * DAY) })).code).toBe(1);
  });

  it('keeps to CTXZIP_TTL, and a further use prolongs it', async () => {
    const own = sandbox();
    const env = { CTXZIP_TTL: '1d' };
    const hash = hashOf((await own.run([], { input: log(400), env })).text);
    await own.run([], { input: log(400), env: { ...env, ...shifted(0.9 * DAY) } });
    await own.run(['gc'], { env: shifted(1.5 * DAY) });
    expect((await own.run(['expand', hash, 'L1'], { env: shifted(1.5 * DAY) })).code).toBe(0);
    await own.run(['gc'], { env: shifted(2 * DAY) });
    expect((await own.run(['expand', hash, 'L1'], { env: shifted(2 * DAY) })).code).toBe(3);
  });

  it('evicts the least recently used above the cap, never the young', async () => {
    const { own, hashes } = await filled();
    const env = { CTXZIP_MAX_STORE_BYTES: '20KiB' };
    await own.run(['gc'], { env });
    for (const hash of hashes) expect((await own.run(['expand', hash, 'L1'])).code).toBe(0);
    await own.run(['expand', hashes[0]!, 'L1'], { env: shifted(1.9 * 3_600_000) });
    const { err } = await own.run(['gc'], {
      env: { ...env, ...shifted(2 * 3_600_000), CTXZIP_MAX_STORE_BYTES: '8KiB' },
    });
    expect(err).toMatch(/[12] evicted/);
    expect((await own.run(['expand', hashes[0]!, 'L1'])).code).toBe(0);
    const { code, err: why } = await own.run(['expand', hashes[1]!]);
    expect(code).toBe(3);
    expect(why).toMatch(/was removed to make room/);
  });

  it('a clock set back loses nothing', async () => {
    const own = sandbox();
    const ahead = hashOf((await own.run([], { input: log(400), env: shifted(30 * DAY) })).text);
    const now = hashOf((await own.run([], { input: log(400, '-now') })).text);
    await own.run(['gc'], { env: shifted(-30 * DAY) });
    const past = hashOf((await own.run([], { input: log(400, '-past'), env: shifted(-5 * DAY) })).text);
    await own.run(['gc']);
    for (const hash of [ahead, now, past]) expect((await own.run(['expand', hash, 'L1'])).code).toBe(0);
    expect((await own.run(['list'])).code).toBe(0);
  });

  it('starts by itself when the spool is full, and nobody waits for it', async () => {
    const own = sandbox();
    const { text } = await own.run([], { input: log(400) });
    const [name] = own.spooled();
    // Files that a spool would never hold, but which count.
    for (let i = 0; i < 70; i += 1) {
      writeFileSync(join(own.store, 'spool', `${String(i).padStart(4, '0')}${name!.slice(4)}`), 'x');
    }
    const { ms, code } = await own.run([], { input: log(400, '-b') });
    expect(code).toBe(0);
    expect(ms).toBeLessThan(3000);
    const end = Date.now() + 15_000;
    while (
      !existsSync(join(own.store, 'lmdb', 'data.mdb')) ||
      readdirSync(join(own.store, 'locks')).length > 0
    ) {
      if (Date.now() > end) throw new Error('no gc came');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect((await own.run(['expand', hashOf(text), 'L1'])).code).toBe(0);
  });
});

describe('the folder of the store', () => {
  it('is 0700, and files in it are 0600, under any umask', async () => {
    const own = sandbox();
    await own.shell('umask 0; cat > in; $CZ < in > out; $CZ gc', { input: log() });
    const modes = new Set<string>();
    const walk = (path: string): void => {
      const stats = statSync(path);
      modes.add(`${stats.isDirectory() ? 'd' : 'f'}${(stats.mode & 0o777).toString(8)}`);
      if (stats.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
    };
    walk(own.store);
    expect([...modes].sort()).toEqual(['d700', 'f600']);
  });

  it('is in the state folder where CTXZIP_HOME is not set', async () => {
    const own = sandbox();
    await own.run([], { input: log(), env: { CTXZIP_HOME: '' } });
    expect(readdirSync(join(own.home, '.local/state/ctxzip/spool'))).toHaveLength(1);
    const xdg = join(own.root, 'xdg');
    await own.run([], { input: log(), env: { CTXZIP_HOME: '', XDG_STATE_HOME: xdg } });
    expect(readdirSync(join(xdg, 'ctxzip/spool'))).toHaveLength(1);
  });

  it('serves every folder', async () => {
    const own = sandbox();
    const hash = hashOf((await own.run([], { input: log(), cwd: own.home })).text);
    expect((await own.run(['expand', hash, 'L1'], { cwd: '/' })).code).toBe(0);
  });
});

function grepFolder(path: string, needle: Buffer): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const at = join(path, entry.name);
    if (entry.isDirectory()) return grepFolder(at, needle);
    return readFileSync(at).includes(needle) ? [at] : [];
  });
}
