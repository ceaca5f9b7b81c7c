import type { Config } from '../config/load.ts';
import { type CallWishes, policyFrom, ruleNotes, usableBudget } from '../config/policy.ts';
import type { Wire } from '../wire.ts';
import type { PipeFlags } from './flags.ts';
import { say } from './io.ts';
import type { PipeRequest } from './pipe.ts';

interface Call {
  readonly wire: Wire;
  readonly config: Config;
  readonly flags: PipeFlags;
}

/** What a call asks of the engine. */
export function requestOf({ wire, config, flags }: Call, wishes: CallWishes): PipeRequest {
  const { ttlMs, maxStoreBytes, maxTokens } = config.settings;
  const usable = usableBudget(maxTokens);
  if (usable !== maxTokens) say(`a budget of ${maxTokens} tokens counts as ${usable}`);
  const { nowMs, cwd } = wire.world;
  return {
    wire,
    flags,
    policy: policyFrom(config, wishes),
    ruleNotes: flags.explain ? ruleNotes(config, wishes) : [],
    storeFolder: flags.store ? config.storeFolder : undefined,
    stateFolder: config.stateFolder,
    // Who stores nothing leaves no trace.
    recordFolder: flags.store && config.settings.enabled ? config.stateFolder : undefined,
    eventsPath: flags.events === undefined ? config.settings.eventsPath : resolved(cwd, flags.events),
    ttlMs,
    maxStoreBytes,
    facts: { createdMs: nowMs, folder: cwd, ...(flags.tool !== undefined && { tool: flags.tool }) },
  };
}

function resolved(cwd: string, path: string): string {
  return path.startsWith('/') || cwd === '' ? path : process.getBuiltinModule('node:path').resolve(cwd, path);
}

/** Inputs of fewer bytes do not need the engine. */
export function leastSize({ flags, policy }: Pick<PipeRequest, 'flags' | 'policy'>): number {
  return flags.json || flags.explain || policy.budgetAsked ? 0 : policy.minChars;
}

/** What `--explain` says of what was let through by its level. */
export function explainNone({ flags, ruleNotes: notes }: PipeRequest): void {
  if (flags.explain) for (const line of [...notes, 'passed through: level none']) say(line);
}
