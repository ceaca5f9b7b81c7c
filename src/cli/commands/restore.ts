import { lookupMessage } from '../../app/expand-words.ts';
import { piecesOf, restore } from '../../app/restore.ts';
import { isDamaged } from '../../store/port.ts';
import type { Wire } from '../../wire.ts';
import { say, stdinPieces, writeOut } from '../io.ts';
import { openStore } from './store.ts';

/** `ctxzip restore`: an unknown input comes out as it came, with exit 1. */
export async function restoreCommand(wire: Wire): Promise<number> {
  const view = [...stdinPieces()];
  const opened = await openStore(wire);
  const restored =
    opened === undefined
      ? ({ kind: 'unknown', live: false } as const)
      : await restore(view, opened.store, wire.now());
  try {
    if (restored.kind === 'original') {
      for (const piece of piecesOf(restored.reader)) writeOut(piece);
      restored.reader.close();
      return 0;
    }
    for (const piece of view) writeOut(piece);
    if (restored.kind === 'unknown') {
      if (restored.live)
        say('this is no view as it was printed, but it holds a live marker: use ctxzip expand');
      return 1;
    }
    const { exit, notes } = lookupMessage(restored.lookup, restored.sha.slice(0, 12));
    notes.forEach(say);
    return exit;
  } catch (error) {
    if (!isDamaged(error)) throw error;
    say(`the stored original is damaged, the output is not whole: ${error.message}`);
    return 1;
  } finally {
    await opened?.store.close();
  }
}
