/** Files that programs write: their changes are read by programs, too. */

const LOCKS =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|go\.sum|go\.work\.sum|Package\.resolved|packages\.lock\.json|gradle\.lockfile|buildscript-gradle\.lockfile|\.terraform\.lock\.hcl|\.pnp\.c?js|Manifest\.lock|[\w.-]+\.lock)$/;
const MINIFIED = /[.-]min\.(?:js|mjs|cjs|css)$|[.-]bundle\.(?:js|css)$|\.(?:js|mjs|cjs|css|d\.ts)\.map$/;
const VENDORED =
  /(?:^|\/)(?:vendor|vendors|vendored|node_modules|bower_components|third[_-]party|Godeps\/_workspace|Pods|\.yarn\/(?:releases|cache|plugins|sdks))\//;
const SNAPSHOTS = /(?:^|\/)__snapshots__\/|\.(?:snap|ambr|storyshot)$|\.approved\.\w+$/;
const MACHINE_MADE =
  /(?:\.pb(?:\.gw|\.validate)?\.go|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:cc|h|swift)|_pb\.(?:js|d\.ts|rb)|\.g\.(?:dart|cs)|\.freezed\.dart|\.[Dd]esigner\.(?:cs|vb)|(?:[._-]generated|\.gen)\.\w+)$|(?:^|\/)zz_generated[.\w]*$/;

/** Does a file of this path hold names, versions and digests of packages? */
export function isLockPath(path: string): boolean {
  return LOCKS.test(path);
}

/** Is a file of this path one that programs write? */
export function isGeneratedPath(path: string): boolean {
  return [LOCKS, MINIFIED, VENDORED, SNAPSHOTS, MACHINE_MADE].some((kind) => kind.test(path));
}

const MARK =
  /^\s*(?:\/\/|\/\*+|\*|#+|--|;+|%+|<!--|"""|''')\s*(?:.{0,80}\bCode generated\b.{0,80}\bDO NOT EDIT\b|@generated\b|<auto-?generated|.{0,40}\b(?:auto-?generated|automatically generated|generated (?:automatically|by|from))\b)/i;

/** Does a line at the top of a file say that a program wrote it? */
export function isGeneratedMark(line: string): boolean {
  return MARK.test(line);
}
