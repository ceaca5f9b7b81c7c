/** A home that is missing, a file, a link, somebody else's, read-only or full: the input comes out, and the reason is said. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canMount, type Disk, withDisk } from '../store/disk.ts';
import { hashOf, sandbox, type Sandbox } from '../support-e2e/command.ts';
import { FAILURE, log } from '../support-e2e/inputs.ts';

const isRoot = process.getuid?.() === 0;
const withoutMount = canMount ? '' : ' (skipped: file systems can not be mounted here)';

/** Nothing is hidden, and one line says why. */
async function staysWhole(own: Sandbox, env: Record<string, string>, reason: RegExp): Promise<void> {
  const { text, err, code } = await own.run([], { input: log(), env });
  await isMinimal(own, text, log());
  expect(code).toBe(0);
  expect(err).toMatch(reason);
  expect(err).toMatch(/^ctxzip: [^\n]*; level minimal instead[^\n]*\n$/);
  for (const args of [['list'], ['gc'], ['forget', 'abcdef123456']]) {
    const ended = await own.run(args, { env });
    expect(ended.err, args.join(' ')).toMatch(/^ctxzip: /);
    expect(ended.err).not.toMatch(/ {4}at /);
  }
  const { out, code: exit } = await own.run(['expand', 'abcdef123456'], { env });
  expect({ out: out.length, exit }).toEqual({ out: 0, exit: 1 });
}

async function isMinimal(own: Sandbox, view: string, input: string): Promise<void> {
  expect(view).toMatch(/^<<ctxzip minimal\/1 text>>\n/);
  expect((await own.run(['restore'], { input: view })).text === input).toBe(true);
}

describe('CTXZIP_HOME', () => {
  it('missing is made, with its parents', async () => {
    const own = sandbox();
    const { text } = await own.run([], { input: log(), env: { CTXZIP_HOME: join(own.root, 'a/b/c') } });
    expect(text).toContain('<<ctxzip:');
    expect(readdirSync(join(own.root, 'a/b/c/spool'))).toHaveLength(1);
  });

  it('relative is taken from the current folder', async () => {
    const own = sandbox();
    await own.run([], { input: log(), env: { CTXZIP_HOME: 'rel' } });
    expect(readdirSync(join(own.root, 'rel/spool'))).toHaveLength(1);
  });

  it('a file', async () => {
    const own = sandbox();
    writeFileSync(own.store, 'x');
    await staysWhole(own, {}, /is not a folder/);
  });

  it('below a file', async () => {
    const own = sandbox();
    writeFileSync(join(own.root, 'f'), 'x');
    await staysWhole(own, { CTXZIP_HOME: join(own.root, 'f/g') }, /not a folder/);
  });

  it('a symbolic link', async () => {
    const own = sandbox();
    mkdirSync(join(own.root, 'target'));
    symlinkSync(join(own.root, 'target'), own.store);
    await staysWhole(own, {}, /is a symbolic link/);
    expect(readdirSync(join(own.root, 'target'))).toEqual([]);
  });

  it('with a link in place of the spool', async () => {
    const own = sandbox();
    await own.run([], { input: log(300) });
    execFileSync('rm', ['-r', join(own.store, 'spool')]);
    mkdirSync(join(own.root, 'target'));
    symlinkSync(join(own.root, 'target'), join(own.store, 'spool'));
    const { text, err } = await own.run([], { input: log() });
    await isMinimal(own, text, log());
    expect(err).toMatch(/is a symbolic link/);
    expect(readdirSync(join(own.root, 'target'))).toEqual([]);
  });

  it.runIf(isRoot)('of another user', async () => {
    const own = sandbox();
    mkdirSync(own.store);
    chownSync(own.store, 12_345, 12_345);
    await staysWhole(own, {}, /belongs to user 12345/);
  });

  it.runIf(!isRoot)('not writable', async () => {
    const own = sandbox();
    mkdirSync(own.store);
    chmodSync(own.store, 0o500);
    await staysWhole(own, {}, /not writable/);
  });

  it('open to others is closed', async () => {
    const own = sandbox();
    mkdirSync(own.store, { mode: 0o777 });
    chmodSync(own.store, 0o777);
    expect((await own.run([], { input: log() })).text).toContain('<<ctxzip:');
    expect((await own.shell('stat -c %a "$CTXZIP_HOME"')).text).toBe('700\n');
  });

  it('not known at all', async () => {
    const own = sandbox();
    const env = { CTXZIP_HOME: '', HOME: '', XDG_STATE_HOME: join(own.root, 'xdg') };
    expect((await own.run([], { input: log(), env })).text).toContain('<<ctxzip:');
  });

  it('whose first call stored nothing serves the next one', async () => {
    const own = sandbox();
    const random = Array.from({ length: 300 }, (_, i) =>
      ((i * 2_654_435_761) % 4_294_967_296).toString(36),
    ).join(' ');
    for (const input of ['short\n', random]) {
      await own.run(['--json'], { input });
      await own.run([], { input });
    }
    const { err, text } = await own.run([], { input: log() });
    expect(err).toBe('');
    expect(text).toContain('<<ctxzip:');
  });

  it('damaged inside: what is no store file is passed over', async () => {
    const own = sandbox();
    const hash = hashOf((await own.run([], { input: log() })).text);
    for (const folder of readdirSync(own.store, { withFileTypes: true })) {
      if (folder.isDirectory()) writeFileSync(join(own.store, folder.name, 'stray'), 'rubbish');
    }
    writeFileSync(join(own.store, 'known'), 'rubbish');
    writeFileSync(join(own.store, 'full'), 'rubbish');
    writeFileSync(join(own.store, 'tombstones'), 'rubbish\n\u0000');
    expect((await own.run(['expand', hash])).text === log()).toBe(true);
    expect((await own.run([], { input: log(500, '-b') })).text).toContain('<<ctxzip:');
    expect((await own.run(['gc'])).code).toBe(0);
    expect((await own.run(['expand', hash])).text === log()).toBe(true);
    expect((await own.run(['list'])).code).toBe(0);
  });

  it('whose caches are rubbish', async () => {
    const own = sandbox();
    const plain = (await own.run([], { input: log() })).text;
    const spoil = (folder: string): void => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (['spool', 'views', 'lmdb'].includes(entry.name) || entry.name === 'ctxzip-store') continue;
        if (entry.isDirectory()) spoil(path);
        else writeFileSync(path, Buffer.alloc(50_000, 0xa5));
      }
    };
    spoil(own.store);
    const { text, err, code } = await own.run([], { input: log() });
    expect({ same: text === plain, err, code }).toEqual({ same: true, err: '', code: 0 });
  });
});

