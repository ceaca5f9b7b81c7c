import { LEVELS, SHAPES } from '../core/model.ts';
import { count, patterns, word, wrong, type Kind } from './kinds.ts';
import { nearest } from './nearest.ts';
import { fault, type Fault, type Reading } from './problems.ts';
import { spaced, type RuleValues, type ToolRule, type Tools } from './rules.ts';

/** The type of `level`. */
export const level = word(LEVELS);
/** The type of `as` and `--as`. */
const shape = word(SHAPES);

type RuleName = keyof RuleValues;
const RULE_SPECS: { readonly [N in RuleName]: { readonly key: string; readonly kind: Kind<RuleValues[N]> } } =
  {
    level: { key: 'level', kind: level },
    keepPatterns: { key: 'keep_patterns', kind: patterns },
    maxTokens: { key: 'max_tokens', kind: count },
    as: { key: 'as', kind: shape },
  };
const RULE_NAMES = ['level', 'keepPatterns', 'maxTokens', 'as'] as const;
const RULE_KEYS = RULE_NAMES.map((name) => RULE_SPECS[name].key);
const RULE_ALLOWED = `a map with any of ${RULE_KEYS.join(', ')}`;
const MAX_NAME_CHARS = 200;
const MAX_TOOLS = 1000;

/** The type of `tools`: a map from name or glob to a rule; one bad entry does not spoil the others. */
export const tools: Kind<Tools> = {
  allowed: `a map from a command or glob to ${RULE_ALLOWED}`,
  read: (value) => {
    if (!isMap(value)) return wrong(value, tools.allowed);
    const entries = Object.entries(value);
    if (entries.length > MAX_TOOLS) return wrong(`${entries.length} entries`, `at most ${MAX_TOOLS}`);
    const faults: Fault[] = [];
    const rules: Array<[string, ToolRule]> = [];
    for (const [name, plain] of entries) {
      const reading = readEntry(name, plain);
      faults.push(...reading.faults.map((found) => ({ ...found, path: [name, ...found.path] })));
      if (reading.value) rules.push([spaced(name), reading.value]);
    }
    return { value: Object.fromEntries(rules), faults };
  },
  fromText: (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  },
  show: (rules) =>
    JSON.stringify(Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, plainRule(rule)]))),
};

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readEntry(name: string, plain: unknown): Reading<ToolRule> {
  // `__proto__` would set the prototype of the map it is put into.
  if (spaced(name) === '' || name === '__proto__' || name.length > MAX_NAME_CHARS) {
    return wrong(name, `a command or glob of at most ${MAX_NAME_CHARS} characters`);
  }
  if (plain === null) return { value: {}, faults: [] };
  return isMap(plain) ? readRule(plain) : wrong(plain, RULE_ALLOWED);
}

function readRule(plain: Record<string, unknown>): Reading<ToolRule> {
  const rule: Partial<RuleValues> = {};
  const faults: Fault[] = [];
  const take = <N extends RuleName>(name: N): void => {
    const { key, kind } = RULE_SPECS[name];
    if (!Object.hasOwn(plain, key) || plain[key] === null) return;
    const reading = kind.read(plain[key]);
    faults.push(...reading.faults.map((found) => ({ ...found, path: [key, ...found.path] })));
    if (reading.value !== undefined) rule[name] = reading.value;
  };
  for (const name of RULE_NAMES) take(name);
  const unknown = Object.keys(plain).filter((key) => !RULE_KEYS.includes(key));
  return {
    value: rule,
    faults: [...faults, ...unknown.map((key) => ({ ...unknownKey(key, RULE_KEYS), path: [key] }))],
  };
}

/** The fault of a key nobody knows; fatal when `keep_patterns` was meant, for then something is to be kept. */
export function unknownKey(key: string, known: readonly string[]): Fault {
  const meant = nearest(key, known);
  if (meant === undefined) return fault('is no known key', known.join(', '));
  const found = fault(`is no known key, did you mean ${meant}?`);
  return meant === 'keep_patterns' ? { ...found, severity: 'fatal' } : found;
}

function plainRule(rule: ToolRule): object {
  return Object.fromEntries(
    RULE_NAMES.filter((name) => rule[name] !== undefined).map((name) => [RULE_SPECS[name].key, rule[name]]),
  );
}
