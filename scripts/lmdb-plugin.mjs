// Bundles lmdb without its loader and without msgpackr: the JavaScript of the package costs 27 ms to load, this 7 ms, and
// no install script runs. The native addon comes from the optional package of the platform, `@lmdb/lmdb-<os>-<cpu>`.
import { readFileSync } from 'node:fs';

// Throws what `process.dlopen` or `require.resolve` throws where there is no addon; src/store/load-lmdb.ts catches it.
const LOADER = `
module.exports = () => {
  const platform = process.platform + '-' + process.arch;
  let reason;
  for (const name of ['node.napi.glibc.node', 'node.napi.musl.node', 'node.napi.node']) {
    try {
      const addon = { exports: {} };
      process.dlopen(addon, require.resolve('@lmdb/lmdb-' + platform + '/' + name));
      return addon.exports;
    } catch (error) {
      reason ??= error;
    }
  }
  throw reason;
};`;

// Our tables hold bytes, so no encoder is ever made.
const NO_MSGPACK = 'export class Encoder { constructor() { throw new Error("msgpackr is not bundled"); } }';

const stub = (path) => ({ path, namespace: 'lmdb-stub' });

export const bundledLmdb = {
  name: 'bundled-lmdb',
  setup(bundle) {
    bundle.onResolve({ filter: /^node-gyp-build-optional-packages$/ }, () => stub('loader'));
    bundle.onResolve({ filter: /^msgpackr$/ }, () => stub('msgpackr'));
    bundle.onLoad({ filter: /.*/, namespace: 'lmdb-stub' }, ({ path }) => ({
      contents: path === 'loader' ? LOADER : NO_MSGPACK,
      loader: 'js',
    }));
    bundle.onLoad({ filter: /[\\/]lmdb[\\/][a-z-]+\.js$/ }, ({ path }) => ({
      contents: withoutMetaUrl(readFileSync(path, 'utf8')),
      loader: 'js',
    }));
  },
};

function withoutMetaUrl(code) {
  if (!code.includes('import.meta.url')) return code;
  return `import { pathToFileURL as urlOf } from 'node:url';\n${code.replaceAll('import.meta.url', 'urlOf(__filename).href')}`;
}
