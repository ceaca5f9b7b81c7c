/** The strategies with all their parts in one chunk; the pipe has them in two (src/cli/pipe.ts). */
import { useLate } from '../core/late.ts';
import * as parts from '../core/late-parts.ts';

useLate(() => parts);

export { guardedOutliner, outlineSection } from '../strategies/index.ts';
