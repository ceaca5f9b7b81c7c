/** `ctxzip init`: sets a project or a user up. A lazy chunk. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { inside, isTop, userFilePath } from '../../config/find.ts';
import { duration } from '../../config/kinds.ts';
import { loadConfig } from '../../config/load.ts';
import { LEVELS } from '../../core/model.ts';
import { apply, lookInto, textOf, undo } from '../../init/apply.ts';
import { offersFor } from '../../init/offers.ts';
import {
  type Answers,
  type Change,
  type Place,
  type PlannedFile,
  planOf,
  type Where,
} from '../../init/plan.ts';
import { agree, ask, type Defaults, isExit } from '../../init/prompts.ts';
import { makeFolder } from '../../store/folder.ts';
import type { Wire } from '../../wire.ts';
import { isTerminal, say, writeOut } from '../io.ts';

export interface InitOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly undo?: boolean;
  readonly where?: string;
  readonly level?: string;
  readonly keep?: readonly string[];
  readonly ttl?: string;
  readonly agents?: string;
}

const WHERES: readonly Where[] = ['project', 'store', 'user'];
const AGENT_FILES = ['AGENTS.md', 'CLAUDE.md'];
const LEVEL_TEXTS: Readonly<Record<string, string>> = {
  none: 'nothing: output passes through',
  minimal: 'nothing is left out, it is only written shorter',
  normal: 'what repeats; failures and what is odd stay',
  aggressive: 'all but failures and one of each kind',
};

/** Sets up, or shows what it would do; never asks without a terminal. */
export async function initCommand(wire: Wire, options: InitOptions): Promise<number> {
  const fault = faultOf(options);
  if (fault !== undefined) {
    say(fault);
    return 2;
  }
  const { cwd } = wire.world;
  if (cwd === '') {
    say('this folder is gone: run init in another');
    return 1;
  }
  const root = rootOf(wire, cwd);
  const config = await loadConfig(wire.world, {}, { fresh: true });
  const { stateFolder } = config;
  if (stateFolder === undefined) {
    say('there is no home folder to keep the record of the changes in: set HOME or CTXZIP_HOME');
    return 1;
  }
  if (options.undo === true) return takeBack(stateFolder, root);
  const current = { level: config.settings.level, ttl: duration.show(config.settings.ttlMs) };
  const defaults = defaultsOf(options, root, current);
  const isAsked = await mayAsk(options);
  try {
    const answers = isAsked ? await ask(defaults) : defaults;
    const job = { root, stateFolder, current, answers, isAsked, project: config.files.project };
    return await carryOut(wire, options, job);
  } catch (error) {
    if (!isExit(error)) throw error;
    say('nothing was written');
    return 130;
  }
}

/** Is there somebody to ask? */
async function mayAsk({ yes, dryRun, json }: InitOptions): Promise<boolean> {
  if (yes === true || dryRun === true || json === true) return false;
  return (await isTerminal('stdin')) && (await isTerminal('stdout'));
}

interface Job {
  readonly root: string;
  readonly stateFolder: string;
  readonly current: Place['current'];
  readonly answers: Answers;
  readonly isAsked: boolean;
  readonly project: string | undefined;
}

async function carryOut(wire: Wire, options: InitOptions, job: Job): Promise<number> {
  const plan = planOf(job.answers, placeOf(wire, job));
  if (plan.kind === 'fault') {
    for (const line of plan.message.split('\n')) say(line);
    return 1;
  }
  const isWritten = await mayWrite(options, job, plan.changes);
  if (isWritten) {
    makeFolder(job.stateFolder);
    apply(plan.changes, job.stateFolder, job.root, wire.now());
  }
  if (options.json === true)
    writeOut(`${JSON.stringify(jsonOf(plan.changes, plan.print, isWritten), null, 2)}\n`);
  else tell(plan.changes, plan.print, isWritten);
  return isWritten || plan.changes.length === 0 || options.dryRun === true || job.isAsked ? 0 : 2;
}

