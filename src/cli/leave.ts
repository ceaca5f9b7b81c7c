import { compressedEvent, emit } from '../app/events.ts';
import { programOf, recordRun, type Run } from '../app/ledger.ts';
import type { PipeRequest } from './pipe.ts';

/**
 * Records a run for statistics, and tells who collects events; `sinceMs` is when all of the input was there. Everything is
 * printed by now, and a failure is ignored.
 */
export function leave(
  request: Omit<PipeRequest, 'flags'>,
  facts: Omit<Run, 'at' | 'ms'>,
  sinceMs: number,
  seam: 'pipe' | 'daemon' = 'pipe',
): void {
  const { wire, recordFolder, eventsPath } = request;
  const { createdMs: at, tool, command } = request.facts;
  const name = tool ?? (command === undefined ? undefined : programOf(command));
  const run = {
    at,
    ms: Math.max(0, wire.now() - sinceMs),
    ...facts,
    ...(name !== undefined && { tool: name }),
  };
  recordRun(recordFolder, run);
  if (eventsPath === null || run.reason !== undefined) return;
  const event = compressedEvent(command === undefined ? seam : 'run', {
    ...run,
    ...(command !== undefined && { tool: command }),
  });
  emit({ file: eventsPath, state: recordFolder, nowMs: at }, event);
}
