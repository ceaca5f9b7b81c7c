import type { Level, Shape } from '../core/model.ts';

/** What a rule can decide. */
export interface RuleValues {
  level: Level;
  keepPatterns: readonly string[];
  /** Estimated tokens; 0 is no budget. */
  maxTokens: number;
  as: Shape;
}

/** What one command wants different from the rest. */
export type ToolRule = Readonly<Partial<RuleValues>>;

/** Rules by the name or glob of a command: `terraform plan`, `kubectl get secret*`, `*`. */
export type Tools = Readonly<Record<string, ToolRule>>;

/** A command line with single blanks. */
export function spaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Two rules as one: `first` wins key by key, keep patterns add up (they only ever protect). */
function mergeRules(first: ToolRule, second: ToolRule): ToolRule {
  if (!first.keepPatterns || !second.keepPatterns) return { ...second, ...first };
  return { ...second, ...first, keepPatterns: union(first.keepPatterns, second.keepPatterns) };
}

/** Both lists as one, without repetition. */
export function union(first: readonly string[], second: readonly string[]): readonly string[] {
  return Object.freeze([...new Set([...first, ...second])]);
}

/** Two maps of rules as one; a name in both is merged by `mergeRules`. */
export function mergeTools(first: Tools, second: Tools): Tools {
  const merged = new Map(Object.entries(second));
  for (const [name, rule] of Object.entries(first)) {
    merged.set(name, mergeRules(rule, merged.get(name) ?? {}));
  }
  return Object.fromEntries(merged);
}

/**
 * The rule of a command line, merged key by key: the exact line before the longest name or glob before `*`.
 * `kubectl get` is a name and holds for `kubectl get pods -A` too; a glob must fit the whole line. The folder of the
 * command does not count: `/usr/bin/kubectl get pods` is `kubectl get pods`.
 */
export function rulesFor(rules: Tools, commandLine: string): ToolRule {
  return fittingRules(rules, commandLine).reduce<ToolRule>(
    (merged, [, rule]) => mergeRules(merged, rule),
    {},
  );
}

/** The rules of a command line with their names, strongest first. */
export function fittingRules(rules: Tools, commandLine: string): Array<readonly [string, ToolRule]> {
  const line = spaced(commandLine);
  const lines = [line, line.replace(/^[^\s]*[/\\]/, '')];
  const fitting = Object.entries(rules).filter(([name]) => lines.some((text) => fits(name, text)));
  const rank = (name: string): number => (lines.includes(name) ? Infinity : name.replace(/[*?]/g, '').length);
  // On a draw the name that sorts first: nothing may depend on the order of files.
  fitting.sort(([a], [b]) => (rank(a) === rank(b) ? (a < b ? -1 : 1) : rank(b) - rank(a)));
  return fitting;
}

function fits(name: string, line: string): boolean {
  if (!/[*?]/.test(name)) return line === name || line.startsWith(`${name} `);
  return name === line || matchesGlob(name, line);
}

/** `*` is any text, `?` one character. Linear but for `length of glob` times `length of text`; never backtracks further. */
function matchesGlob(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (glob[g] === '*') {
      star = g++;
      resume = t;
    } else if (glob[g] === text[t] || glob[g] === '?') {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = ++resume;
    } else return false;
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}
