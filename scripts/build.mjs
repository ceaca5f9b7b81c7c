// Bundles src/ into dist/: one small hot path and lazy chunks beside it.
//
// A module in `chunks` becomes dist/<name>.cjs; a dynamic `import()` of it elsewhere becomes a `require` of that file,
// so that nothing is read from disk before it is used.
import { build } from 'esbuild';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledLmdb } from './lmdb-plugin.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const chunks = {
  hot: 'src/cli/hot.ts',
  pipe: 'src/cli/pipe.ts',
  expand: 'src/cli/commands/expand.ts',
  main: 'src/cli/main.ts',
  report: 'src/cli/report.ts',
  'config-settle': 'src/config/settle.ts',
  'config-parse': 'src/config/parse.ts',
  lmdb: 'src/store/lmdb.ts',
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
await build({
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
  plugins: [lazyChunks, bundledLmdb],
  logLevel: 'warning',
});
copyFileSync(join(root, 'src/app/vocabulary.bin'), join(root, 'dist/vocabulary.bin'));
