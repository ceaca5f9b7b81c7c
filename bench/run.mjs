// npm run bench: start-up ratios, throughput, memory and the daemon, in short; --quick: less of it; --daemon: only the
// daemon. npm run bench:speed and npm run bench:fidelity have more.
import { daemon, printDaemon } from './daemon.mjs';
import { startupTable, throughputTable } from './speed/report.mjs';
import { throughput } from './speed/throughput.mjs';
import { startup } from './startup.mjs';

const isQuick = process.argv.includes('--quick');
if (!process.argv.includes('--daemon')) {
  console.log('Start-up, whole process, against node -e 0 in the same interleaved run (medians of 41)\n');
  console.log(startupTable(startup()));

  console.log('\nThroughput, whole process with start-up and store, one thread\n');
  console.log(throughputTable(await throughput(isQuick ? [1] : [1, 10], ['log', 'table', 'json'], [])));
}
printDaemon(await daemon({ quick: isQuick }));
