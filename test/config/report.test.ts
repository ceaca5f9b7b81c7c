import { expect, test } from 'vitest';
import { formatCheck, formatShow, isSound, settingRows } from '../../src/config/report.ts';
import { KEYS } from '../../src/config/schema.ts';
import { sandbox } from './sandbox.ts';

test('every key has a row, in the notation of the file', async () => {
  const rows = settingRows(await sandbox().load());
  expect(rows.map(({ key }) => key)).toEqual(KEYS);
  expect(Object.fromEntries(rows.map(({ key, value }) => [key, value]))).toMatchObject({
    level: 'normal',
    keep_patterns: '[]',
    tools: '{}',
    ttl: '7d',
    max_store_bytes: '1GiB',
    store_path: 'null',
    hint: 'true',
  });
});

test('rows say where a value comes from', async () => {
  const box = sandbox();
  const project = box.project('level: none', 'keep_patterns: [p]');
  const user = box.user('keep_patterns: [u]');
  const rows = settingRows(
    await box.load(
      { CTXZIP_TTL: '90m', CTXZIP_ENABLED: 'true', FORGE_COMPRESSION: 'false' },
      { maxTokens: '5' },
    ),
  );
  const sources = Object.fromEntries(rows.map(({ key, sources: from }) => [key, from]));
  expect(sources).toMatchObject({
    level: [`project ${project}:2`],
    keep_patterns: [`project ${project}:3`, `user ${user}:2`],
    ttl: ['environment CTXZIP_TTL'],
    max_tokens: ['flag'],
    enabled: ['environment FORGE_COMPRESSION'],
    hint: ['default'],
  });
});

test('show as text and as JSON', async () => {
  const box = sandbox();
  box.project('max_tokens: 5', "tools: {ls: {level: none, keep_patterns: ['/a/g']}}");
  const config = await box.load();
  const text = formatShow(config, 'text');
  expect(text).toMatch(/^max_tokens {13}5 {2,}project .*forge\.yaml:2$/m);
  expect(text).toMatch(/^tools .*\{"ls":\{"level":"none","keep_patterns":\["\/a\/"\]\}\}/m);
  expect(text.endsWith(`state folder  ${config.stateFolder}\n`)).toBe(true);
  const json = JSON.parse(formatShow(config, 'json'));
  expect(json.settings).toHaveLength(KEYS.length);
  expect(json.folders.store).toBe(config.storeFolder);
});

test('check as text and as JSON', async () => {
  const box = sandbox();
  expect(formatCheck(await box.load(), 'text')).toBe('ok: no forge.yaml, defaults are in force\n');
  const path = box.project('ttl: 1d', 'hint: yes', 'max_token: 1');
  const config = await box.load();
  expect(formatCheck(config, 'text').split('\n')).toEqual([
    `error: ${path}:3:3: hint: "yes" is not allowed here (allowed: true or false)`,
    expect.stringContaining(`error: ${path}:4:3: max_token: is no known key, did you mean max_tokens?`),
    expect.stringContaining(`note: ${path}:2:3: ttl: has no effect here`),
    `2 problems: ${path}`,
    '',
  ]);
  expect(JSON.parse(formatCheck(config, 'json'))).toMatchObject({
    ok: false,
    files: [path],
    problems: { length: 3 },
  });
  expect([isSound(config.problems), isSound([])]).toEqual([false, true]);
});

test('values of a file cannot write to the terminal', async () => {
  const box = sandbox();
  box.project('keep_patterns: ["\\u009b31m", "\\u202ex"]');
  const config = await box.load();
  expect(formatShow(config, 'text')).not.toMatch(/[\u009b\u202e]/);
});
