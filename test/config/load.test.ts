import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VARIABLES } from '../../src/config/load.ts';
import type { Problem } from '../../src/config/problems.ts';
import { KEYS, NAMES, SPECS, variableOf } from '../../src/config/schema.ts';
import { DEFAULTS, type Name } from '../../src/config/settings.ts';
import { sandbox } from './sandbox.ts';

const brief = ({ source, line, severity, key }: Problem): string =>
  [source, line, severity, key].filter((part) => part !== undefined).join(' ');

describe('precedence', () => {
  // Name, and a text and its value for default, user, project, environment and flag.
  const LADDERS: ReadonlyArray<readonly [Name, ...(readonly [string, unknown])[]]> = [
    ['maxTokens', ['16000', 16_000], ['1', 1], ['2', 2], ['3', 3], ['4', 4]],
    ['minToolOutputChars', ['2048', 2048], ['1', 1], ['2', 2], ['3', 3], ['4', 4]],
    [
      'level',
      ['normal', 'normal'],
      ['none', 'none'],
      ['normal', 'normal'],
      ['none', 'none'],
      ['normal', 'normal'],
    ],
    [
      'escapes',
      ['strip', 'strip'],
      ['keep', 'keep'],
      ['strip', 'strip'],
      ['keep', 'keep'],
      ['strip', 'strip'],
    ],
    ['hint', ['true', true], ['false', false], ['true', true], ['false', false], ['true', true]],
    ['enabled', ['true', true], ['false', false], ['true', true], ['false', false], ['true', true]],
    [
      'markers',
      ['short', 'short'],
      ['full', 'full'],
      ['short', 'short'],
      ['full', 'full'],
      ['short', 'short'],
    ],
    [
      'errors',
      ['floor', 'floor'],
      ['verbatim', 'verbatim'],
      ['floor', 'floor'],
      ['verbatim', 'verbatim'],
      ['floor', 'floor'],
    ],
    ['cacheHints', ['true', true], ['false', false], ['true', true], ['false', false], ['true', true]],
  ];
  const STEPS = ['default', 'user', 'project', 'environment', 'flag'] as const;

  test.each(
    LADDERS.flatMap((ladder) => STEPS.map((step, index) => [ladder[0], step, index, ladder] as const)),
  )('%s: %s beats what is weaker', async (name, step, index, ladder) => {
    const box = sandbox();
    const { key } = SPECS[name];
    const rung = (at: number): readonly [string, unknown] => ladder[at + 1] as readonly [string, unknown];
    if (index >= 1) box.user(`${key}: ${rung(1)[0]}`);
    if (index >= 2) box.project(`${key}: ${rung(2)[0]}`);
    const env = index >= 3 ? { [variableOf(key)]: rung(3)[0] } : {};
    const { settings, origins, problems } = await box.load(env, index >= 4 ? { [name]: rung(4)[0] } : {});
    expect(problems).toEqual([]);
    expect(settings[name]).toBe(rung(index)[1]);
    expect(origins[name]?.map((place) => place.source)).toEqual(step === 'default' ? undefined : [step]);
  });

  test('a null leaves the key to weaker sources', async () => {
    const box = sandbox();
    box.user('store_path: /var/mine', 'level: none');
    box.project('store_path: null', 'level:');
    const { settings, origins } = await box.load();
    expect(settings).toMatchObject({ storePath: '/var/mine', level: 'none' });
    expect(origins.level).toMatchObject([{ source: 'user', line: 3, column: 3 }]);
  });

  test('keep patterns of all sources add up', async () => {
    const box = sandbox();
    box.user('keep_patterns: [u, both]');
    box.project('keep_patterns: [both, p]');
    const { settings, origins } = await box.load({ CTXZIP_KEEP_PATTERNS: 'e' }, { keepPatterns: ['f,g'] });
    expect(settings.keepPatterns).toEqual(['f,g', 'e', 'both', 'p', 'u']);
    expect(origins.keepPatterns?.map(({ source }) => source)).toEqual([
      'flag',
      'environment',
      'project',
      'user',
    ]);
  });

  test('tools of all sources are merged by name and key', async () => {
    const box = sandbox();
    box.user('tools: {ls: {level: none, max_tokens: 1}, ps: {as: table}}');
    box.project('tools: {ls: {max_tokens: 2}}');
    const { settings } = await box.load({
      CTXZIP_TOOLS: '{"df": {"level": "none"}, "ls": {"keep_patterns": ["x"]}}',
    });
    expect(settings.tools).toEqual({
      ls: { level: 'none', maxTokens: 2, keepPatterns: ['x'] },
      ps: { as: 'table' },
      df: { level: 'none' },
    });
  });

  test('without any file the defaults hold, and nothing of it can be changed', async () => {
    const { settings, problems, files } = await sandbox().load();
    expect(settings).toEqual(DEFAULTS);
    expect([problems, files]).toEqual([[], { project: undefined, user: undefined }]);
    expect([settings, settings.tools, settings.keepPatterns].every(Object.isFrozen)).toBe(true);
  });
});

