// Bundles src/ into dist/: one small hot path and lazy chunks beside it.
//
// A module in `chunks` becomes dist/<name>.cjs; a dynamic `import()` of it elsewhere becomes a `require` of that file,
// so that nothing is read from disk before it is used. --plain leaves names and lines as they are, for profiles.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledExeca } from './execa-plugin.mjs';
import { bundledLmdb } from './lmdb-plugin.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const chunks = {
  hot: 'src/cli/start.ts',
  rest: 'src/cli/hot.ts',
  pipe: 'src/cli/pipe.ts',
  minimal: 'src/app/minimal.ts',
  expand: 'src/cli/commands/expand.ts',
  run: 'src/cli/commands/run.ts',
  main: 'src/cli/main.ts',
  studies: 'src/cli/studies.ts',
  report: 'src/cli/report.ts',
  init: 'src/cli/commands/init.ts',
  'config-settle': 'src/config/settle.ts',
  'config-parse': 'src/config/parse.ts',
  lmdb: 'src/store/lmdb.ts',
  index: 'src/library.ts',
};

const lazyChunks = {
  name: 'lazy-chunks',
  setup(bundle) {
    const nameOf = new Map(Object.entries(chunks).map(([name, path]) => [join(root, path), name]));
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
const cached = ['rest', 'pipe', 'expand', 'run', 'minimal'];
const { metafile } = await build({
  metafile: true,
  absWorkingDir: root,
  entryPoints: Object.fromEntries(Object.entries(chunks).map(([name, path]) => [name, path])),
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
});
for (const name of cached) {
  const file = join(root, `dist/${name}.cjs`);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `(function (exports, require, module, __filename, __dirname) {${text}\n})\n`);
}
for (const file of ['vocabulary.bin', 'kernel.wasm'])
  copyFileSync(join(root, 'src/app', file), join(root, 'dist', file));
writeLibrary();
writeFileSync(join(root, 'dist/THIRD_PARTY_LICENSES.txt'), licences(Object.keys(metafile.inputs)));

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
