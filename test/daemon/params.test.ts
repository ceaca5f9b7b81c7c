import { expect, it } from 'vitest';
import { compressParams, expandParams } from '../../src/daemon/params.ts';
import { readLimits } from '../../src/daemon/limits.ts';

const compress = (text: string) => compressParams(new URLSearchParams(text));
const expand = (hash: string, text = '') => expandParams(hash, new URLSearchParams(text));

it('reads parameters as the flags of the pipe', () => {
  expect(compress('q=why&budget=500&tool=kubectl+get&keep=a&keep=%2Fb%2F&level=aggressive&cwd=/src')).toEqual(
    {
      kind: 'compress',
      cwd: '/src',
      flags: {
        config: { level: 'aggressive', maxTokens: '500', keepPatterns: ['a', '/b/'] },
        query: 'why',
        tool: 'kubectl get',
        store: true,
        explain: false,
        json: false,
      },
    },
  );
});

it.each([
  ['json', { json: true }],
  ['json=0', { json: false }],
  ['no-store', { store: false }],
  ['store=false', { store: false }],
  ['store=yes', { store: true }],
  ['explain=on&json', { explain: true, json: true }],
])('reads the switches of %s', (text, flags) => {
  expect(compress(text)).toMatchObject({ kind: 'compress', flags });
});

it('takes a value that looks like a flag for a value', () => {
  expect(compress('query=--level%3Dnone')).toMatchObject({ flags: { query: '--level=none', config: {} } });
});

it.each([
  ['levle=none', 'unknown parameter levle; did you mean level?'],
  ['=x', 'unknown parameter'],
  ['version', 'unknown parameter version'],
  ['as=poem', '--as poem: the shapes are'],
  ['store=perhaps', 'store="perhaps": give true or false'],
  ['cwd=here', 'cwd: give an absolute path'],
])('says what is wrong with %s', (text, message) => {
  expect(compress(text)).toEqual({ kind: 'wrong', message: expect.stringContaining(message) });
});

it('makes the words of expand', () => {
  expect(expand('AC998fea694b', 'address=L3-9&grep=-x&ignore-case&raw=false&head=2')).toEqual({
    kind: 'expand',
    argv: ['--grep=-x', '--ignore-case', '--head=2', '--', 'ac998fea694b', 'L3-9'],
    cwd: '',
  });
});

it.each([
  ['--help', ''],
  ['ac99', ''],
  ['ac998fea694b/x', ''],
  ['ac998fea694b', 'unrecorded=1'],
  ['ac998fea694b', 'raw=perhaps'],
])('refuses %s?%s', (hash, text) => {
  expect(expand(hash, text).kind).toBe('wrong');
});

it('reads limits', () => {
  expect(readLimits({ maxBody: '1MiB', timeout: '250ms', workers: '3' })).toMatchObject({
    maxBody: 1 << 20,
    timeoutMs: 250,
    workers: 3,
    maxConnections: 256,
  });
  expect(readLimits({ timeout: '2m' })).toMatchObject({ timeoutMs: 120_000 });
  for (const wrong of [{ timeout: '0ms' }, { workers: '-1' }, { maxMemory: '' }, { maxConnections: '99999' }])
    expect(readLimits(wrong)).toEqual(expect.stringContaining('give '));
});
