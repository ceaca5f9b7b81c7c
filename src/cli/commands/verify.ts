import { formatSize, lookupMessage } from '../../app/expand-words.ts';
import { decodeMinimal, restore } from '../../app/restore.ts';
import { verify, verifyDecoded, type Verified } from '../../app/verify.ts';
import type { Decoded } from '../../core/minimal/index.ts';
import { sha256 } from '../../store/hash.ts';
import { isDamaged, type Reader } from '../../store/port.ts';
import type { Wire } from '../../wire.ts';
import { say, stdinPieces, writeOut } from '../io.ts';
import { LONG_BYTES, working } from '../working.ts';
import { damageText } from './restore.ts';
import { NO_STORE, openStore } from './store.ts';

async function proofOf(wire: Wire, view: Uint8Array, reader: Reader): Promise<Verified> {
  const prove = (): Verified => verify(view, reader);
  if (reader.size < LONG_BYTES) return prove();
  return await working(wire, `reading ${formatSize(reader.size)}`, prove);
}

/** `ctxzip verify`: exit 0 where every byte is accounted for, 1 where not or where the view is not known. */
export async function verifyCommand(wire: Wire, options: { readonly json?: boolean }): Promise<number> {
  const view = [...stdinPieces()];
  const decoded = decodeMinimal(view);
  if (decoded !== undefined && 'bytes' in decoded) return proveDecoded(decoded, options);
  const opened = await openStore(wire);
  if (opened === undefined) {
    say(decoded === undefined ? NO_STORE : damageText(decoded.damage));
    return 1;
  }
  try {
    const restored = await restore(view, opened.store, wire.now());
    if (restored.kind === 'unknown') {
      say(decoded === undefined ? unknownText(restored.live) : damageText(decoded.damage));
      return 1;
    }
    if (restored.kind === 'gone') {
      const { exit, notes } = lookupMessage(restored.lookup, restored.sha.slice(0, 12));
      notes.forEach(say);
      return exit;
    }
    const proof = await proofOf(wire, Buffer.concat(view), restored.reader);
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

function unknownText(isLive: boolean): string {
  return isLive
    ? 'this is no view as it was printed: it was changed, or it is a part of one'
    : 'this is no view that this store knows, so nothing was cut out of it here';
}

/** A minimal view is proven by its decoder: what it decodes to fits its check sum. */
function proveDecoded({ kind, bytes, isExact }: Decoded, options: { readonly json?: boolean }): number {
  const proof = verifyDecoded(bytes);
  const hash = sha256(bytes.length).update(bytes).digest('hex');
  const { failures, size } = proof;
  const equal = isExact ? '' : '; the input was an equal document with other whitespace';
  writeOut(
    options.json === true
      ? `${JSON.stringify({ hash, level: 'minimal', ...proof })}\n`
      : [
          `${hash.slice(0, 12)}: proven by the decoder of level minimal (${kind}), SHA-256 ${hash}`,
          `${size} bytes, all in view${equal}`,
          `failures: ${failures.visible} of ${failures.all} lines in view`,
          '',
        ].join('\n'),
  );
  return 0;
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
