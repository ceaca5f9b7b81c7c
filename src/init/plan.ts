/** What `ctxzip init` would change: pure, from answers and the texts of the files. */
import { editConfig, type Edits } from '../config/edit.ts';
import { INSTRUCTIONS, withInstructions } from './agents.ts';
import { unified, withIgnored } from './texts.ts';

/** `project`: its forge.yaml; `store`: that, and a store of its own; `user`: for all projects. */
export type Where = 'project' | 'store' | 'user';

export interface Answers {
  readonly where: Where;
  readonly level: string;
  readonly keep: readonly string[];
  readonly ttl: string;
  /** A file for the instructions; `print` shows them, `none` leaves them out. */
  readonly agents: string;
}

/** The files that a plan may touch: where they are, what they are called, what they hold. */
export interface PlannedFile {
  readonly path: string;
  /** As a person reads it. */
  readonly name: string;
  readonly text: string | undefined;
}

export interface Place {
  readonly project: PlannedFile;
  readonly user: PlannedFile;
  readonly ignore: PlannedFile;
  readonly agents: PlannedFile | undefined;
  /** Is the project a repository of git? */
  readonly isRepository: boolean;
  /** `forge.example.yaml`. */
  readonly template: string;
  /** What holds now. */
  readonly current: { readonly level: string; readonly ttl: string };
}

export interface Change extends PlannedFile {
  readonly after: string;
  readonly diff: string;
}

export type Plan =
  | { readonly kind: 'plan'; readonly changes: readonly Change[]; readonly print: string | undefined }
  | { readonly kind: 'fault'; readonly message: string };

/** The folder of a project's own store, in the project. */
const OWN_STORE = '.ctxzip';

/** Makes the plan, or says which file stands in its way. */
export function planOf(answers: Answers, place: Place): Plan {
  const wanted = new Map<PlannedFile, string>();
  const faults: string[] = [];
  const take = (
    file: PlannedFile,
    made: { kind: 'text'; text: string } | { kind: 'fault'; message: string },
  ): void => {
    if (made.kind === 'fault') faults.push(`${file.name} is left as it is: ${made.message}`);
    else if (made.text !== file.text) wanted.set(file, made.text);
  };
  const [main, aside] = editsOf(answers, place);
  const file = answers.where === 'user' ? place.user : place.project;
  take(file, configured(file.text, main, place.template));
  if (aside !== undefined) take(place.user, configured(place.user.text, aside, place.template));
  if (answers.where === 'store' && place.isRepository)
    take(place.ignore, { kind: 'text', text: withIgnored(place.ignore.text, `/${OWN_STORE}/`) });
  if (place.agents !== undefined) take(place.agents, withInstructions(place.agents.text));
  if (faults.length > 0) return { kind: 'fault', message: faults.join('\n') };
  const changes = [...wanted].map(([each, after]) => ({
    ...each,
    after,
    diff: unified(each.name, each.text, after),
  }));
  return { kind: 'plan', changes, print: answers.agents === 'print' ? INSTRUCTIONS : undefined };
}

/** What goes into the file; and what must go into the user's, since a project can't decide how long others' originals live. */
function editsOf(
  { where, level, keep, ttl }: Answers,
  { current, project, user }: Place,
): [main: Edits, aside: Edits | undefined] {
  const isNew = ttl !== current.ttl;
  const isScaffold = (where === 'user' ? user : project).text === undefined;
  const set = {
    ...((level !== current.level || isScaffold) && { level }),
    ...(isNew && where !== 'project' && { ttl }),
    ...(where === 'store' && { store_path: OWN_STORE }),
  };
  return [{ set, keep }, isNew && where === 'project' ? { set: { ttl } } : undefined];
}

/** A config file with the edits in it; where there is none yet, the commented template, in which only they count. */
function configured(text: string | undefined, edits: Edits, template: string): ReturnType<typeof editConfig> {
  return editConfig(text ?? scaffold(template, new Set(Object.keys(edits.set ?? {}))), edits);
}

/** The template with all keys but some as comments. */
function scaffold(template: string, keys: ReadonlySet<string>): string {
  const start = template.search(/^compression:/m);
  const body = template
    .slice(start)
    .replace(/^ {2}(\w+): /gm, (entry, key: string) => (keys.has(key) ? entry : `  # ${key}: `));
  return `${HEAD}${body}`;
}

const HEAD = `# What ctxzip does here: every key with its default as a comment. \`ctxzip config check\` names what is wrong,
# \`ctxzip config show\` says where each value comes from. Blocks other than \`compression:\` are left to other programs.
`;
