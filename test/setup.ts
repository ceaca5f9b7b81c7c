import { provideFiles } from '../src/app/files.ts';

provideFiles();
