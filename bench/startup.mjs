// Whole-process latency as ratios to `node -e 0`, interleaved, medians. NODE_EXTRA_CA_CERTS is unset: it triples Node 20's start-up.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { logLines, podTable } from './inputs.mjs';

const bin = join(dirname(fileURLToPath(import.meta.url)), '..', 'bin', 'ctxzip.js');
const { NODE_EXTRA_CA_CERTS: _, ...cleanEnv } = process.env;

/** Runs each case `rounds` times in turn, on what `input` is in a round; returns the medians in milliseconds by name. */
export function interleaved(cases, rounds) {
  const times = new Map(cases.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, args, inputOf, options } of cases) {
      const input = inputOf?.(round) ?? '';
      const start = process.hrtime.bigint();
      const { status } = spawnSync(process.execPath, args, { input, ...options });
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      if (round >= 0) times.get(name).push(ms);
    }
  }
  return new Map(
    [...times].map(([name, list]) => [name, list.sort((a, b) => a - b)[Math.floor(list.length / 2)]]),
  );
}

/** The text with another first id, so that each round stores an original of its own. */
function own(text, round) {
  return text.replace(/[0-9a-f]{6}/, String(100_000 + round));
}

/** The table of start-up ratios. */
export function startup(rounds = 41) {
  const home = mkdtempSync(join(tmpdir(), 'ctxzip-bench-'));
  try {
    const cwd = join(home, 'project');
    mkdirSync(join(cwd, '.git'), { recursive: true });
    writeFileSync(join(cwd, 'forge.yaml'), 'compression:\n  keep_patterns: [OOMKilled]\n');
    const empty = join(home, 'empty.cjs');
    writeFileSync(empty, '');
    const options = { cwd, env: { ...cleanEnv, HOME: home, CTXZIP_HOME: join(home, 'store') } };
    const log = logLines(10_000);
    const table = podTable(10_000);
    const hash = /ctxzip:([0-9a-f]{12})/.exec(
      spawnSync(process.execPath, [bin], { input: log, ...options }).stdout.toString(),
    )[1];
    const cases = [
      { name: 'node -e 0', args: ['-e', '0'] },
      { name: 'node, an empty file', args: [empty] },
      { name: 'nothing to do (1 KB)', args: [bin], inputOf: () => log.slice(0, 1000) },
      { name: '10 KB log, compressed and stored', args: [bin], inputOf: (round) => own(log, round) },
      { name: '10 KB table, compressed and stored', args: [bin], inputOf: (round) => own(table, round) },
      { name: 'expand from the spool', args: [bin, 'expand', hash, 'L3-20'] },
      { name: 'run -- true', args: [bin, 'run', '--', 'true'] },
    ].map((each) => ({ options, ...each }));
    const medians = interleaved(cases, rounds);
    const base = medians.get('node -e 0');
    return [...medians].map(([name, ms]) => ({ name, ms, ratio: ms / base }));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
