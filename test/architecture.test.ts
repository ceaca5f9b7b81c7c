/** Imports point one way, and each outside thing has one place. Exceptions are listed with their reason. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/fixtures.ts';

/** What each room may import beside itself; `wire` and `library`, the two roots, may import anything. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  strategies: ['core'],
  learn: ['core'],
  config: ['core'],
  store: ['core'],
  app: ['core', 'strategies', 'learn', 'config', 'store'],
  init: ['config'],
  tui: ['core', 'daemon'],
  cli: ['core', 'config', 'store', 'app', 'init', 'tui', 'wire'],
  daemon: ['core', 'strategies', 'learn', 'config', 'store', 'app', 'cli', 'wire'],
};

/** Violations that stand for a reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'cli/pipe.ts -> strategies':
    'the pipe hands the registry to the engine, so that small inputs never load it',
  'cli/commands/top.ts -> daemon': 'where the socket is',
  'cli/commands/daemon.ts -> daemon':
    'the command of the daemon, which itself does what the pipe and expand do; chunks of their own',
};

/** Where a package may be imported; any other one may be nowhere. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  lmdb: /^store\/lmdb\.ts$/,
  '@inquirer/prompts': /^init\/prompts\.ts$/,
  commander: /^cli\/(?:main|daemon-words|commands\/completion)\.ts$/,
  execa: /^cli\/run\/child\.ts$/,
  chalk: /^(?:cli\/commands\/diff\.ts|tui\/top\.tsx)$/,
  ink: /^tui\//,
  react: /^tui\//,
  yaml: /^config\//,
  'prom-client': /^daemon\/metrics\.ts$/,
};

/** What the pure rooms may use of Node.js: no files, no processes, no network. */
const PURE = /^(?:core|strategies|learn)\//;
const PURE_MODULES = ['node:buffer', 'node:vm'];

/** Where a thing may be used. */
const PLACES: ReadonlyArray<readonly [what: string, pattern: RegExp, where: RegExp]> = [
  [
    'environment, arguments',
    /\bprocess\.(?:env|argv)\b|\{[^}]*\b(?:env|argv)\b[^}]*\} = process\b/,
    /^wire\.ts$/,
  ],
  ['console, standard streams', /\bconsole\s*\.|\bprocess\.std(?:in|out|err)\b/, /^cli\/io\.ts$/],
  ['clock', /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b/, /^wire\.ts$/],
  ['dates, chance', /\bnew Date\(|\bMath\.random\b/, /^(?!core\/|strategies\/|learn\/)/],
];

const IMPORT =
  /(?:^(?:import|export)\s[^'"`;]*?\bfrom\s*|^import\s*|\b(?:import|require)\(\s*)(['"])([^'"\n]+)\1/gm;

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => {
    const code = withoutComments(readFileSync(join(ROOT, 'src', name), 'utf8'));
    const imports = [...code.matchAll(IMPORT)].map((match) => match[2]!);
    const own = imports.filter((target) => target.startsWith('.'));
    return { name, code, own, outside: imports.filter((target) => !target.startsWith('.')) };
  });

it('imports one way', () => {
  const crossings = files.flatMap(({ name, own }) => {
    const room = roomOf(name);
    return own
      .map((target) => roomOf(posix.join(posix.dirname(name), target)))
      .filter(
        (to) => room !== 'wire' && room !== 'library' && to !== room && !(ROOMS[room] ?? []).includes(to),
      )
      .map((to) => `${name} -> ${to}`);
  });
  expect([...new Set(crossings)].sort()).toEqual(Object.keys(ALLOWED).sort());
});

it('imports packages in their places', () => {
  const faults = files.flatMap(({ name, outside }) =>
    outside
      .filter((target) =>
        target.startsWith('node:')
          ? PURE.test(name) && !PURE_MODULES.includes(target)
          : PACKAGES[target]?.test(name) !== true,
      )
      .map((target) => `${name}: ${target}`),
  );
  expect(faults).toEqual([]);
});

it.each(PLACES)('has its place for %s', (_, pattern, where) => {
  const faults = files.filter(({ name, code }) => pattern.test(code) && !where.test(name));
  expect(faults.map(({ name }) => name)).toEqual([]);
});

/** The folder of a file, or the name of a file of its own. */
function roomOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace(/\.ts$/, '');
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