describe('a damaged LMDB file', () => {
  const damages: ReadonlyArray<readonly [string, (bytes: Buffer) => Buffer]> = [
    ['empty', () => Buffer.alloc(0)],
    ['truncated', (bytes) => bytes.subarray(0, 5000)],
    ['zeroed', (bytes) => Buffer.alloc(bytes.length)],
    ['garbage', (bytes) => Buffer.alloc(bytes.length, 'rubbish')],
    [
      'half garbage',
      (bytes) => Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 0x5a)]),
    ],
  ];

  it.each(damages)('%s: the pipe goes on, and it is said what is wrong', async (_, damage) => {
    const own = sandbox();
    const old = await own.run([], { input: log() });
    await own.run(['gc']);
    const path = join(own.store, 'lmdb', 'data.mdb');
    writeFileSync(path, damage(readFileSync(path)));
    const fresh = await own.run([], { input: log(900, '-b') });
    expect({ err: fresh.err, code: fresh.code }).toEqual({ err: '', code: 0 });
    expect((await own.run(['expand', hashOf(fresh.text)])).text === log(900, '-b')).toBe(true);
    const lost = await own.run(['expand', hashOf(old.text)]);
    if (lost.text === log()) expect(lost.code).toBe(0);
    else {
      expect({ out: lost.out.length, code: lost.code }).toEqual({ out: 0, code: 1 });
      expect(lost.err).toMatch(/^ctxzip: /);
    }
    await own.run(['gc']);
    await own.run(['gc']);
    expect((await own.run(['restore'], { input: fresh.text })).text === log(900, '-b')).toBe(true);
    await own.run([], { input: log() });
    expect((await own.run(['expand', hashOf(old.text)])).text === log()).toBe(true);
  });
});

describe('restore without a store that can be used', () => {
  it('gives its input', async () => {
    const own = sandbox();
    writeFileSync(own.store, 'x');
    const { text, code, err } = await own.run(['restore'], { input: 'hello\n' });
    expect({ text, code }).toEqual({ text: 'hello\n', code: 1 });
    expect(err).toMatch(/is not a folder/);
  });
});

