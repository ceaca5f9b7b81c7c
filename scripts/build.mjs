// Bundles src/ into bin/ctxzip.js, one small hot path, and lazy chunks in dist/.
//
// A module in `chunks` becomes dist/<name>.cjs; a dynamic `import()` of it elsewhere becomes a `require` of that file,
// so that nothing is read from disk before it is used. --plain leaves names and lines as they are, for profiles.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledExeca } from './execa-plugin.mjs';
import { bundledLmdb } from './lmdb-plugin.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const PIPE = 'src/cli/pipe.ts';
const LATE = 'src/core/late-parts.ts';
const VIEW = 'src/tui/top.tsx';

const chunks = {
  rest: 'src/cli/hot.ts',
  pipe: PIPE,
  minimal: 'src/app/minimal.ts',
  expand: 'src/cli/commands/expand.ts',
  run: 'src/cli/commands/run.ts',
  main: 'src/cli/main.ts',
  studies: 'src/cli/studies.ts',
  report: 'src/cli/report.ts',
  init: 'src/cli/commands/init.ts',
  daemon: 'src/cli/commands/daemon.ts',
  'daemon-run': 'src/daemon/run.ts',
  'daemon-reader': 'src/daemon/reader.ts',
  'daemon-hands': 'src/daemon/hands-thread.ts',
  'daemon-worker': 'src/daemon/worker.ts',
  top: 'src/cli/commands/top.ts',
  'config-settle': 'src/config/settle.ts',
  'config-parse': 'src/config/parse.ts',
  lmdb: 'src/store/lmdb.ts',
  index: 'src/library.ts',
};

const lazyChunks = {
  name: 'lazy-chunks',
  setup(bundle) {
    const nameOf = new Map(
      [...Object.entries(chunks), ['tui', VIEW]].map(([name, path]) => [join(root, path), name]),
    );
    bundle.onResolve({ filter: /^\.\.?\// }, (args) => {
      if (args.kind !== 'dynamic-import') return undefined;
      const name = nameOf.get(resolve(args.resolveDir, args.path));
      if (!name)
        return { errors: [{ text: `${args.path} is imported lazily but is no chunk of scripts/build.mjs` }] };
      return { path: `./${name}.cjs`, external: true };
    });
  },
};

rmSync(join(root, 'dist'), { recursive: true, force: true });
// Loaded by src/cli/code-cache.ts as one function; joining strings there would cost the heap their size again.
const cached = ['rest', 'pipe', 'late', 'expand', 'run', 'minimal'];
const options = {
  metafile: true,
  absWorkingDir: root,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  supported: { 'dynamic-import': false },
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [lazyChunks, bundledLmdb, bundledExeca],
  minify: !process.argv.includes('--plain'),
  legalComments: 'none',
  logLevel: 'warning',
};
const { pipe: _, ...whole } = chunks;
const { metafile } = await build({ ...options, entryPoints: whole });
await buildCommand();
await buildPipe();
const view = await buildView();
for (const name of cached) {
  const file = join(root, `dist/${name}.cjs`);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `(function (exports, require, module, __filename, __dirname) {${text}\n})\n`);
}
for (const file of ['vocabulary.bin', 'kernel.wasm'])
  copyFileSync(join(root, 'src/app', file), join(root, 'dist', file));
writeLibrary();
writeFileSync(
  join(root, 'dist/THIRD_PARTY_LICENSES.txt'),
  licences([metafile, view.metafile].flatMap(({ inputs }) => Object.keys(inputs))),
);

/** The command itself is what every start reads and compiles: a file more would cost it half a millisecond. */
async function buildCommand() {
  const { outdir: _outdir, ...rest } = options;
  const file = join(root, 'bin/ctxzip.js');
  await build({
    ...rest,
    entryPoints: ['src/cli/start.ts'],
    outfile: file,
    banner: { js: '#!/usr/bin/env node' },
  });
  chmodSync(file, 0o755);
  // Node looks for what kind of module it is: the package's own is long.
  writeFileSync(join(root, 'bin/package.json'), '{"type":"commonjs"}\n');
}

