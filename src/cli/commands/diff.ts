import { Chalk } from 'chalk';
import { type DiffLine, diffOf } from '../../app/diff.ts';
import { stripEscapes } from '../../core/escapes.ts';
import type { Wire } from '../../wire.ts';
import { isTerminal, say, writeOut } from '../io.ts';
import { withView } from './view.ts';

const SIGNS = {
  hunk: '',
  same: ' ',
  out: '-',
  in: '+',
  'no line end': '\\ No newline at end of file',
} as const;

/** Written together. */
const PIECE = 1 << 16;

/** `ctxzip diff HASH|last`: the view against its original. A terminal gets colours, and no control sequences of the input. */
export async function diffCommand(wire: Wire, word: string): Promise<number> {
  const isShown = await isTerminal('stdout');
  const paint = new Chalk({ level: hasColours(wire, isShown) ? 1 : 0 });
  const painters = {
    hunk: paint.cyan,
    same: paint.reset,
    out: paint.red,
    in: paint.green,
    'no line end': paint.dim,
  };
  const print = ({ kind, text }: DiffLine): Buffer => {
    const plain = isShown ? stripEscapes(text) : text;
    if (paint.level === 0 || kind === 'same')
      return Buffer.concat([Buffer.from(SIGNS[kind]), plain, LINE_END]);
    const line = SIGNS[kind] + Buffer.from(plain).toString('latin1');
    return Buffer.from(`${painters[kind](line)}\n`, 'latin1');
  };
  return await withView(wire, word, ({ sha, reader, made }) => {
    if (made.kind === 'passthrough') {
      say(`nothing differs: ${made.reason}`);
      return 0;
    }
    const hash = sha.slice(0, 12);
    let pieces: Uint8Array[] = [Buffer.from(`${paint.bold(`--- ${hash} original\n+++ ${hash} view`)}\n`)];
    let size = 0;
    for (const line of diffOf(reader, Buffer.concat(made.chunks), made.gaps)) {
      pieces.push(print(line));
      size += line.text.length;
      if (size < PIECE) continue;
      writeOut(Buffer.concat(pieces));
      pieces = [];
      size = 0;
    }
    writeOut(Buffer.concat(pieces));
    return 0;
  });
}

const LINE_END = Buffer.from('\n');

/** As https://no-color.org and https://force-color.org say. */
function hasColours({ env }: Wire, isShown: boolean): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '') return env['FORCE_COLOR'] !== '0';
  return isShown && env['TERM'] !== 'dumb';
}
