// Loaded into the daemon by soak.mjs (Linux). From SIGUSR2 on it looks how long the event loop is busy at a time, and how much
// of that the thread itself worked: the rest it waited for a processor. Written to CTXZIP_SOAK_PROBE when the daemon ends.
const { closeSync, openSync, readSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const LOOK_MS = 5;
const buffer = Buffer.alloc(128);

/** Milliseconds that the main thread has run. */
function runMs(fd) {
  return Number(buffer.latin1Slice(0, readSync(fd, buffer, 0, buffer.length, 0)).split(' ')[0]) / 1e6;
}

function probe(path) {
  const fd = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const longest = { late: 0, own: 0 };
  let last = performance.now();
  let ran = runMs(fd);
  const timer = setInterval(() => {
    const now = performance.now();
    const run = runMs(fd);
    const late = now - last - LOOK_MS;
    // As much as it was kept from looking, it can have worked at a time.
    longest.own = Math.max(longest.own, Math.min(late, run - ran));
    longest.late = Math.max(longest.late, late);
    last = now;
    ran = run;
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
