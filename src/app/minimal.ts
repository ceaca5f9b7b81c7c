/** What minimal views need, as a chunk: nothing else loads it but a pipe that makes one. */
import { minimize as minimizeSource, type Minimal } from '../core/minimal/minimize.ts';
import type { Policy, Source } from '../core/model.ts';
import { provideFiles } from './files.ts';

/** Makes the minimal view of an input. */
export function minimize(source: Source, policy: Policy): Minimal {
  provideFiles();
  return minimizeSource(source, policy);
}