/** Shows the plan, and asks where there is somebody to ask. */
async function mayWrite(options: InitOptions, job: Job, changes: readonly Change[]): Promise<boolean> {
  if (options.json !== true) for (const { diff } of changes) writeOut(`${diff}\n`);
  if (changes.length === 0 || options.dryRun === true) return false;
  return job.isAsked ? await agree() : options.yes === true;
}

function tell(changes: readonly Change[], print: string | undefined, isWritten: boolean): void {
  if (print !== undefined) writeOut(print);
  if (changes.length === 0) say('nothing to change: it is set up so already');
  else if (isWritten)
    say(`${changes.map(({ name }) => name).join(', ')} written; ctxzip init --undo takes it back`);
  else say('nothing was written; --yes writes it');
}

function jsonOf(changes: readonly Change[], print: string | undefined, isWritten: boolean) {
  return {
    written: isWritten,
    changes: changes.map(({ path, text, diff }) => ({
      path,
      action: text === undefined ? 'create' : 'change',
      diff,
    })),
    ...(print !== undefined && { instructions: print }),
  };
}

function takeBack(stateFolder: string, root: string): number {
  const undone = undo(stateFolder, root);
  if (undone === undefined) {
    say('there is nothing to take back: init wrote nothing here');
    return 1;
  }
  for (const line of undone.lines) say(line);
  return undone.isWhole ? 0 : 1;
}

function faultOf({ where, level, ttl, agents }: InitOptions): string | undefined {
  if (where !== undefined && !WHERES.some((each) => each === where))
    return `--where is one of ${WHERES.join(', ')}`;
  if (level !== undefined && !LEVELS.some((each) => each === level))
    return `--level is one of ${LEVELS.join(', ')}`;
  if (ttl !== undefined && !isTtl(ttl)) return `--ttl is ${duration.allowed}`;
  if (agents !== undefined && !/^(?:none|print|[\w.-]+\.md)$/i.test(agents))
    return '--agents is none, print or the name of a Markdown file';
  return undefined;
}

function isTtl(text: string): boolean {
  return duration.read(text).value !== undefined;
}

/** The folder of the project: the nearest with `.git` above, else this one. */
function rootOf(wire: Wire, cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (isRepository(folder)) return folder;
    if (isTop(folder, wire.world)) return cwd;
  }
}

function isRepository(folder: string): boolean {
  try {
    readFileSync(join(folder, '.git', 'HEAD'));
    return true;
  } catch {
    return textOfQuietly(join(folder, '.git')) !== undefined;
  }
}

function textOfQuietly(path: string): string | undefined {
  try {
    return textOf(path);
  } catch {
    return undefined;
  }
}

function defaultsOf(options: InitOptions, root: string, current: Place['current']): Defaults {
  const offers = offersFor(lookInto(root));
  const agentFiles = AGENT_FILES.filter((file) => textOfQuietly(join(root, file)) !== undefined);
  return {
    where: (options.where as Where | undefined) ?? 'project',
    level: options.level ?? current.level,
    keep: options.keep ?? offers.map(({ pattern }) => pattern),
    ttl: options.ttl ?? current.ttl,
    agents: options.agents ?? agentFiles[0] ?? AGENT_FILES[0]!,
    offers,
    levels: LEVELS.map((value) => ({ value, name: `${value}: ${LEVEL_TEXTS[value] ?? ''}` })),
    isTtl,
    agentFiles,
  };
}

function placeOf(wire: Wire, { root, current, answers, project }: Job): Place {
  const file = (path: string): PlannedFile => ({ path, name: nameOf(path, root), text: textOf(path) });
  const agents =
    answers.agents === 'none' || answers.agents === 'print' ? undefined : file(join(root, answers.agents));
  return {
    project: file(project ?? inside(root, 'forge.yaml')),
    user: file(userFilePath(wire.world) ?? inside(root, 'forge.yaml')),
    ignore: file(join(root, '.gitignore')),
    agents,
    isRepository: isRepository(root),
    template: readFileSync(join(__dirname, '..', 'forge.example.yaml'), 'utf8'),
    current,
  };
}

function nameOf(path: string, root: string): string {
  const near = relative(root, path);
  return near.startsWith('..') ? path : near === '' ? basename(path) : near;
}
