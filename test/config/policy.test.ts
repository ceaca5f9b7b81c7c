import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../src/core/policy.ts';
import { policyFrom, policyOfFailure, ruleNotes } from '../../src/config/policy.ts';
import { sandbox } from './sandbox.ts';

test('the defaults are the defaults of the core', async () => {
  const policy = policyFrom(await sandbox().load());
  expect(policy).toEqual(DEFAULT_POLICY);
  expect(Object.isFrozen(policy) && Object.isFrozen(policy.keepPatterns)).toBe(true);
});

test('every setting of the core reaches the policy', async () => {
  const box = sandbox();
  box.project('level: none', 'keep_patterns: [a, /b/g]', 'min_tool_output_chars: 1', 'max_tokens: 200');
  box.user('escapes: keep', 'hint: false', 'markers: full');
  expect(policyFrom(await box.load(), { query: 'why', as: 'log' })).toEqual({
    level: 'none',
    keepPatterns: ['a', '/b/'],
    minChars: 1,
    maxTokens: 200,
    budgetAsked: false,
    escapes: 'keep',
    hint: false,
    markers: 'full',
    query: 'why',
    as: 'log',
  });
});

test.each([
  [{}, {}, false],
  [{ CTXZIP_MAX_TOKENS: '5' }, {}, false],
  [{}, { maxTokens: '5' }, true],
  [{}, { maxTokens: '0' }, false],
])('with %j and %j the budget is asked for: %j', async (env, flags, asked) => {
  expect(policyFrom(await sandbox().load(env, flags)).budgetAsked).toBe(asked);
});

test.each([
  [{}, {}, 'none'],
  [{ FORGE_COMPRESSION: 'true' }, {}, 'normal'],
  [{ CTXZIP_LEVEL: 'normal' }, {}, 'none'],
  [{}, { level: 'normal' }, 'none'],
])('enabled: false, %j and %j give level %s', async (env, flags, level) => {
  const box = sandbox();
  box.project('enabled: false');
  expect(policyFrom(await box.load(env, flags)).level).toBe(level);
});

describe('rules of tools', () => {
  const rule = "tools: {'kubectl get*': {level: none, max_tokens: 900, keep_patterns: [t], as: table}}";

  test.each([
    [undefined, {}, {}, { level: 'normal', maxTokens: 100, keepPatterns: ['k'] }],
    ['ls', {}, {}, { level: 'normal', maxTokens: 100, keepPatterns: ['k'] }],
    ['kubectl get pods', {}, {}, { level: 'none', maxTokens: 900, keepPatterns: ['k', 't'], as: 'table' }],
    ['kubectl get pods', { CTXZIP_LEVEL: 'normal' }, {}, { level: 'normal', maxTokens: 900, as: 'table' }],
    ['kubectl get pods', {}, { maxTokens: '7' }, { level: 'none', maxTokens: 100, budgetAsked: true }],
    ['kubectl get pods', { CTXZIP_KEEP_PATTERNS: 'e' }, {}, { keepPatterns: ['e', 'k', 't'] }],
  ])('%s with %j and %j', async (tool, env, flags, expected) => {
    const box = sandbox();
    box.project('max_tokens: 100', 'keep_patterns: [k]', rule);
    const policy = policyFrom(await box.load(env, flags), tool === undefined ? {} : { tool });
    expect(policy).toMatchObject(expected);
  });

  test('the shape of the call is stronger', async () => {
    const box = sandbox();
    box.project(rule);
    expect(policyFrom(await box.load(), { tool: 'kubectl get x', as: 'text' }).as).toBe('text');
  });
});

describe('ruleNotes', () => {
  const lines = [
    'tools:',
    '  kubectl: { level: none, max_tokens: 5, keep_patterns: [a] }',
    "  'kubectl get*': { level: normal, as: table, keep_patterns: [b] }",
    "  '*': {}",
  ];
  const notes = async (env: Record<string, string>, flags: object, as?: 'log'): Promise<string[]> => {
    const box = sandbox();
    box.project(...lines);
    return ruleNotes(await box.load(env, flags), {
      tool: 'kubectl get pods',
      ...(as !== undefined && { as }),
    });
  };

  test('says what each rule decides, the strongest first', async () => {
    expect(await notes({}, {})).toEqual([
      'rule "kubectl get*" of tools: level normal, keep_patterns ["b"], as table',
      'rule "kubectl" of tools: level none (decided by "kubectl get*"), keep_patterns ["a"], max_tokens 5',
      'rule "*" of tools: nothing',
    ]);
  });

  test('says what is stronger than a rule', async () => {
    const [get, kubectl] = await notes({ CTXZIP_LEVEL: 'normal' }, { maxTokens: '7' }, 'log');
    expect(get).toContain('level normal (decided by environment)');
    expect(get).toContain('as table (decided by --as)');
    expect(kubectl).toContain('max_tokens 5 (decided by --max-tokens)');
  });

  test('nothing without a tool or a rule', async () => {
    expect(ruleNotes(await sandbox().load(), { tool: 'ls' })).toEqual([]);
    const box = sandbox();
    box.project(...lines);
    expect(ruleNotes(await box.load(), {})).toEqual([]);
  });
});

test('the policy of a command that failed', async () => {
  const policy = policyFrom(await sandbox().load());
  expect(policyOfFailure(policy)).toEqual({ ...policy, failed: true, minChars: 8193 });
  expect(policyOfFailure({ ...policy, minChars: 10_000 }).minChars).toBe(10_000);
});
