import { existsSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { inside, isTop, type Finding, type FoundFile, type World } from './find.ts';
import type { Problem } from './problems.ts';

/** A file that may be read, with the owner and type of what it really is, or one that may not. */
export type Judged =
  | { readonly kind: 'plain'; readonly file: FoundFile }
  | { readonly kind: 'refused'; readonly file: FoundFile; readonly problem: Problem }
  | { readonly kind: 'none' };

/**
 * Decides about a file that is a symlink, or no regular file, or not the user's. The user's own file may be a symlink to
 * anywhere, for people who keep their dot files in one folder; a project's may not leave the project. What belongs to
 * somebody else is ignored with an error; what can't be read at all is fatal.
 */
export function judge(finding: Finding, world: World): Judged {
  if (finding.kind === 'none') return { kind: 'none' };
  const { file } = finding;
  if (finding.kind === 'plain') return { kind: 'plain', file };
  let { stats } = file;
  if (stats.isSymbolicLink()) {
    if (file.place.source === 'project' && !staysInside(file, world)) {
      return refused(file, 'error', 'is a symlink that leaves the project');
    }
    try {
      stats = statSync(file.place.file);
    } catch {
      return refused(file, 'fatal', 'is a symlink to nothing');
    }
  }
  const stranger = strangerOf(file.stats, world) ?? strangerOf(stats, world);
  if (stranger !== undefined) {
    return refused(file, 'error', `belongs to user ${stranger}, not to you (user ${world.uid}) or root`);
  }
  if (stats.isFile()) return { kind: 'plain', file: { ...file, stats } };
  return refused(file, 'fatal', stats.isDirectory() ? 'is a folder' : 'is no regular file');
}

/** A checkout could link its `forge.yaml` to a private file, whose words would then be quoted in messages. */
function staysInside({ place, folder }: FoundFile, world: World): boolean {
  let top = folder;
  while (!isTop(top, world)) top = dirname(top);
  const root = existsSync(inside(top, '.git')) ? top : folder;
  try {
    return realpathSync(place.file).startsWith(join(realpathSync(root), sep));
  } catch {
    // Leads to nothing or in circles: that is said by the next step.
    return true;
  }
}

/** The owner, where that is neither the user nor root. */
function strangerOf({ uid: owner }: Stats, { uid }: World): number | undefined {
  return uid === undefined || owner === uid || owner === 0 ? undefined : owner;
}

function refused(file: FoundFile, severity: 'fatal' | 'error', message: string): Judged {
  return { kind: 'refused', file, problem: { ...file.place, severity, message } };
}
