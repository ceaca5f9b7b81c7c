/** Text and JSON of `ctxzip config check` and `ctxzip config show`. Pure; the caller prints and picks the exit code. */
import type { Config } from './load.ts';
import { formatProblem, printable, type Place, type Problem } from './problems.ts';
import { NAMES, SPECS } from './schema.ts';
import type { Name, Settings } from './settings.ts';

/** One line of `config show`. */
export interface SettingRow {
  readonly key: string;
  /** As it would be written in `forge.yaml`: `7d`, `1GiB`, `["OOMKilled"]`. */
  readonly value: string;
  /** Strongest first: `flag`, `environment CTXZIP_TTL`, `project FILE:LINE`, `user FILE:LINE`, `default`. */
  readonly sources: readonly string[];
}

/** Every setting with its value and where that came from. */
export function settingRows(config: Config): SettingRow[] {
  return NAMES.map((name) => ({
    key: SPECS[name].key,
    value: shown(name, config.settings),
    sources: (config.origins[name] ?? [{ source: 'default' as const }]).map((place) => sourceText(place)),
  }));
}

function shown<N extends Name>(name: N, settings: Settings): string {
  return printable(SPECS[name].kind.show(settings[name]));
}

function sourceText({ source, variable, file, line }: Place): string {
  if (variable !== undefined) return `${source} ${variable}`;
  if (file === undefined) return source;
  return printable(`${source} ${file}${line === undefined ? '' : `:${line}`}`);
}

/** `config show`: three aligned columns and the folders in use, or the same as JSON. Ends with a line break. */
export function formatShow(config: Config, format: 'text' | 'json'): string {
  const rows = settingRows(config);
  const folders = { store: config.storeFolder ?? null, state: config.stateFolder ?? null };
  if (format === 'json')
    return `${JSON.stringify({ settings: rows, folders, problems: config.problems }, null, 2)}\n`;
  const width = (column: 'key' | 'value', most: number): number =>
    Math.min(most, Math.max(...rows.map((row) => row[column].length)));
  const [keyWidth, valueWidth] = [width('key', 40), width('value', 40)];
  const lines = rows.map(
    ({ key, value, sources }) =>
      `${key.padEnd(keyWidth)}  ${value.padEnd(valueWidth)}  ${sources.join(', ')}`,
  );
  lines.push(
    '',
    `store folder  ${printable(folders.store ?? 'none')}`,
    `state folder  ${printable(folders.state ?? 'none')}`,
  );
  return `${lines.join('\n')}\n`;
}

/** `config check`: one line for each problem and a verdict, or the same as JSON. Ends with a line break. */
export function formatCheck(config: Config, format: 'text' | 'json'): string {
  const files = [config.files.project, config.files.user].filter((file) => file !== undefined);
  const { problems } = config;
  if (format === 'json') return `${JSON.stringify({ ok: isSound(problems), files, problems }, null, 2)}\n`;
  const lines = problems.map((problem) => `${problem.severity}: ${formatProblem(problem)}`);
  const looked = files.length > 0 ? files.map(printable).join(', ') : 'no forge.yaml, defaults are in force';
  const bad = problems.filter(({ severity }) => severity !== 'note').length;
  lines.push(`${bad === 0 ? 'ok' : `${bad} ${bad === 1 ? 'problem' : 'problems'}`}: ${looked}`);
  return `${lines.join('\n')}\n`;
}

/** Whether `config check` succeeds (exit code 0): notes are no faults. */
export function isSound(problems: readonly Problem[]): boolean {
  return problems.every((problem) => problem.severity === 'note');
}
