import { formatSize } from '../../app/expand-words.ts';
import { runGcWorker } from '../../store/gc-watch.ts';
import type { GcReport } from '../../store/gc.ts';
import { sweepRecords } from '../../store/records.ts';
import type { Wire } from '../../wire.ts';
import { say, stdinPieces, writeOut } from '../io.ts';
import { working } from '../working.ts';
import { NO_STORE, openStore } from './store.ts';

/** `ctxzip gc`: one run of maintenance, in a child that can be given up. */
export async function gcCommand(
  wire: Wire,
  options: { readonly quiet?: boolean; readonly json?: boolean; readonly worker?: boolean },
): Promise<number> {
  if (options.worker === true) {
    await runGcWorker(Buffer.concat([...stdinPieces()]).toString(), writeOut);
    return 0;
  }
  const opened = await openStore(wire);
  if (opened === undefined) {
    if (options.quiet !== true) say(NO_STORE);
    return options.quiet === true ? 0 : 1;
  }
  const { folder, config, maintain } = opened;
  const run = (): Promise<GcReport> =>
    maintain({ root: folder, nowMs: wire.now(), maxBytes: config.settings.maxStoreBytes });
  const report = await (options.quiet === true ? run() : working(wire, 'keeping house', run));
  if (config.stateFolder !== undefined) sweepRecords(config.stateFolder, wire.now());
  const { maxStoreBytes } = config.settings;
  if (options.json === true) writeOut(`${JSON.stringify({ store: folder, maxStoreBytes, ...report })}\n`);
  else if (options.quiet !== true) tell(report);
  return report.kind === 'done' && report.trouble !== undefined ? 1 : 0;
}

function tell(report: GcReport): void {
  if (report.kind === 'none') {
    say('there is nothing to do: no store yet');
    return;
  }
  if (report.kind === 'busy') {
    say(`process ${report.pid} does it just now`);
    return;
  }
  const { imported, expired, evicted, freedBytes, damaged, storedBytes } = report;
  say(
    `${imported} imported, ${expired} expired, ${evicted} evicted, ${formatSize(freedBytes)} freed; the store takes ${formatSize(storedBytes)}`,
  );
  if (damaged > 0) say(`${damaged} damaged in the spool: they stay until they expire`);
  if (report.movedTo !== undefined) say(`the damaged LMDB environment was moved to ${report.movedTo}`);
  if (report.trouble !== undefined) say(report.trouble.message);
}
