// What goes wrong around a daemon, with real processes. Each scene has a home of its own and says what came of it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Box, isAlive, pause, until } from './box.mjs';
import { numbers } from './bodies.mjs';
import { expandAll, expandByCommand, Ledger } from './ledger.mjs';
import { garbage, slowReaders, vanishing } from './clients.mjs';

/** New inputs of 4 KB and 10 KB from so many clients until `isOver`; how many were answered. */
async function storm(box, ledger, { clients, isOver, onAnswer = () => undefined }) {
  let answered = 0;
  const client = async (seed) => {
    const next = numbers(seed);
    while (!isOver()) {
      const input = ledger.pick(next(2) === 0 ? 'small' : '10 KB', next, 1);
      const answer = await box.ask('/v1/compress', { body: input.body }).catch(() => undefined);
      if (answer === undefined) await pause(20);
      else if (answer.status !== 200) ledger.fault(`an input was answered with ${answer.status}`);
      else {
        answered += 1;
        ledger.answered(input, answer, false);
        onAnswer(answer);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(100 + i)));
  return answered;
}

async function killed({ isQuick, box, ledger }) {
  const rounds = isQuick ? 1 : 5;
  let answered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const pid = await box.start();
    let isOver = false;
    let soFar = 0;
    const storming = storm(box, ledger, { clients: 16, isOver: () => isOver, onAnswer: () => (soFar += 1) });
    const wanted = isQuick ? 20 : 200 + 37 * round;
    if (!(await until(() => soFar >= wanted, 60_000))) ledger.fault(`only ${soFar} answers`);
    process.kill(pid, 'SIGKILL');
    await pause(100);
    isOver = true;
    answered += await storming;
    await expandByCommand(box, ledger, isQuick ? 5 : 40);
  }
  await box.start();
  const whole = await expandAll(box, ledger);
  return `${rounds} × kill -9 under load: ${answered} answers, ${whole} of ${ledger.printed.size} printed hashes whole`;
}

async function stopped({ box, ledger, isQuick }) {
  const pid = await box.start();
  let isOver = false;
  let soFar = 0;
  const storming = storm(box, ledger, { clients: 4, isOver: () => isOver, onAnswer: () => (soFar += 1) });
  if (!(await until(() => soFar >= 8))) ledger.fault('it answers nothing');
  process.kill(pid, 'SIGSTOP');
  const times = [];
  const timed = async (words, input) => {
    const from = performance.now();
    const ran = await box.run(words, { input });
    times.push(performance.now() - from);
    if (ran.code !== 0) ledger.fault(`ctxzip ${words.join(' ')} ended with ${ran.code}: ${ran.err}`);
    return ran;
  };
  try {
    const next = numbers(7);
    for (let i = 0; i < (isQuick ? 3 : 20); i += 1) {
      const input = ledger.pick('10 KB', next, 1);
      const { out } = await timed([], input.body);
      ledger.note(out.toString('latin1'), input);
    }
    await timed(['gc']);
    await expandByCommand(box, ledger, isQuick ? 5 : 60);
    await timed([], ledger.pick('10 KB', next, 1).body);
  } finally {
    process.kill(pid, 'SIGCONT');
    isOver = true;
  }
  const answered = await storming;
  if ((await box.ask('/healthz')).status !== 200) ledger.fault('it does not answer after SIGCONT');
  const longest = Math.max(...times);
  return `pipes, expand and gc went on (${longest.toFixed(0)} ms at most); ${answered} requests ended after SIGCONT`;
}

/** A small disk that fills under load. Needs the right to mount; `undefined` where there is none. */
function mountDisk(size) {
  const path = mkdtempSync(join(tmpdir(), 'ctxzip-soak-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' });
    return path;
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
}

async function fullDisk({ isQuick, box, ledger }) {
  await box.start();
  const ballast = join(box.root, 'ballast');
  const fill = () => execFileSync('sh', ['-c', `cat /dev/zero > '${ballast}' || true`], { stdio: 'ignore' });
  let [views, untouched] = [0, 0];
  const onAnswer = ({ headers }) => {
    if (Number(headers['x-ctxzip-gaps'] ?? 0) > 0) views += 1;
    else untouched += 1;
  };
  let isOver = false;
  const storming = storm(box, ledger, { clients: 8, isOver: () => isOver, onAnswer });
  const seen = async (count, what) => {
    const wanted = count() + (isQuick ? 5 : 50);
    if (!(await until(() => count() >= wanted))) ledger.fault(what);
  };
  for (let round = 0; round < (isQuick ? 1 : 4); round += 1) {
    await seen(() => views, 'no views come while there is room');
    fill();
    await seen(() => untouched, 'the disk was never full');
    rmSync(ballast);
  }
  await seen(() => views, 'no views come when there is room again');
  isOver = true;
  await storming;
  const whole = await expandAll(box, ledger);
  return `${views} answers with gaps, ${untouched} with all of the input; ${whole} of ${ledger.printed.size} printed hashes whole`;
}

async function races({ isQuick, box, ledger }) {
  const rounds = isQuick ? 1 : 5;
  for (let round = 1; round <= rounds; round += 1) {
    const starts = await Promise.all(Array.from({ length: 8 }, () => box.run(['daemon', 'start'])));
    const failed = starts.filter(({ code }) => code !== 0);
    if (failed.length > 0) ledger.fault(`${failed.length} of 8 starts failed: ${failed[0].err}`);
    const pids = new Set(starts.map(({ err }) => /process (\d+)/.exec(err)?.[1]));
    if (pids.size !== 1) ledger.fault(`8 starts name ${pids.size} daemons: ${[...pids].join(' ')}`);
    const pid = box.pid();
    if (!pids.has(String(pid))) ledger.fault('another one listens than the starts say');
    const listening = box.log().split('listens at').length - 1;
    if (listening !== round) ledger.fault(`${listening} have listened in ${round} rounds`);
    if (round % 2 === 0) await box.run(['daemon', 'stop']);
    else process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
  }
  return `${rounds} × 8 starts at once: one listens each time`;
}

/** A scene in a home that is gone afterwards; nothing that was printed may be lost in it. */
function scene(name, play, { disk } = {}) {
  const run = async ({ isQuick }) => {
    const path = disk === undefined ? undefined : mountDisk(disk);
    if (disk !== undefined && path === undefined)
      return { said: 'skipped: no right to mount a small disk', faults: [] };
    const box = new Box(path);
    const ledger = new Ledger();
    let said = '';
    try {
      said = await play({ isQuick, box, ledger });
    } catch (error) {
      ledger.fault(error.stack ?? String(error));
    }
    ledger.faults.push(...(await box.close()));
    if (path !== undefined) {
      execFileSync('umount', ['-l', path]);
      rmSync(path, { recursive: true });
    }
    return { said, faults: ledger.faults };
  };
  return { name, run };
}

export const scenes = [
  scene('kill -9 under load', killed),
  scene('SIGSTOP', stopped),
  scene('the disk is full', fullDisk, { disk: '48m' }),
  scene('clients that vanish', vanishing),
  scene('slow readers', slowReaders),
  scene('garbage', garbage),
  scene('eight start at once', races),
];
