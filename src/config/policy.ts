import type { Policy, Shape } from '../core/model.ts';
import type { Config } from './load.ts';
import type { Source } from './problems.ts';
import type { Name } from './settings.ts';
import { rulesFor, union, type ToolRule } from './rules.ts';

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
    maxTokens: rule.maxTokens ?? settings.maxTokens,
    budgetAsked: sourceOf(config, 'maxTokens') === 'flag' && settings.maxTokens > 0,
    escapes: settings.escapes,
    hint: settings.hint,
    markers: settings.markers,
    ...(query !== undefined && { query }),
    ...(shape !== undefined && { as: shape }),
  });
}

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