describe('environment', () => {
  test('every key has a variable', async () => {
    expect(VARIABLES).toEqual(['FORGE_COMPRESSION', ...KEYS.map(variableOf)]);
    expect(KEYS.map(variableOf)).toEqual([
      'CTXZIP_ENABLED',
      'CTXZIP_LEVEL',
      'CTXZIP_KEEP_PATTERNS',
      'CTXZIP_MIN_TOOL_OUTPUT_CHARS',
      'CTXZIP_MAX_TOKENS',
      'CTXZIP_ESCAPES',
      'CTXZIP_HINT',
      'CTXZIP_MARKERS',
      'CTXZIP_ERRORS',
      'CTXZIP_TOOLS',
      'CTXZIP_TTL',
      'CTXZIP_MAX_STORE_BYTES',
      'CTXZIP_STORE_PATH',
      'CTXZIP_EVENTS_PATH',
      'CTXZIP_CACHE_HINTS',
    ]);
    const { settings, origins, problems } = await sandbox().load({
      CTXZIP_ENABLED: 'false',
      CTXZIP_LEVEL: 'none',
      CTXZIP_KEEP_PATTERNS: 'a,/b/i',
      CTXZIP_MIN_TOOL_OUTPUT_CHARS: '1',
      CTXZIP_MAX_TOKENS: '2',
      CTXZIP_ESCAPES: 'keep',
      CTXZIP_HINT: '0',
      CTXZIP_MARKERS: 'full',
      CTXZIP_ERRORS: 'verbatim',
      CTXZIP_TOOLS: '{"ls": {"level": "none"}}',
      CTXZIP_TTL: '1h',
      CTXZIP_MAX_STORE_BYTES: '1MiB',
      CTXZIP_STORE_PATH: '/var/store',
      CTXZIP_EVENTS_PATH: '/var/events',
      CTXZIP_CACHE_HINTS: 'FALSE',
    });
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      enabled: false,
      level: 'none',
      keepPatterns: ['a', '/b/i'],
      minToolOutputChars: 1,
      maxTokens: 2,
      escapes: 'keep',
      hint: false,
      markers: 'full',
      errors: 'verbatim',
      tools: { ls: { level: 'none' } },
      ttlMs: 3_600_000,
      maxStoreBytes: 2 ** 20,
      storePath: '/var/store',
      eventsPath: '/var/events',
      cacheHints: false,
    });
    expect(NAMES.map((name) => origins[name]?.[0]?.source)).toEqual(NAMES.map(() => 'environment'));
  });

  test.each([
    [{ FORGE_COMPRESSION: 'false' }, false],
    [{ FORGE_COMPRESSION: 'true' }, true],
    [{ FORGE_COMPRESSION: 'false', CTXZIP_ENABLED: 'true' }, false],
    [{ FORGE_COMPRESSION: 'true', CTXZIP_ENABLED: 'false' }, true],
    [{ FORGE_COMPRESSION: '', CTXZIP_ENABLED: 'false' }, false],
    [{ CTXZIP_ENABLED: '' }, true],
  ])('%j', async (env, enabled) => {
    const box = sandbox();
    if (!enabled) box.project('enabled: true');
    expect((await box.load(env)).settings.enabled).toBe(enabled);
  });

  test.each([
    [{ CTXZIP_LEVEL: 'loud' }, 'environment error CTXZIP_LEVEL'],
    [{ CTXZIP_LEVEL: 'loud' }, 'environment error CTXZIP_LEVEL'],
    [{ CTXZIP_MAX_TOKENS: '-5' }, 'environment error CTXZIP_MAX_TOKENS'],
    [{ CTXZIP_HINT: 'yes' }, 'environment error CTXZIP_HINT'],
    [{ CTXZIP_TTL: '7' }, 'environment error CTXZIP_TTL'],
    [{ CTXZIP_TOOLS: 'ls=none' }, 'environment error CTXZIP_TOOLS'],
    [{ CTXZIP_TOOLS: '{"ls": {"level": "x"}}' }, 'environment error CTXZIP_TOOLS.ls.level'],
    [{ CTXZIP_STORE_PATH: 'here' }, 'environment error CTXZIP_STORE_PATH'],
    [{ CTXZIP_EVENTS_PATH: './here' }, 'environment error CTXZIP_EVENTS_PATH'],
    [{ FORGE_COMPRESSION: 'maybe' }, 'environment error FORGE_COMPRESSION'],
    [{ CTXZIP_KEEP_PATTERNS: 'a,/(/' }, 'environment fatal CTXZIP_KEEP_PATTERNS[1]'],
    [{ CTXZIP_KEEP_PATTERNS: '[1]' }, 'environment fatal CTXZIP_KEEP_PATTERNS[0]'],
  ])('%j is a problem, and the weaker value holds', async (env, problem) => {
    const box = sandbox();
    box.project('level: none', 'max_tokens: 7');
    const { settings, problems } = await box.load(env);
    expect(problems.map(brief)).toEqual([problem]);
    expect(settings).toMatchObject({ level: 'none', maxTokens: 7, hint: true, storePath: null });
  });

  test('a bad flag is named as it was typed', async () => {
    const { problems } = await sandbox().load({}, { level: 'loud', maxTokens: 'x', keepPatterns: [''] });
    expect(problems.map(brief)).toEqual([
      'flag error --level',
      'flag fatal --keep[0]',
      'flag error --max-tokens',
    ]);
  });
});

