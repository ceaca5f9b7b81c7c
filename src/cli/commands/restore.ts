import { lookupMessage } from '../../app/expand-words.ts';
import { decodeMinimal, piecesOf, restore, type Restored } from '../../app/restore.ts';
import { isDamaged, isUnavailable } from '../../store/port.ts';
import type { Wire } from '../../wire.ts';
import { say, stdinPieces, writeOut } from '../io.ts';
import { openStore, type OpenedStore } from './store.ts';

/** `ctxzip restore`: an unknown input comes out as it came, with exit 1; so does all of it where the store can't be used. */
export async function restoreCommand(wire: Wire): Promise<number> {
  const view = [...stdinPieces()];
  const decoded = decodeMinimal(view);
  if (decoded !== undefined && 'bytes' in decoded) {
    writeOut(decoded.bytes);
    return 0;
  }
  const opened = await openStore(wire);
  try {
    const restored = await find(view, opened, wire.now());
    if (restored.kind === 'original') {
      for (const piece of piecesOf(restored.reader)) writeOut(piece);
      restored.reader.close();
      return 0;
    }
    for (const piece of view) writeOut(piece);
    if (restored.kind === 'unknown') {
      if (decoded !== undefined) say(damageText(decoded.damage));
      else if (restored.live)
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

async function find(
  view: readonly Uint8Array[],
  opened: OpenedStore | undefined,
  nowMs: number,
): Promise<Restored> {
  if (opened === undefined) return { kind: 'unknown', live: false };
  try {
    return await restore(view, opened.store, nowMs);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    say(error.message);
    return { kind: 'unknown', live: false };
  }
}

/** Of a minimal view that does not decode. */
export function damageText(damage: string): string {
  return `this minimal view is damaged: ${damage}`;
}
