import { formatSize, lookupMessage } from '../../app/expand-words.ts';
import { restore } from '../../app/restore.ts';
import { verify, type Verified } from '../../app/verify.ts';
import { isDamaged } from '../../store/port.ts';
import type { Wire } from '../../wire.ts';
import { say, stdinPieces, writeOut } from '../io.ts';
import { NO_STORE, openStore } from './store.ts';

/** `ctxzip verify`: exit 0 where every byte is accounted for, 1 where not or where the view is not known. */
export async function verifyCommand(wire: Wire, options: { readonly json?: boolean }): Promise<number> {
  const view = [...stdinPieces()];
  const opened = await openStore(wire);
  if (opened === undefined) {
    say(NO_STORE);
    return 1;
  }
  try {
    const restored = await restore(view, opened.store, wire.now());
    if (restored.kind === 'unknown') {
      say(
        restored.live
          ? 'this is no view as it was printed: it was changed, or it is a part of one'
          : 'this is no view that this store knows, so nothing was cut out of it here',
      );
      return 1;
    }
    if (restored.kind === 'gone') {
      const { exit, notes } = lookupMessage(restored.lookup, restored.sha.slice(0, 12));
      notes.forEach(say);
      return exit;
    }
    const proof = verify(Buffer.concat(view), restored.reader);
    restored.reader.close();
    writeOut(
      options.json === true
        ? `${JSON.stringify({ hash: restored.sha, ...proof })}\n`
        : textOf(restored.sha, proof),
    );
    return proof.kind === 'proven' ? 0 : 1;
  } catch (error) {
    if (!isDamaged(error)) throw error;
    say(`the stored original is damaged: ${error.message}`);
    return 1;
  } finally {
    await opened.store.close();
  }
}

function textOf(sha: string, proof: Verified): string {
  if (proof.kind === 'broken') return `${sha.slice(0, 12)}: NOT PROVEN: ${proof.reason}\n`;
  const { gaps, size, hiddenBytes, strippedBytes, failures } = proof;
  const rows = gaps.map((gap) => {
    const hidden = gap.failures > 0 ? `  failures:${gap.failures}` : '';
    return `  ${gap.address.padEnd(18)} ${`${gap.count} ${gap.unit}`.padEnd(14)} ${formatSize(gap.bytes[1] - gap.bytes[0])}${hidden}`;
  });
  const escapes = strippedBytes > 0 ? ` + ${strippedBytes} in control sequences` : '';
  return [
    `${sha.slice(0, 12)}: proven, SHA-256 ${sha}`,
    ...rows,
    `${size} bytes = ${size - hiddenBytes - strippedBytes} in view + ${hiddenBytes} in ${gaps.length} gaps${escapes}`,
    `failures: ${failures.visible} of ${failures.all} lines in view`,
    '',
  ].join('\n');
}
