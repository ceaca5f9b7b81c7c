import { cacheKey, readCached } from './cache.ts';
import {
  findProjectFile,
  findUserFile,
  stateFolder,
  type Finding,
  type Findings,
  type World,
} from './find.ts';
import type { Problem } from './problems.ts';
import { DEFAULT_CONFIG, type Merged, type Name, type Origins, type Settings } from './settings.ts';

/** Values of flags as text, by the name of the setting; a flag that can be repeated gives a list. */
export type FlagTexts = { readonly [N in Name]?: string | readonly string[] };

/** The configuration of one call. */
export interface Config {
  readonly settings: Settings;
  readonly origins: Origins;
  readonly problems: readonly Problem[];
  /** `CTXZIP_HOME`, else the XDG state folder: caches, statistics, and the store unless `store_path` is set. */
  readonly stateFolder: string | undefined;
  /** `store_path` from any source, else the state folder. Undefined when there is no home folder either. */
  readonly storeFolder: string | undefined;
  readonly files: { readonly project: string | undefined; readonly user: string | undefined };
}

/** All variables that set something; written out, so that the schema need not be loaded to know that none is set. */
export const VARIABLES = [
  'FORGE_COMPRESSION',
  'CTXZIP_ENABLED',
  'CTXZIP_LEVEL',
  'CTXZIP_KEEP_PATTERNS',
  'CTXZIP_MIN_TOOL_OUTPUT_CHARS',
  'CTXZIP_MAX_TOKENS',
  'CTXZIP_ESCAPES',
  'CTXZIP_HINT',
  'CTXZIP_MARKERS',
  'CTXZIP_ERRORS',
  'CTXZIP_TOOLS',
  'CTXZIP_TTL',
  'CTXZIP_MAX_STORE_BYTES',
  'CTXZIP_STORE_PATH',
  'CTXZIP_EVENTS_PATH',
  'CTXZIP_CACHE_HINTS',
] as const;

/**
 * Finds, reads and merges the configuration: flag, environment, project, user, default. Each key is decided on its own;
 * `keep_patterns` add up over all sources, because a pattern only ever protects, and `tools` are merged by name and key.
 * What the files give is cached: then this is a few stat calls and one small read, and nothing waits. Only flags,
 * variables and new files load the rest of this room (`settle.ts`).
 * Never throws for what is in files, variables or flags: that is in `problems` (see `pipeVerdict`). `fresh` reads the
 * files again in any case.
 */
export async function loadConfig(
  world: World,
  flags: FlagTexts = {},
  { fresh = false }: { readonly fresh?: boolean } = {},
): Promise<Config> {
  const state = stateFolder(world);
  const findings = { project: findProjectFile(world), user: findUserFile(world) };
  const plain = fresh || isCallSpecial(world, flags) ? undefined : plainConfig(findings, state, world);
  const merged = plain ?? (await import('./settle.ts')).settle({ world, state, findings, flags, fresh });
  const { settings, origins, problems } = await merged;
  Object.freeze(settings.keepPatterns);
  Object.freeze(settings.tools);
  return {
    settings: Object.freeze(settings),
    origins,
    problems,
    stateFolder: state,
    storeFolder: settings.storePath ?? state,
    files: { project: pathOf(findings.project), user: pathOf(findings.user) },
  };
}

function isCallSpecial({ env }: World, flags: FlagTexts): boolean {
  for (const name of VARIABLES) if (env[name]) return true;
  for (const text of Object.values(flags)) if (text !== undefined) return true;
  return false;
}

/** What needs no other module: the defaults, or what was cached. Where a project has its own store, that is checked anew. */
function plainConfig(
  { project, user }: Findings,
  state: string | undefined,
  world: World,
): Merged | undefined {
  if (project.kind === 'none' && user.kind === 'none') return DEFAULT_CONFIG;
  if (state === undefined || project.kind === 'odd' || user.kind === 'odd') return undefined;
  const cached = readCached(state, cacheKey({ project, user }, false, world), world);
  return cached?.origins.storePath?.[0]?.source === 'project' ? undefined : cached;
}

function pathOf(finding: Finding): string | undefined {
  return finding.kind === 'none' ? undefined : finding.file.place.file;
}
