import type { Wire } from '../wire.ts';
import { isTerminal, showStatus } from './io.ts';

/** Inputs of more bytes take a second or about. */
export const LONG_BYTES = 64 << 20;

/** Does the work; while it goes on, a line on the terminal of stderr says what it is. */
export async function working<T>(wire: Wire, text: string, work: () => T | Promise<T>): Promise<T> {
  if (wire.env['TERM'] === 'dumb' || !(await isTerminal('stderr'))) return await work();
  showStatus(`ctxzip: ${text} …`);
  try {
    return await work();
  } finally {
    showStatus('');
  }
}