describe(`file systems${withoutMount}`, () => {
  const when = it.runIf(canMount);

  when('a read-only store is still read', async () => {
    await onDisk('20m', async (own, disk) => {
      const view = (await own.run([], { input: log() })).text;
      await own.run(['gc']);
      const later = (await own.run([], { input: log(700, '-b') })).text;
      disk.remount('ro');
      expect((await own.run(['expand', hashOf(view)])).text === log()).toBe(true);
      expect((await own.run(['restore'], { input: later })).text === log(700, '-b')).toBe(true);
      const { text, err, code } = await own.run([], { input: log(800, '-c') });
      await isMinimal(own, text, log(800, '-c'));
      expect(code).toBe(0);
      expect(err).toMatch(/read-only file system; level minimal instead[^\n]*\n$/);
      // A known original needs nothing new, but its expiry moves.
      expect((await own.run([], { input: log() })).text).toContain(FAILURE);
      for (const args of [['list'], ['verify'], ['config', 'show']]) {
        expect((await own.run(args, { input: view })).code, args.join(' ')).toBe(0);
      }
      const gc = await own.run(['gc']);
      expect(gc.err).toMatch(/read-only/);
      expect(gc.code).toBe(1);
    });
  });

  when('a full disk: nothing is hidden', async () => {
    await onDisk('256k', async (own) => {
      const { text, err, code } = await own.run([], { input: log(9000) });
      await isMinimal(own, text, log(9000));
      expect(code).toBe(0);
      expect(err).toMatch(/the disk is full; level minimal instead[^\n]*\n$/);
    });
  });

  when('a full disk: what was written in vain goes', async () => {
    await onDisk('3m', async (own) => {
      await own.run([], { input: log(60_000) });
      await own.run([], { input: log(60_000) });
      expect(readdirSync(join(own.store, 'temp'))).toEqual([]);
      const small = (await own.run([], { input: log(600) })).text;
      expect(small).toContain('<<ctxzip:');
      expect((await own.run(['restore'], { input: small })).text === log(600)).toBe(true);
    });
  });

  when('a disk that fills up under a large input: every byte comes out', async () => {
    await onDisk('40m', async (own) => {
      const { text, err, code } = await own.shell(
        'yes "2026-05-01T12:00:00Z INFO the same line again and again" | head -c 60000000 > in; $CZ < in > out; echo "exit $?"; cmp in out && echo same',
      );
      expect(code).toBe(0);
      expect(text).toBe('exit 0\nsame\n');
      expect(err).toMatch(/^ctxzip: [^\n]*disk is full[^\n]*input passed through unchanged\n$/);
    });
  });

  // It is written into the store to its end before it is refused.
  when('an input larger than the store may grow takes no room', async () => {
    await onDisk('40m', async (own) => {
      const { text, err } = await own.shell(
        'yes "2026-05-01T12:00:00Z INFO the same line again and again" | head -c 60000000 > in; $CZ < in > out; cmp in out && echo same',
        { env: { CTXZIP_MAX_STORE_BYTES: '1MiB' } },
      );
      expect(text).toBe('same\n');
      expect(err).toMatch(/larger than the store may grow/);
    });
  });

  when('a full disk at gc: nothing is lost', async () => {
    await onDisk('700k', async (own) => {
      const views: string[] = [];
      for (let i = 0; i < 6; i += 1) views.push((await own.run([], { input: log(900, `-${i}`) })).text);
      await own.run(['gc']);
      for (const [i, view] of views.entries()) {
        const back = await own.run(['restore'], { input: view });
        expect(back.text === log(900, `-${i}`), String(i)).toBe(true);
      }
    });
  });

  when('stdout on a full disk is an error, and the original is there', async () => {
    await onDisk('200k', async (own, disk) => {
      writeFileSync(join(own.root, 'in'), log(9000));
      const env = { CTXZIP_HOME: join(own.root, 'other') };
      const { code, err } = await own.shell(`$CZ --level none < in > ${disk.path}/out`, { env });
      expect(code).toBe(1);
      expect(err).toMatch(/^ctxzip: [^\n]*no space left[^\n]*\n$/);
    });
  });
});

/** A sandbox whose store is alone on a small file system. */
function onDisk(size: string, work: (own: Sandbox, disk: Disk) => Promise<void>): Promise<void> {
  return withDisk(size, (disk) => {
    const base = sandbox();
    const store = join(disk.path, 'store');
    const within = { CTXZIP_HOME: store };
    const own: Sandbox = {
      ...base,
      store,
      run: (args, more = {}) => base.run(args, { ...more, env: { ...within, ...more.env } }),
      shell: (line, more = {}) => base.shell(line, { ...more, env: { ...within, ...more.env } }),
    };
    return work(own, disk);
  });
}
