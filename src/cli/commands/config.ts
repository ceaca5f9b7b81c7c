import { checkConfig } from '../../config/check.ts';
import { loadConfig } from '../../config/load.ts';
import { formatCheck, formatShow, isSound } from '../../config/report.ts';
import type { Wire } from '../../wire.ts';
import { writeOut } from '../io.ts';

interface Options {
  readonly json?: boolean;
}

/** `ctxzip config check`: exit 1 where a file, a variable or a pattern is at fault. */
export async function configCheck(wire: Wire, options: Options): Promise<number> {
  const config = await checkConfig(wire.world);
  writeOut(formatCheck(config, options.json === true ? 'json' : 'text'));
  return isSound(config.problems) ? 0 : 1;
}

/** `ctxzip config show`: every key with its value and where that came from. */
export async function configShow(wire: Wire, options: Options): Promise<number> {
  const config = await loadConfig(wire.world, {}, { fresh: true });
  writeOut(formatShow(config, options.json === true ? 'json' : 'text'));
  return 0;
}
