// npm run bench: start-up ratios, throughput, memory and the daemon of what is built, as tables; --quick: less of it;
// --daemon: only the daemon.
import { daemon, printDaemon } from './daemon.mjs';
import { startup } from './startup.mjs';
import { throughput } from './throughput.mjs';

const isOnly = process.argv.includes('--daemon');
if (isOnly) {
  printDaemon(await daemon({ quick: process.argv.includes('--quick') }));
  process.exit();
}
const sizes = process.argv.includes('--quick') ? [1, 10] : [1, 10, 100, 1000];

console.log('Start-up, whole process, against node -e 0 in the same interleaved run (medians of 41)\n');
console.log('| what | ms | ratio |\n| --- | --- | --- |');
for (const { name, ms, ratio } of startup())
  console.log(`| ${name} | ${ms.toFixed(1)} | ${ratio.toFixed(2)} |`);

console.log('\nThroughput, whole process with start-up and store, one thread\n');
console.log('| shape | MB | ms | MB/s | peak MB |\n| --- | --- | --- | --- | --- |');
for (const { shape, megabytes, ms, mbPerSecond, peak } of await throughput(sizes)) {
  console.log(
    `| ${shape} | ${megabytes} | ${ms.toFixed(0)} | ${mbPerSecond.toFixed(0)} | ${peak.toFixed(0)} |`,
  );
}

printDaemon(await daemon({ quick: process.argv.includes('--quick') }));
