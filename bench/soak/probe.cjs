// Loaded into the daemon by soak.mjs (Linux). From SIGUSR2 on it looks how late timers are, for how much of that the thread
// was busy and did not wait for a processor, and how much of that it ran. The longest of each goes to CTXZIP_SOAK_PROBE in the end.
const { closeSync, openSync, readSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const LOOK_MS = 5;
const buffer = Buffer.alloc(128);

/** Milliseconds that the main thread has run, and that it could have run and waited for a processor. */
function spent(fd) {
  const [run, wait] = buffer.latin1Slice(0, readSync(fd, buffer, 0, buffer.length, 0)).split(' ');
  return { run: Number(run) / 1e6, wait: Number(wait) / 1e6 };
}

function probe(path) {
  const fd = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const longest = { late: 0, busy: 0, run: 0 };
  let last = performance.now();
  let before = spent(fd);
  const timer = setInterval(() => {
    const now = performance.now();
    const { run, wait } = spent(fd);
    const late = now - last - LOOK_MS;
    longest.late = Math.max(longest.late, late);
    longest.busy = Math.max(longest.busy, late - (wait - before.wait));
    longest.run = Math.max(longest.run, Math.min(late, run - before.run));
    last = now;
    before = { run, wait };
  }, LOOK_MS);
  timer.unref();
  process.on('exit', () => {
    closeSync(fd);
    writeFileSync(path, JSON.stringify(longest));
  });
}

const { CTXZIP_SOAK_PROBE: path } = process.env;
if (
  isMainThread &&
  path &&
  process.platform === 'linux' &&
  process.argv.slice(2).join(' ').startsWith('daemon run')
)
  process.once('SIGUSR2', () => probe(path));