describe('folders', () => {
  test.each([
    [{}, 'HOME/.local/state/ctxzip'],
    [{ XDG_STATE_HOME: '/xdg' }, '/xdg/ctxzip'],
    [{ XDG_STATE_HOME: 'relative' }, 'HOME/.local/state/ctxzip'],
    [{ CTXZIP_HOME: '/mine', XDG_STATE_HOME: '/xdg' }, '/mine'],
    [{ CTXZIP_HOME: '' }, 'HOME/.local/state/ctxzip'],
    [{ CTXZIP_HOME: 'here' }, 'REPO/here'],
  ])('state folder with %j', async (env, folder) => {
    const box = sandbox();
    const expected = folder.replace('HOME', box.home).replace('REPO', box.repo);
    const config = await box.load(env);
    expect([config.stateFolder, config.storeFolder]).toEqual([expected, expected]);
  });

  test('store_path moves the store and nothing else, even beside CTXZIP_HOME', async () => {
    const config = await sandbox().load({ CTXZIP_HOME: '/mine', CTXZIP_STORE_PATH: '/big/disk' });
    expect([config.stateFolder, config.storeFolder]).toEqual(['/mine', '/big/disk']);
  });

  test('~ is the home folder', async () => {
    const box = sandbox();
    box.user('store_path: ~/big', 'events_path: ~/events');
    const { settings } = await box.load();
    expect([settings.storePath, settings.eventsPath]).toEqual([
      join(box.home, 'big'),
      join(box.home, 'events'),
    ]);
  });

  test('a relative path in the user file would make a store in every folder', async () => {
    const box = sandbox();
    box.user('store_path: big', 'events_path: ../x');
    const { settings, problems } = await box.load();
    expect([settings.storePath, settings.eventsPath]).toEqual([null, null]);
    expect(problems.map(brief)).toEqual(['user 2 error store_path', 'user 3 error events_path']);
  });

  test('without a home folder nothing breaks', async () => {
    const box = sandbox();
    box.project('level: none');
    const world = { ...box.world, home: '' };
    const { loadConfig } = await import('../../src/config/load.ts');
    const config = await loadConfig(world);
    expect(config).toMatchObject({
      settings: { level: 'none' },
      stateFolder: undefined,
      storeFolder: undefined,
    });
  });
});
