// Any folder with an index.jsonl: real outputs, with the texts that must survive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from './measure.mjs';

/** Facts of each file; needles without a failure word (`hard_needles`) are of kind `hard`. */
export function external(folder, peers) {
  return readFileSync(join(folder, 'index.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { file, shape, needles = [], hard_needles: hard = [] } = JSON.parse(line);
      const bytes = readFileSync(join(folder, file));
      const planted = [
        ...needles.map((part) => ({ kind: 'needle', parts: [part] })),
        ...hard.map((part) => ({ kind: 'hard', parts: [part] })),
      ];
      const facts = measure({ bytes, needles: planted }, peers);
      return { file, shape, needles: planted.map(({ kind }) => ({ kind })), ...facts };
    });
}
