import { describe, expect, test } from 'vitest';
import { mergeTools, rulesFor, type Tools } from '../../src/config/rules.ts';
import { tools } from '../../src/config/tools.ts';

const RULES: Tools = {
  '*': { maxTokens: 1, keepPatterns: ['everywhere'] },
  kubectl: { maxTokens: 2, keepPatterns: ['k'] },
  'kubectl get secret*': { level: 'none' },
  'kubectl get*': { as: 'table', maxTokens: 3 },
  'kubectl get secrets': { maxTokens: 4 },
  'git l?g*': { as: 'log' },
  './run.sh': { as: 'text' },
  'npm test': { as: 'log' },
};

describe('rulesFor', () => {
  test.each([
    ['ls -l', { maxTokens: 1, keepPatterns: ['everywhere'] }],
    ['', { maxTokens: 1, keepPatterns: ['everywhere'] }],
    ['kubectl', { maxTokens: 2, keepPatterns: ['k', 'everywhere'] }],
    ['kubectl logs x', { maxTokens: 2, keepPatterns: ['k', 'everywhere'] }],
    ['kubectl get pods', { maxTokens: 3, as: 'table', keepPatterns: ['k', 'everywhere'] }],
    ['kubectl get secret', { level: 'none', maxTokens: 3, as: 'table', keepPatterns: ['k', 'everywhere'] }],
    ['kubectl get secrets', { level: 'none', maxTokens: 4, as: 'table', keepPatterns: ['k', 'everywhere'] }],
    [
      '/usr/bin/kubectl   get\tsecrets',
      { level: 'none', maxTokens: 4, as: 'table', keepPatterns: ['k', 'everywhere'] },
    ],
    ['kubectlx get pods', { maxTokens: 1, keepPatterns: ['everywhere'] }],
    ['git log -3', { as: 'log', maxTokens: 1, keepPatterns: ['everywhere'] }],
    ['git lg', { maxTokens: 1, keepPatterns: ['everywhere'] }],
    ['./run.sh now', { as: 'text', maxTokens: 1, keepPatterns: ['everywhere'] }],
    ['npm test -- -u', { as: 'log', maxTokens: 1, keepPatterns: ['everywhere'] }],
    ['npm tests', { maxTokens: 1, keepPatterns: ['everywhere'] }],
  ])('%#: %s', (line, rule) => expect(rulesFor(RULES, line)).toEqual(rule));

  test('no rules, no rule', () => expect(rulesFor({}, 'ls')).toEqual({}));

  test('the order of the entries does not matter', () => {
    const reversed = Object.fromEntries(Object.entries(RULES).toReversed());
    expect(rulesFor(reversed, 'kubectl get secrets')).toEqual(rulesFor(RULES, 'kubectl get secrets'));
    const draw: Tools = { 'a*c': { maxTokens: 1 }, 'ab*': { maxTokens: 2 } };
    expect(rulesFor(draw, 'abc')).toEqual(
      rulesFor(Object.fromEntries(Object.entries(draw).toReversed()), 'abc'),
    );
  });

  test('a glob of many stars answers at once', () => {
    const startedMs = performance.now();
    expect(rulesFor({ [`${'*a'.repeat(100)}b`]: { level: 'none' } }, 'a'.repeat(20_000))).toEqual({});
    expect(performance.now() - startedMs).toBeLessThan(2000);
  });
});

describe('mergeTools', () => {
  test('names of both, the first wins key by key, keep patterns add up', () => {
    const first: Tools = { a: { level: 'none', keepPatterns: ['x'] }, b: { maxTokens: 1 } };
    const second: Tools = {
      a: { level: 'normal', maxTokens: 9, keepPatterns: ['y', 'x'] },
      c: { as: 'log' },
    };
    expect(mergeTools(first, second)).toEqual({
      a: { level: 'none', maxTokens: 9, keepPatterns: ['x', 'y'] },
      b: { maxTokens: 1 },
      c: { as: 'log' },
    });
  });
});

describe('tools', () => {
  test('reads entries and shows them as they were', () => {
    const plain = {
      'kubectl  get': { level: 'none', keep_patterns: ['/a/g'], max_tokens: 0, as: 'table' },
      x: null,
    };
    const { value, faults } = tools.read(plain);
    expect(faults).toEqual([]);
    expect(value).toEqual({
      'kubectl get': { level: 'none', keepPatterns: ['/a/'], maxTokens: 0, as: 'table' },
      x: {},
    });
    expect(tools.read(tools.fromText(tools.show(value!))).value).toEqual(value);
  });

  test.each<[unknown, string[], string]>([
    [[], [], 'error'],
    ['{not json', [], 'error'],
    [{ a: 'none' }, ['a'], 'error'],
    [{ a: ['x'] }, ['a'], 'error'],
    [{ a: { level: 'loud' } }, ['a', 'level'], 'error'],
    [{ a: { as: 'xml' } }, ['a', 'as'], 'error'],
    [{ a: { max_tokens: '4' } }, ['a', 'max_tokens'], 'error'],
    [{ a: { maxTokens: 4 } }, ['a', 'maxTokens'], 'error'],
    [{ a: { keep_patterns: 'x' } }, ['a', 'keep_patterns'], 'fatal'],
    [{ a: { keep_pattern: ['x'] } }, ['a', 'keep_pattern'], 'fatal'],
    [{ ' ': {} }, [' '], 'error'],
    [{ [`${'x'.repeat(201)}`]: {} }, ['x'.repeat(201)], 'error'],
    [JSON.parse('{"__proto__": {"level": "none"}}'), ['__proto__'], 'error'],
  ])('%#: %j', (plain, path, severity) => {
    const { value, faults } = tools.read(plain);
    expect(faults).toMatchObject([{ severity, path }]);
    expect(Object.getPrototypeOf(value ?? {})).toBe(Object.prototype);
  });

  test('one bad entry leaves the others', () => {
    const { value } = tools.read({ a: { level: 'loud', max_tokens: 3 }, b: 7, c: { level: 'none' } });
    expect(value).toEqual({ a: { maxTokens: 3 }, c: { level: 'none' } });
  });
});
