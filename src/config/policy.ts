import type { Policy, Shape } from '../core/model.ts';
import type { Config } from './load.ts';
import { printable, quoted, type Source } from './problems.ts';
import type { Name } from './settings.ts';
import { fittingRules, rulesFor, union, type RuleValues, type ToolRule } from './rules.ts';

const NO_RULE: ToolRule = {};

/** What one call asks beside its configuration. */
export interface CallWishes {
  readonly query?: string;
  readonly as?: Shape;
  /** The command line (`run`) or the name given with `--tool`; picks the rules of `tools:`. */
  readonly tool?: string;
}

/**
 * The policy of one call. A flag or variable is stronger than a rule of `tools:`, a rule is stronger than the plain key
 * of a file. `enabled: false` gives level `none`. A budget counts as asked for only when it came by flag.
 */
export function policyFrom(config: Config, { query, as, tool }: CallWishes = {}): Policy {
  const { settings } = config;
  const rule = tool === undefined ? NO_RULE : withoutDecided(rulesFor(settings.tools, tool), config);
  const shape = as ?? rule.as;
  return Object.freeze({
    level: settings.enabled ? (rule.level ?? settings.level) : 'none',
    keepPatterns: rule.keepPatterns ? union(settings.keepPatterns, rule.keepPatterns) : settings.keepPatterns,
    minChars: settings.minToolOutputChars,
    maxTokens: usableBudget(rule.maxTokens ?? settings.maxTokens),
    budgetAsked: sourceOf(config, 'maxTokens') === 'flag' && settings.maxTokens > 0,
    escapes: settings.escapes,
    hint: settings.hint,
    markers: settings.markers,
    ...(query !== undefined && { query }),
    ...(shape !== undefined && { as: shape }),
  });
}

/** Fewer tokens hold little more than markers; 0 is no budget. */
const LEAST_BUDGET = 100;

/** The budget that stands for one that was asked for. */
export function usableBudget(tokens: number): number {
  return tokens > 0 ? Math.max(LEAST_BUDGET, tokens) : tokens;
}

/** Up to so many bytes of what a command that failed has printed stay as they are. */
export const FAILED_BYTES = 8192;

/** The policy for the output of a command that failed. */
export function policyOfFailure(policy: Policy): Policy {
  return Object.freeze({ ...policy, minChars: Math.max(policy.minChars, FAILED_BYTES + 1), failed: true });
}

/** Which rules of `tools:` fit a call, what each of them decides, and what decides against it. */
export function ruleNotes(config: Config, { as, tool }: CallWishes): string[] {
  const rules = tool === undefined ? [] : fittingRules(config.settings.tools, tool);
  const decidedBy = new Map<keyof RuleValues, string>();
  if (as !== undefined) decidedBy.set('as', '--as');
  for (const [name, flag] of [
    ['level', '--level'],
    ['maxTokens', '--max-tokens'],
  ] as const) {
    const source = sourceOf(config, name);
    if (source === 'flag' || source === 'environment') decidedBy.set(name, source === 'flag' ? flag : source);
  }
  return rules.map(([name, rule]) => {
    const parts = RULE_KEYS.flatMap(([key, label]) => {
      if (rule[key] === undefined) return [];
      const stronger = key === 'keepPatterns' ? undefined : decidedBy.get(key);
      if (stronger === undefined) decidedBy.set(key, quoted(name));
      const text = `${label} ${key === 'keepPatterns' ? JSON.stringify(rule[key]) : String(rule[key])}`;
      return [stronger === undefined ? text : `${text} (decided by ${stronger})`];
    });
    return printable(`rule ${quoted(name)} of tools: ${parts.join(', ') || 'nothing'}`);
  });
}

const RULE_KEYS = [
  ['level', 'level'],
  ['keepPatterns', 'keep_patterns'],
  ['maxTokens', 'max_tokens'],
  ['as', 'as'],
] as const;

/** A rule without what a flag or variable of this call decides. */
function withoutDecided(rule: ToolRule, config: Config): ToolRule {
  const { level, maxTokens, ...rest } = rule;
  const isOpen = (name: Name): boolean => !['flag', 'environment'].includes(sourceOf(config, name));
  return {
    ...rest,
    ...(level !== undefined && isOpen('level') && { level }),
    ...(maxTokens !== undefined && isOpen('maxTokens') && { maxTokens }),
  };
}

function sourceOf({ origins }: Config, name: Name): Source {
  return origins[name]?.[0]?.source ?? 'default';
}
