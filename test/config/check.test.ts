import { describe, expect, test } from 'vitest';
import { answersInTime, checkConfig } from '../../src/config/check.ts';
import { sandbox } from './sandbox.ts';

describe('answersInTime', () => {
  test.each([
    ['(a+)+$', ''],
    ['(a|a)*$', 'i'],
    ['(.*)*\\d', ''],
    ['a.*a.*a.*a.*b', ''],
    ['^(?:ab|a|b)*z', ''],
    ['([^,]*,?)*;$', ''],
  ])('/%s/%s does not', (source, flags) => expect(answersInTime(source, flags)).toBe(false));

  test.each([
    ['pay-\\d+', ''],
    ['foo.*bar', ''],
    ['\\w+\\s*=\\s*\\w+', ''],
    ['\\bORDER-[0-9]{4,8}\\b', 'i'],
    ['(?:exception|error): .*', 'i'],
    ['^\\s+at .*\\(.*:\\d+\\)$', 'm'],
    ['\\p{L}+ing', 'u'],
    ['[\\p{L}--[a-z]]', 'v'],
  ])('/%s/%s does', (source, flags) => expect(answersInTime(source, flags)).toBe(true));
});

describe('checkConfig', () => {
  test('finds slow and useless patterns, where they are', async () => {
    const box = sandbox();
    const path = box.project(
      "keep_patterns: ['/(a+)+$/', fine, '/x*/']",
      "tools: {ls: {keep_patterns: ['/(b+)+$/']}}",
    );
    const { problems } = await checkConfig(box.world);
    expect(problems).toMatchObject([
      {
        severity: 'error',
        file: path,
        line: 2,
        key: 'keep_patterns',
        message: expect.stringContaining('backtracks'),
      },
      {
        severity: 'error',
        file: path,
        line: 2,
        key: 'keep_patterns',
        message: expect.stringContaining('every line'),
      },
      { severity: 'error', file: path, line: 3, key: 'tools.ls.keep_patterns' },
    ]);
  });

  test('names no file for a pattern that could come from two', async () => {
    const box = sandbox();
    box.project('keep_patterns: [fine]');
    box.user("keep_patterns: ['/(a+)+$/']");
    const { problems } = await checkConfig(box.world);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.file).toBeUndefined();
  });

  test('the pipe does not wait for that', async () => {
    const box = sandbox();
    box.project("keep_patterns: ['/(a+)+$/']");
    expect((await box.load()).problems).toEqual([]);
  });

  test('knows the variables', async () => {
    const box = sandbox();
    const env = {
      CTXZIP_LEVL: 'none',
      CTXZIP_XYZZY: '1',
      CTXZIP_HOME: box.home,
      CTXZIP_DISABLE: '1',
      PATH: '/',
    };
    const { problems } = await checkConfig({ ...box.world, env });
    expect(problems.map(({ key, message }) => `${key} ${message}`)).toEqual([
      'CTXZIP_LEVL is no variable of ctxzip, did you mean CTXZIP_LEVEL?',
      'CTXZIP_XYZZY is no variable of ctxzip',
    ]);
  });

  test('reads the file itself, not the cache', async () => {
    const box = sandbox();
    box.project('level: none');
    await box.load();
    expect((await checkConfig(box.world)).settings.level).toBe('none');
  });
});
