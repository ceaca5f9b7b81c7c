import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProjectFile, findUserFile, userFilePath, type World } from '../../src/config/find.ts';
import { judge } from '../../src/config/judge.ts';
import { loadConfig } from '../../src/config/load.ts';
import { sandbox, type Sandbox } from './sandbox.ts';

const judgeProject = (world: World) => judge(findProjectFile(world), world);
const judgeUser = (world: World) => judge(findUserFile(world), world);
const isRoot = process.getuid?.() === 0;

function project(box: Sandbox, cwd: string): string | undefined {
  const finding = judgeProject({ ...box.world, cwd });
  return finding.kind === 'plain' ? finding.file.place.file : undefined;
}

describe('where the project file is looked for', () => {
  test('in cwd, then upwards; the nearest counts', () => {
    const box = sandbox();
    const [deep, middle] = [join(box.repo, 'a/b'), join(box.repo, 'a')];
    mkdirSync(deep, { recursive: true });
    const top = box.write('forge.yaml', '');
    expect(project(box, deep)).toBe(top);
    const nearer = box.write('a/forge.yaml', '');
    expect([project(box, deep), project(box, middle), project(box, box.repo)]).toEqual([nearer, nearer, top]);
  });

  test('not above the repository root', () => {
    const box = sandbox();
    box.write(join(box.home, 'work', 'forge.yaml'), '');
    expect(project(box, box.repo)).toBeUndefined();
    rmSync(join(box.repo, '.git'), { recursive: true });
    expect(project(box, box.repo)).toBe(join(box.home, 'work', 'forge.yaml'));
  });

  test('a .git file is a repository root too (worktrees, submodules)', () => {
    const box = sandbox();
    rmSync(join(box.repo, '.git'), { recursive: true });
    box.write('.git', 'gitdir: elsewhere');
    box.write(join(box.home, 'work', 'forge.yaml'), '');
    expect(project(box, box.repo)).toBeUndefined();
  });

  test('up to and with the home folder', () => {
    const box = sandbox();
    rmSync(join(box.repo, '.git'), { recursive: true });
    box.write(join(box.home, '..', 'forge.yaml'), '');
    expect(project(box, box.repo)).toBeUndefined();
    expect(judgeProject({ ...box.world, home: `${box.home}/` }).kind).toBe('none');
    const inHome = box.write(join(box.home, 'forge.yaml'), '');
    expect(project(box, box.repo)).toBe(inHome);
  });

  test.each([[''], ['relative/folder'], ['/'], ['/nowhere/at/all']])('cwd %j', (cwd) => {
    expect(['none', 'plain']).toContain(judgeProject({ ...sandbox().world, cwd }).kind);
  });

  test('the user file is no project file', () => {
    const box = sandbox();
    box.user('level: none');
    expect(project(box, join(box.home, '.config', 'ctxzip'))).toBeUndefined();
  });
});

describe('where the user file is looked for', () => {
  test.each([
    [{}, 'HOME/.config/ctxzip/forge.yaml'],
    [{ XDG_CONFIG_HOME: '/xdg' }, '/xdg/ctxzip/forge.yaml'],
    [{ XDG_CONFIG_HOME: 'relative' }, 'HOME/.config/ctxzip/forge.yaml'],
    [{ XDG_CONFIG_HOME: '' }, 'HOME/.config/ctxzip/forge.yaml'],
  ])('%j', (env, path) => {
    const { world, home } = sandbox();
    expect(userFilePath({ ...world, env })).toBe(path.replace('HOME', home));
    expect(userFilePath({ ...world, env, home: '' })).toBe(path.startsWith('/') ? path : undefined);
  });
});

describe('files of others', () => {
  test('are ignored, with an error that names the owner', async () => {
    const box = sandbox();
    const path = box.project('level: none');
    if (isRoot) chownSync(path, 4711, 4711);
    const uid = isRoot ? 0 : (process.getuid?.() ?? 0) + 1;
    const finding = judgeProject({ ...box.world, uid });
    expect(finding).toMatchObject({ kind: 'refused', problem: { severity: 'error', file: path } });
  });

  test('are not skipped in favour of one further up', () => {
    const box = sandbox();
    mkdirSync(join(box.repo, 'sub'));
    box.project('level: none');
    const path = box.write('sub/forge.yaml', 'compression: {}');
    if (!isRoot) return;
    chownSync(path, 4711, 4711);
    expect(judgeProject({ ...box.world, cwd: join(box.repo, 'sub') })).toMatchObject({
      kind: 'refused',
      problem: { file: path },
    });
  });

  test.runIf(isRoot)('of root are fine for everybody', () => {
    const box = sandbox();
    box.project('level: none');
    expect(judgeProject({ ...box.world, uid: 4711 }).kind).toBe('plain');
  });

  test('are not looked at where files have no owner', () => {
    const box = sandbox();
    const path = box.project('level: none');
    if (isRoot) chownSync(path, 4711, 4711);
    const { uid: _, ...world } = box.world;
    expect(judgeProject(world).kind).toBe('plain');
  });
});

