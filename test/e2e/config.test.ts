/** `forge.yaml`, variables and flags through the command; `config check` and `config show`. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sandbox, type Sandbox } from '../support-e2e/command.ts';
import { log, pods } from '../support-e2e/inputs.ts';

const isRoot = process.getuid?.() === 0;

function project(own: Sandbox, text: string): string {
  const folder = join(own.home, 'project', 'deep', 'er');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(own.home, 'project', 'forge.yaml'), text);
  return folder;
}

function user(own: Sandbox, text: string): void {
  mkdirSync(join(own.home, '.config', 'ctxzip'), { recursive: true });
  writeFileSync(join(own.home, '.config', 'ctxzip', 'forge.yaml'), text);
}

async function levelOf(own: Sandbox, cwd: string, env: Record<string, string> = {}): Promise<string> {
  const { text } = await own.run(['config', 'show', '--json'], { cwd, env });
  const shown = JSON.parse(text) as { settings?: Record<string, { value: unknown; source?: string }> };
  return JSON.stringify(shown);
}

describe('precedence', () => {
  it('flag, environment, project, user, default', async () => {
    const own = sandbox();
    const cwd = project(own, 'compression:\n  max_tokens: 3000\n');
    user(own, 'compression:\n  max_tokens: 4000\n  markers: full\n');
    const show = async (env = {}): Promise<string> => (await own.run(['config', 'show'], { cwd, env })).text;
    expect(await show()).toMatch(/^max_tokens +3000 +.*project/m);
    expect(await show()).toMatch(/^markers +full +.*user/m);
    expect(await show()).toMatch(/^escapes +strip +default/m);
    expect(await show({ CTXZIP_MAX_TOKENS: '2000' })).toMatch(/^max_tokens +2000 +.*environment/m);
    // And they act: `enabled: false` is overridden by FORGE_COMPRESSION, that by the kill switch.
    writeFileSync(join(own.home, 'project', 'forge.yaml'), 'compression:\n  enabled: false\n');
    expect((await own.run([], { input: log(), cwd })).text).toBe(log());
    expect((await own.run([], { input: log(), cwd, env: { FORGE_COMPRESSION: 'true' } })).text).toContain(
      '<<ctxzip',
    );
    const killed = { FORGE_COMPRESSION: 'true', CTXZIP_DISABLE: '1' };
    expect((await own.run([], { input: log(), cwd, env: killed })).text).toBe(log());
  });

  it('keep patterns of all sources add up', async () => {
    const own = sandbox();
    const cwd = project(own, "compression:\n  keep_patterns: ['x0111']\n");
    user(own, "compression:\n  keep_patterns: ['/x0099/']\n");
    const env = { CTXZIP_KEEP_PATTERNS: 'x0088' };
    const { text } = await own.run(['--keep', 'x0077'], { input: pods(), cwd, env });
    for (const name of ['x0111', 'x0099', 'x0088', 'x0077']) expect(text).toContain(name);
  });

  it('a change of the file acts at once', async () => {
    const own = sandbox();
    const cwd = project(own, "compression:\n  keep_patterns: ['x0111']\n");
    expect((await own.run([], { input: pods(), cwd })).text).toContain('x0111');
    expect((await own.run([], { input: pods(), cwd })).text).toContain('x0111');
    writeFileSync(join(own.home, 'project', 'forge.yaml'), "compression:\n  keep_patterns: ['x0122']\n");
    const { text } = await own.run([], { input: pods(), cwd });
    expect(text).toContain('x0122');
    expect(text).not.toContain('x0111');
  });

  it('each variable acts', async () => {
    const own = sandbox();
    const run = async (env: Record<string, string>, input = pods()): Promise<string> =>
      (await own.run([], { input, env })).text;
    expect(await run({ CTXZIP_LEVEL: 'none' })).toBe(pods());
    expect(await run({ CTXZIP_ENABLED: 'false' })).toBe(pods());
    expect(await run({ CTXZIP_MIN_TOOL_OUTPUT_CHARS: '100000' })).toBe(pods());
    expect(await run({ CTXZIP_MIN_TOOL_OUTPUT_CHARS: '10' }, pods(20))).toContain('<<ctxzip');
    expect(await run({ CTXZIP_HINT: 'false' })).not.toContain('expand:');
    expect(await run({ CTXZIP_MARKERS: 'full' }, log())).not.toMatch(/<<ctxzip \d/);
    expect(
      await run({ CTXZIP_ESCAPES: 'keep' }, log().replaceAll('INFO', '\u001b[32mINFO\u001b[0m')),
    ).toContain('\u001b');
    expect(await run({ CTXZIP_STORE_PATH: join(own.root, 'elsewhere') })).toContain('<<ctxzip');
    expect(
      (await own.run(['list', '--json'], { env: { CTXZIP_STORE_PATH: join(own.root, 'elsewhere') } })).text,
    ).toContain('"hash"');
  });
});

describe('faults', () => {
  it('a bad key takes its default, with one line', async () => {
    const own = sandbox();
    const cwd = project(own, 'compression:\n  max_tokns: 5\n  markers: sideways\n');
    const { text, err, code } = await own.run([], { input: pods(), cwd });
    expect(code).toBe(0);
    expect(text).toContain('<<ctxzip');
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    const check = await own.run(['config', 'check'], { cwd });
    expect(check.code).toBe(1);
    expect(check.text).toMatch(/forge\.yaml:2.*max_tokns.*did you mean max_tokens/);
    expect(check.text).toMatch(/forge\.yaml:3.*sideways.*allowed: short, full/);
  });

  it('a bad keep pattern makes a passthrough, with one line', async () => {
    const own = sandbox();
    const cwd = project(own, "compression:\n  keep_patterns: ['/(/']\n");
    const { text, err, code } = await own.run([], { input: pods(), cwd });
    expect({ same: text === pods(), code }).toEqual({ same: true, code: 0 });
    expect(err).toMatch(/^ctxzip: .*forge\.yaml:2.*passed through unchanged\n$/);
  });

  it.each([
    ['no YAML', 'compression: [\n'],
    ['a list', '- a\n- b\n'],
    ['binary', '\u0000\u0001\u0002'],
    ['tabs', 'compression:\n\tlevel: none\n'],
    [
      'an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefg'[i]}`).join(',')}]`)
        .join('\n')}\ncompression: *h\n`,
    ],
  ])('a file that is %s loses no input', async (_, text) => {
    const own = sandbox();
    const cwd = project(own, text);
    const { text: out, err, code, ms } = await own.run([], { input: pods(), cwd });
    expect(code).toBe(0);
    expect(out === pods() || out.includes('CrashLoopBackOff')).toBe(true);
    expect(err).toMatch(/^ctxzip: .*forge\.yaml/);
    expect(ms).toBeLessThan(5000);
    expect((await own.run(['config', 'check'], { cwd })).code).toBe(1);
  });

  it('a folder, a link to nowhere and a FIFO in place of the file do not hang', async () => {
    for (const make of ['mkdir forge.yaml', 'ln -s /nowhere forge.yaml', 'mkfifo forge.yaml']) {
      const own = sandbox();
      const cwd = project(own, '');
      await own.shell(`cd "$HOME/project" && rm forge.yaml && ${make}`);
      const { text, code, ms } = await own.run([], { input: pods(), cwd });
      expect(code, make).toBe(0);
      expect(text).toContain('CrashLoopBackOff');
      expect(ms).toBeLessThan(5000);
    }
  });

  it('other blocks are left alone', async () => {
    const own = sandbox();
    const cwd = project(own, 'proxy:\n  max_tokns: 5\ncompression:\n  hint: false\n');
    const { err, text } = await own.run([], { input: pods(), cwd });
    expect(err).toBe('');
    expect(text).not.toContain('expand:');
    expect((await own.run(['config', 'check'], { cwd })).code).toBe(0);
  });

  it('a bad variable names itself', async () => {
    const own = sandbox();
    const { err, code, text } = await own.run([], { input: pods(), env: { CTXZIP_MARKERS: 'sideways' } });
    expect(code).toBe(0);
    expect(err).toMatch(/CTXZIP_MARKERS.*sideways/);
    expect(text).toContain('<<ctxzip');
    const bad = await own.run([], { input: pods(), env: { CTXZIP_KEEP_PATTERNS: '/(/' } });
    expect(bad.text).toBe(pods());
  });
});

describe('trust', () => {
  it('a project may not move the store out of itself, shorten its life or its size', async () => {
    const own = sandbox();
    const cwd = project(
      own,
      `compression:\n  store_path: ${own.root}/stolen\n  ttl: 1s\n  max_store_bytes: 1\n`,
    );
    const { text } = await own.run([], { input: pods(), cwd });
    expect(text).toContain('<<ctxzip');
    expect(own.spooled()).toHaveLength(1);
    expect((await own.run(['config', 'show'], { cwd })).text).toMatch(/^ttl +7d/m);
    expect((await own.run(['config', 'check'], { cwd })).text).toMatch(/store_path/);
  });

  it('a store_path inside the project counts', async () => {
    const own = sandbox();
    const cwd = project(own, 'compression:\n  store_path: .cache/ctxzip\n  ttl: 1d\n');
    const { text, err } = await own.run([], { input: pods(), cwd });
    expect({ err, marked: text.includes('<<ctxzip') }).toEqual({ err: '', marked: true });
    expect(own.spooled()).toEqual([]);
    expect((await own.run(['config', 'show'], { cwd })).text).toContain(
      join(own.home, 'project/.cache/ctxzip'),
    );
    expect((await own.run(['restore'], { input: text, cwd })).text).toBe(pods());
  });

  it('a folder with other files is refused, not moved', async () => {
    const own = sandbox();
    mkdirSync(own.store);
    writeFileSync(join(own.store, 'ctxzip.db'), 'of another program');
    const { text, err, code } = await own.run([], { input: pods() });
    expect(code).toBe(0);
    expect((await own.run(['restore'], { input: text })).text === pods()).toBe(true);
    expect(err).toMatch(/holds other files and was not made by ctxzip/);
    const { spooled } = own;
    expect(spooled()).toEqual([]);
  });

  it.runIf(isRoot)('a file that others own does not count', async () => {
    const own = sandbox();
    const cwd = project(own, 'compression:\n  level: none\n');
    await own.shell('chown 12345 "$HOME/project/forge.yaml"');
    const { text } = await own.run([], { input: pods(), cwd });
    expect(text).toContain('<<ctxzip');
  });
});

describe('config check and show', () => {
  it('without a file', async () => {
    const own = sandbox();
    const { text, code } = await own.run(['config', 'check']);
    expect({ text, code }).toEqual({ text: 'ok: no forge.yaml, defaults are in force\n', code: 0 });
    expect(JSON.parse((await own.run(['config', 'check', '--json'])).text)).toMatchObject({
      ok: true,
      problems: [],
    });
  });

  it('show names every key and the folders', async () => {
    const own = sandbox();
    const { text } = await own.run(['config', 'show']);
    for (const key of ['enabled', 'level', 'keep_patterns', 'max_tokens', 'tools', 'ttl', 'cache_hints']) {
      expect(text).toMatch(new RegExp(`^${key} `, 'm'));
    }
    expect(text).toContain(`store folder  ${own.store}`);
    expect(await levelOf(own, own.root)).toContain('max_tokens');
  });

  it.skipIf(isRoot)('a file that can not be read is loud', async () => {
    const own = sandbox();
    const cwd = project(own, 'compression:\n  level: none\n');
    chmodSync(join(own.home, 'project', 'forge.yaml'), 0);
    const { text, err } = await own.run([], { input: pods(), cwd });
    expect(text).toBe(pods());
    expect(err).toMatch(/forge\.yaml/);
  });
});
