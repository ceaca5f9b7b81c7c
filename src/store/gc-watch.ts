/**
 * Runs maintenance in a child process. Opening LMDB for writing blocks for ever behind a stopped process, and a damaged
 * data file can crash the process that maps it; neither can be caught from inside.
 */
import { type Beat, type GcDone, type GcJob, type GcReport, runGc } from './gc.ts';
import { loadLmdb } from './load-lmdb.ts';
import { isUnavailable, StoreUnavailable, type Trouble } from './port.ts';

export interface Watch {
  /** The command line that ends in `runGcWorker`, such as node, the script, and two words. */
  readonly command: readonly [string, ...string[]];
  /** The child is killed after as long without a sign of progress. A minute is plenty: progress is 8 MiB or an original. */
  readonly silenceMs: number;
}

type Ending =
  | { readonly kind: 'report'; readonly report: GcReport }
  | { readonly kind: 'unfit'; readonly trouble: Trouble; readonly message: string }
  | { readonly kind: 'silent' }
  | { readonly kind: 'crashed'; readonly signal: string }
  | { readonly kind: 'failed'; readonly message: string };

const LONGEST_REPORT = 65_536;
/** Before the second try: what the machine was short of may be there again. */
const PAUSE_MS = 1000;
const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE']);

/**
 * Does a job in a child. After a second crash another child reads the LMDB environment: if it can't, the environment is
 * moved aside. Where LMDB can't be used at all, the spool is cared for by itself, and `trouble` says why. Throws
 * `StoreUnavailable` if the folder is unfit.
 */
export async function watchGc(job: GcJob, watch: Watch): Promise<GcReport> {
  let ending = await runChild(job, watch);
  if (ending.kind === 'crashed') await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  if (ending.kind === 'crashed') ending = await runChild(job, watch);
  if (isDamage(ending) || (ending.kind === 'crashed' && !(await isSound(job, watch))))
    ending = await runChild({ ...job, lmdb: 'afresh' }, watch);
  if (ending.kind === 'report') return ending.report;
  if (ending.kind === 'unfit') throw new StoreUnavailable(ending.trouble, ending.message);
  const report = await runGc({ ...job, lmdb: 'never' });
  return report.kind === 'done' ? { ...report, trouble: troubleOf(ending, watch) } : report;
}

/** The environment can be read from its start to its end: whatever crashed a process, that was not it. */
async function isSound({ root, nowMs }: GcJob, watch: Watch): Promise<boolean> {
  const survey: WorkerJob = { root, nowMs, survey: true };
  const ending = await runChild(survey, watch);
  return ending.kind !== 'crashed' && !(ending.kind === 'unfit' && ending.trouble === 'damaged');
}

interface WorkerJob extends GcJob {
  /** Only reads the LMDB environment. */
  readonly survey?: boolean;
}

/** The child's part: does the job it is given as JSON, and calls `print` with signs of progress and, last, the report. */
export async function runGcWorker(jobText: string, print: (text: string) => void): Promise<void> {
  const { survey, ...job } = JSON.parse(jobText) as WorkerJob;
  const say = (ending: Ending): void => print(`${JSON.stringify(ending)}\n`);
  const beat: Beat = (at) => print(`${at ?? '.'}\n`);
  print('.\n');
  try {
    say({ kind: 'report', report: survey === true ? await surveyed(job, beat) : await runGc(job, beat) });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    say({ kind: 'unfit', trouble: error.trouble, message: error.message });
  }
}

async function surveyed({ root }: GcJob, beat: Beat): Promise<GcReport> {
  beat('in');
  await (await loadLmdb()).surveyLmdb(root, beat);
  return { kind: 'none' };
}

function runChild(job: WorkerJob, watch: Watch): Promise<Ending> {
  const [command, ...args] = watch.command;
  // Loaded here: it costs `expand`, which seldom comes here, 2 ms.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let complaint = '';
  let isSilent = false;
  return new Promise((resolve) => {
    const giveUp = (): void => {
      isSilent = true;
      child.kill('SIGKILL');
    };
    let timer = setTimeout(giveUp, watch.silenceMs);
    child.stdout.on('data', (text: Buffer) => {
      output = `${output}${text.toString()}`.replaceAll('.\n', '').slice(-LONGEST_REPORT);
      clearTimeout(timer);
      timer = setTimeout(giveUp, watch.silenceMs);
    });
    child.stderr.on('data', (text: Buffer) => (complaint = `${complaint}${text.toString()}`.slice(-2000)));
    child.on('error', (error) => resolve({ kind: 'failed', message: error.message }));
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      if (isSilent) return resolve({ kind: 'silent' });
      resolve(endingOf(output, complaint, signal));
    });
    // A child that ended early does not read its job.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(job));
  });
}

/** A crash speaks against LMDB only while it is open: one at the start of the process or behind the report says nothing of it. */
function endingOf(output: string, complaint: string, signal: NodeJS.Signals | null): Ending {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  if (last.startsWith('{') && output.endsWith('\n')) return JSON.parse(last) as Ending;
  if (signal !== null && CRASHES.has(signal) && last === 'in') return { kind: 'crashed', signal };
  return { kind: 'failed', message: complaint.trim() || `it ended ${signal ?? ''} without a report` };
}

/** LMDB itself said that its file is damaged. */
function isDamage(ending: Ending): boolean {
  return (
    ending.kind === 'report' && ending.report.kind === 'done' && ending.report.trouble?.trouble === 'damaged'
  );
}

function troubleOf(
  ending: Exclude<Ending, { kind: 'report' | 'unfit' }>,
  watch: Watch,
): NonNullable<GcDone['trouble']> {
  switch (ending.kind) {
    case 'silent': {
      const seconds = Math.round(watch.silenceMs / 1000);
      const message = `LMDB did not answer for ${seconds} s; another process holds it, perhaps a stopped one (ps -o pid,stat,args)`;
      return { trouble: 'busy', message };
    }
    case 'crashed':
      return {
        trouble: 'failed',
        message: `LMDB crashed the process (${ending.signal}); its file can be read, and the spool keeps what comes in`,
      };
    case 'failed':
      return { trouble: 'failed', message: `maintenance failed: ${ending.message}` };
  }
}
