/**
 * The configuration when it is not all in the cache: with flags or variables, or with files that are new. A lazy chunk:
 * nothing on the hot path may import this file except by `await import()`.
 */
import { cacheKey, isSettled, readCached, writeCached } from './cache.ts';
import type { Findings, World } from './find.ts';
import { judge, type Judged } from './judge.ts';
import { environmentLayer, fileLayer, flagLayer } from './layers.ts';
import type { FlagTexts } from './load.ts';
import { overlay } from './merge.ts';
import type { ParsedFile } from './parse.ts';
import { projectPath } from './paths.ts';
import { DEFAULT_CONFIG, type Merged } from './settings.ts';
import { ownLayer, trustedProject } from './trust.ts';

export interface Circumstances {
  readonly world: World;
  readonly state: string | undefined;
  readonly findings: Findings;
  readonly flags: FlagTexts;
  /** Read the files again, whatever is cached. */
  readonly fresh: boolean;
}

/** Flags over variables over what the files give. */
export async function settle(circumstances: Circumstances): Promise<Merged> {
  const { world, flags } = circumstances;
  const calls = [environmentLayer(world), flagLayer(flags)]
    .filter((layer) => layer !== undefined)
    .map((layer) => ownLayer(layer, world.home));
  const isStoreElsewhere = calls.some((layer) => layer.values.storePath !== undefined);
  return calls.reduce(overlay, await mergedFiles(circumstances, isStoreElsewhere));
}

/** What both files give, from the cache or from the files themselves. */
async function mergedFiles(circumstances: Circumstances, isStoreElsewhere: boolean): Promise<Merged> {
  const { world, state, fresh, findings } = circumstances;
  const judged = { project: judge(findings.project, world), user: judge(findings.user, world) };
  if (judged.project.kind === 'none' && judged.user.kind === 'none') return DEFAULT_CONFIG;
  const key = cacheKey(judged, isStoreElsewhere, world);
  const cached = state === undefined || fresh ? undefined : readCached(state, key, world);
  if (cached && isStillInside(cached, judged.project, world)) return cached;
  const { merged, isLasting } = await readFiles(judged, isStoreElsewhere, world);
  if (state !== undefined && isLasting) writeCached(state, key, merged, world);
  return merged;
}

/** The defaults under what both files set. `isLasting`: the same files will give the same again. */
async function readFiles(
  { project, user }: Findings<Judged>,
  isStoreElsewhere: boolean,
  world: World,
): Promise<{ readonly merged: Merged; readonly isLasting: boolean }> {
  const [ofUser, ofProject] = [await read(user, world), await read(project, world)];
  const own = ownLayer(fileLayer(ofUser.parsed, pathOf(user), 'user'), world.home);
  const theirs = fileLayer(ofProject.parsed, pathOf(project), 'project');
  const trusted = trustedProject(theirs, world.home, isStoreElsewhere);
  // A refused store_path may be fine tomorrow, when the symlink on its way is gone.
  const isRefused = theirs.values.storePath !== undefined && trusted.values.storePath === undefined;
  return {
    merged: [own, trusted].reduce(overlay, DEFAULT_CONFIG),
    isLasting: ofUser.isLasting && ofProject.isLasting && !isRefused,
  };
}

/** A folder inside the project may have become a symlink since the configuration was cached. */
function isStillInside({ settings, origins }: Merged, project: Judged, { home }: World): boolean {
  if (settings.storePath === null || origins.storePath?.[0]?.source !== 'project') return true;
  const folder = project.kind === 'plain' ? project.file.folder : '';
  return projectPath(settings.storePath, folder, home) === settings.storePath;
}

interface ReadFile {
  readonly parsed: ParsedFile;
  /** The same file will give the same again. */
  readonly isLasting: boolean;
}

async function read(finding: Judged, world: World): Promise<ReadFile> {
  const parsed: ParsedFile = { values: {}, places: {}, problems: [] };
  if (finding.kind === 'none') return { parsed, isLasting: true };
  if (finding.kind === 'refused')
    return { parsed: { ...parsed, problems: [finding.problem] }, isLasting: true };
  const { readConfig } = await import('./parse.ts');
  const found = readConfig(finding.file);
  return { parsed: found.parsed, isLasting: found.isLasting && isSettled(finding.file, world) };
}

function pathOf(finding: Judged): string | undefined {
  return finding.kind === 'none' ? undefined : finding.file.place.file;
}