describe('symlinks', () => {
  test('inside the repository', () => {
    const box = sandbox();
    box.write('shared/base.yaml', 'compression: {level: none}');
    mkdirSync(join(box.repo, 'sub'));
    symlinkSync('../shared/base.yaml', join(box.repo, 'sub', 'forge.yaml'));
    expect(judgeProject({ ...box.world, cwd: join(box.repo, 'sub') }).kind).toBe('plain');
  });

  test('out of the repository are refused: messages would quote the private file', () => {
    const box = sandbox();
    const secret = box.write(join(box.home, 'secret'), 'password: x');
    symlinkSync(secret, join(box.repo, 'forge.yaml'));
    expect(judgeProject(box.world)).toMatchObject({ kind: 'refused', problem: { severity: 'error' } });
  });

  test('of the user may lead anywhere', () => {
    const box = sandbox();
    const real = box.write(join(box.home, 'dotfiles', 'ctxzip.yaml'), 'compression: {level: none}');
    mkdirSync(join(box.home, '.config', 'ctxzip'), { recursive: true });
    symlinkSync(real, join(box.home, '.config', 'ctxzip', 'forge.yaml'));
    expect(judgeUser(box.world).kind).toBe('plain');
  });

  test.each(['nowhere', 'forge.yaml'])('to %s are fatal', (target) => {
    const box = sandbox();
    symlinkSync(target, join(box.repo, 'forge.yaml'));
    expect(judgeProject(box.world)).toMatchObject({ kind: 'refused', problem: { severity: 'fatal' } });
  });
});

describe('files that cannot be read make the pipe pass through', () => {
  test('a folder', async () => {
    const box = sandbox();
    mkdirSync(join(box.repo, 'forge.yaml'));
    expect((await box.load()).problems).toMatchObject([{ severity: 'fatal', message: 'is a folder' }]);
  });

  test.runIf(process.platform !== 'win32')('a device', async () => {
    const box = sandbox();
    mkdirSync(join(box.home, '.config', 'ctxzip'), { recursive: true });
    symlinkSync('/dev/zero', join(box.home, '.config', 'ctxzip', 'forge.yaml'));
    expect((await box.load()).problems).toMatchObject([{ severity: 'fatal', message: 'is no regular file' }]);
  });

  test.runIf(process.platform !== 'win32')('a file without read permission', async () => {
    const box = sandbox();
    const path = box.project('level: none');
    chmodSync(path, 0o000);
    if (isRoot) chownSync(path, 4711, 4711);
    for (const folder of [box.home, join(box.home, '..')]) chmodSync(folder, 0o755);
    if (isRoot) process.seteuid!(4711);
    const world = isRoot ? { ...box.world, uid: 4711 } : box.world;
    const { problems } = await loadConfig(world).finally(() => isRoot && process.seteuid!(0));
    expect(problems).toMatchObject([{ severity: 'fatal', file: path }]);
    expect(problems[0]?.message).toContain('permission denied');
  });

  test.each([
    ['10 MB of garbage', Buffer.alloc(10_000_000, '{[%&!x\n'), 'is larger than 256 KiB'],
    ['bytes that are no UTF-8', Buffer.from([0x63, 0x3a, 0x20, 0xff, 0xfe]), 'is not UTF-8 text'],
    ['UTF-16', Buffer.from('\ufeffcompression: {}', 'utf16le'), 'is not UTF-8 text'],
    ['a NUL', Buffer.from('compression: {}\0'), 'holds NUL bytes'],
  ])('%s', async (_, content, message) => {
    const box = sandbox();
    const path = box.write('forge.yaml', content);
    expect((await box.load()).problems).toEqual([
      { source: 'project', file: path, severity: 'fatal', message },
    ]);
  });

  test('a byte order mark and 0 bytes are fine', async () => {
    const box = sandbox();
    box.write('forge.yaml', '\ufeffcompression:\r\n  level: none\r\n');
    box.write(join(box.home, '.config', 'ctxzip', 'forge.yaml'), '');
    expect(await box.load()).toMatchObject({ settings: { level: 'none' }, problems: [] });
  });
});

test('a bad file of one source leaves the other in force', async () => {
  const box = sandbox();
  box.user('level: none');
  writeFileSync(join(box.repo, 'forge.yaml'), 'compression: [');
  const { settings, problems } = await box.load();
  expect(settings.level).toBe('none');
  expect(problems).toMatchObject([{ severity: 'fatal', source: 'project', line: 1 }]);
});
