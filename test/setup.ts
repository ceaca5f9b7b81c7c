import { provideFiles } from '../src/app/files.ts';
import { useLate } from '../src/core/late.ts';
import * as parts from '../src/core/late-parts.ts';

provideFiles();
useLate(() => parts);
