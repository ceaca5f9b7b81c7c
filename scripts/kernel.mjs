// Writes src/app/kernel.wasm from src/kernel: what the core's byte loops are compiled to. --check fails where the file is not
// what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'src/app/kernel.wasm');
const written = new Map();
const { error, stderr } = await main(
  [
    'src/kernel/main.ts',
    '-O3',
    '--runtime',
    'stub',
    '--noAssert',
    '--enable',
    'simd',
    '--initialMemory',
    '16',
    '--use',
    'abort=',
  ].concat(['--outFile', 'kernel.wasm', '--baseDir', root]),
  { writeFile: (name, contents) => void written.set(name, contents) },
);
if (error) {
  console.error(stderr.toString());
  throw error;
}
const wasm = written.get('kernel.wasm');
if (!process.argv.includes('--check')) writeFileSync(target, wasm);
else if (!readFileSync(target).equals(Buffer.from(wasm))) {
  console.error('src/app/kernel.wasm is stale: npm run kernel');
  process.exitCode = 1;
}
