import type { BlockKind } from './blocks.ts';

/** What stands before a brace. */
export interface Before {
  /** The token before it. */
  readonly prev: string;
  /** The last keyword that leads a statement or a declaration here. */
  readonly lead: string;
  /** The kind of the block that it is in, and whether parentheses are between. */
  readonly within: BlockKind;
  readonly isInParens: boolean;
  /** The keyword or name before the parentheses that `prev` closes. */
  readonly callee: string;
}

export interface Found {
  readonly kind: BlockKind;
  readonly isFunction: boolean;
}

export type KindOf = (before: Before) => Found;

const TYPE: Found = { kind: 'type', isFunction: false };
const DATA: Found = { kind: 'data', isFunction: false };
const SCOPE: Found = { kind: 'scope', isFunction: false };
const STATEMENTS: Found = { kind: 'body', isFunction: false };
const FUNCTION: Found = { kind: 'body', isFunction: true };

/** Keywords of TypeScript and JavaScript that lead. */
export const TS_LEADS = new Set(
  (
    'import export const let var function class interface enum type namespace module global ' +
    'if for while switch catch with do else try finally return'
  ).split(' '),
);
/** Of those, names in other places: they lead only where a name follows. */
export const TS_SOFT = new Set(['type', 'namespace', 'module', 'interface', 'global', 'enum']);
/** And those that lead nowhere as the name of a method or a property. */
export const TS_HEADS = new Set(['import', 'export', 'class', 'const', 'let', 'var']);
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'with', 'await']);
/** Behind these an operand follows: a brace opens an object, a slash a regular expression. */
const OPERATORS = new Set([...'=([,?:|&<>+-*/%!~^;{}', '=>', '...']);
const BEFORE_OPERAND = new Set(
  'return default case typeof instanceof in of new delete throw await yield as satisfies extends'.split(' '),
);

/** Does a regular expression follow, where a slash stands? */
export function isBeforeRegex(prev: string, callee: string): boolean {
  if (prev === ')') return CONTROL.has(callee);
  if (prev === '<') return false;
  return prev === '' || OPERATORS.has(prev) || BEFORE_OPERAND.has(prev) || prev === 'else' || prev === 'do';
}

/** A brace of TypeScript or JavaScript: the first of these that holds. */
const TS_RULES: ReadonlyArray<readonly [holds: (before: Before, isOperand: boolean) => boolean, Found]> = [
  [({ lead, within }) => TS_TYPES.has(lead) || within === 'type', TYPE],
  [({ prev }) => prev === '=>', FUNCTION],
  [({ lead }, isOperand) => lead === 'class' && !isOperand, SCOPE],
  [({ lead }, isOperand) => TS_SCOPES.has(lead) && !isOperand, SCOPE],
  [({ prev, lead }) => lead === 'class' || BEFORE_PATTERN.has(prev), TYPE],
  [({ prev, within, isInParens }) => prev === ':' && (within !== 'data' || isInParens), TYPE],
  [(_, isOperand) => isOperand, DATA],
  [({ prev, callee }) => prev === ')' && !CONTROL.has(callee), FUNCTION],
  [({ prev, lead }) => prev === ')' || BEFORE_STATEMENTS.has(prev) || CONTROL.has(lead), STATEMENTS],
];

const TS_TYPES = new Set(['type', 'interface', 'enum', 'import']);
const TS_SCOPES = new Set(['namespace', 'module', 'global']);
const BEFORE_PATTERN = new Set(['const', 'let', 'var', 'export', 'extends', '|', '&', '<']);
const BEFORE_STATEMENTS = new Set(['', 'else', 'try', 'do', 'finally', 'static', ';', '{', '}']);

export function tsKind(before: Before): Found {
  const { prev } = before;
  const isOperand = (OPERATORS.has(prev) && !'>;{}'.includes(prev)) || BEFORE_OPERAND.has(prev);
  return TS_RULES.find(([holds]) => holds(before, isOperand))?.[1] ?? FUNCTION;
}

/** A bracket: a list of values where an operand stands, else a type, an index, a pattern. */
export function listKind({ prev, lead, within }: Before): Found {
  if (lead === 'type' || lead === 'interface' || within === 'type') return TYPE;
  return '=([,?:'.includes(prev) || BEFORE_OPERAND.has(prev) || prev === '=>' ? DATA : TYPE;
}

/** Keywords of Go that lead. */
export const GO_LEADS = new Set('package import func type var const'.split(' '));

/** A brace of Go. */
export function goKind({ prev, lead, within }: Before): Found {
  if (prev === 'struct' || prev === 'interface' || lead === 'type' || within === 'type') return TYPE;
  if (lead === 'func') return FUNCTION;
  return DATA;
}
