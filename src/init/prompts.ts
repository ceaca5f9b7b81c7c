/** The questions of `ctxzip init`; the only file that knows @inquirer. */
import { checkbox, confirm, input, select } from '@inquirer/prompts';
import type { Offer } from './offers.ts';
import type { Answers, Where } from './plan.ts';

/** What the questions start from. */
export interface Defaults extends Answers {
  readonly offers: readonly Offer[];
  readonly levels: ReadonlyArray<{ readonly value: string; readonly name: string }>;
  readonly isTtl: (text: string) => boolean;
  /** Files of instructions that are there already. */
  readonly agentFiles: readonly string[];
}

/** Asks at most five questions. Ctrl-C throws `ExitPromptError`. */
export async function ask(defaults: Defaults): Promise<Answers> {
  const where = await select<Where>({
    message: 'Where should it be set up?',
    choices: [
      { value: 'project', name: 'in this project (forge.yaml)' },
      { value: 'store', name: 'in this project, with a store of its own (.ctxzip/)' },
      { value: 'user', name: 'for all your projects' },
    ],
    default: defaults.where,
  });
  const level = await select<string>({
    message: 'How much may go?',
    choices: defaults.levels,
    default: defaults.level,
  });
  const keep =
    defaults.offers.length === 0
      ? []
      : await checkbox<string>({
          message: 'What must stay in every view?',
          choices: defaults.offers.map(({ pattern, because }) => ({
            value: pattern,
            name: `${pattern}  ${because}`,
            checked: defaults.keep.includes(pattern),
          })),
        });
  const ttl = await input({
    message: 'How long are originals kept?',
    default: defaults.ttl,
    validate: (text) => defaults.isTtl(text) || 'a number with s, m, h, d or w, for example 7d',
  });
  const agents = await askAgents(defaults);
  return { where, level, keep, ttl, agents };
}

async function askAgents({ agentFiles, agents }: Defaults): Promise<string> {
  const files = [...new Set([...agentFiles, 'AGENTS.md', 'CLAUDE.md'])];
  return await select<string>({
    message: 'Tell agents what markers are?',
    choices: [
      ...files.map((file) => ({ value: file, name: `write it into ${file}` })),
      { value: 'print', name: 'print it' },
      { value: 'none', name: 'no' },
    ],
    default: agents,
  });
}

/** The one question behind the plan. */
export async function agree(): Promise<boolean> {
  return await confirm({ message: 'Write this?', default: true });
}

/** Was a question left with Ctrl-C? */
export function isExit(error: unknown): boolean {
  return error instanceof Error && error.name === 'ExitPromptError';
}