/**
 * Builds the pipe and, as a chunk of its own, what only some shapes need. Modules that both have are the pipe's, which gives
 * the names that the other takes of them by `parts()`.
 */
async function buildPipe() {
  const drafted = { ...options, write: false, minify: false };
  const draft = await build({ ...drafted, entryPoints: { pipe: PIPE } });
  const [output] = Object.values(draft.metafile.outputs);
  const own = new Set(Object.keys(output.inputs).filter((path) => output.inputs[path].bytesInOutput > 0));
  const shared = {
    name: 'shared',
    setup(bundle) {
      bundle.onResolve({ filter: /^\.\.?\// }, ({ kind, resolveDir, path }) => {
        const module = relative(root, resolve(resolveDir, path)).replaceAll('\\', '/');
        return kind === 'import-statement' && own.has(module) ? { path: module, external: true } : undefined;
      });
    },
  };
  const late = { ...options, entryPoints: { late: LATE }, plugins: [shared] };
  const { outputFiles } = await build({ ...late, ...drafted, plugins: [shared] });
  const imports = `export * from './${PIPE}';\n`;
  const parts = [...namesTaken(outputFiles[0].text)].map(([module, names], i) => {
    const list = [...names].map((name) => `${name}: m${i}.${name}`).join(', ');
    return { line: `import * as m${i} from './${module}';\n`, member: `'${module}': { ${list} }` };
  });
  const contents = `${imports}${parts.map(({ line }) => line).join('')}
export const parts = () => ({ ${parts.map(({ member }) => member).join(',\n')} });\n`;
  await build(late);
  const { outdir: _outdir, ...rest } = options;
  await build({
    ...rest,
    stdin: { contents, resolveDir: root, sourcefile: 'pipe.js' },
    outfile: 'dist/pipe.cjs',
  });
}

/** By module the names that a bundle takes of it, as esbuild writes that: `var import_x = require("…")`, `import_x.name`. */
function namesTaken(text) {
  const modules = new Map(
    [...text.matchAll(/^var (import_\w+) = require\("(src\/[^"]+)"\);$/gm)].map((hit) => [hit[1], hit[2]]),
  );
  const taken = new Map();
  for (const [, object, name] of text.matchAll(/\b(import_\w+)\.(\w+)/g)) {
    const module = modules.get(object);
    if (module !== undefined) taken.set(module, (taken.get(module) ?? new Set()).add(name));
  }
  return taken;
}

/** Ink is an ES module that awaits at its top, and no `require` can load it: beside its chunk is one that imports it. */
async function buildView() {
  const names = ['top', 'once'];
  const lines = names.map(
    (name) => `exports.${name}=async(...all)=>(await import('./tui.mjs')).${name}(...all);\n`,
  );
  writeFileSync(join(root, 'dist/tui.cjs'), lines.join(''));
  return await build({
    ...options,
    entryPoints: { tui: VIEW },
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    supported: {},
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    alias: { 'react-devtools-core': join(root, 'scripts/no-devtools.mjs') },
    plugins: [],
    // Some of what it holds is CommonJS.
    banner: {
      js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
    },
  });
}

/** The library for `import`, over the one that `require` gets, so that there is one state; and the types of both. */
function writeLibrary() {
  const names = ['compress', 'compressBatch', 'expand', 'openStore', 'restore', 'verify'];
  const lines = names.map((name) => `export const ${name} = library.${name};\n`);
  writeFileSync(join(root, 'dist/index.mjs'), `import library from './index.cjs';\n${lines.join('')}`);
  const out = join(root, 'dist/types');
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.library.json', '--outDir', out],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  for (const name of ['index.d.cts', 'index.d.mts'])
    copyFileSync(join(out, 'library.d.ts'), join(root, 'dist', name));
  rmSync(out, { recursive: true });
}

/** The licences of the packages that were bundled. */
function licences(inputs) {
  const folders = new Set(
    inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const {
        name,
        version: its,
        license,
      } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const file = readdirSync(join(root, folder)).find((each) => /^licen[cs]e/i.test(each));
      const text = file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8');
      return `${name} ${its} (${license})\n\n${text.trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
