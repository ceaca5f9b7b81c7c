/** The commands that look back at views and expansions: a lazy chunk, as they bring the engine. */
import { provideFiles } from '../app/files.ts';

// Each chunk has a kernel of its own.
provideFiles();

export { diffCommand } from './commands/diff.ts';
export { explainCommand } from './commands/explain.ts';
export { statsCommand } from './commands/stats.ts';
export { suggestionsCommand } from './commands/suggestions.ts';
