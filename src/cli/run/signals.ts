/** Signals on their way through: from whoever sends them to us to the command, and from how it died to how we do. */
import { readFileSync } from 'node:fs';
import { isTerminal } from '../io.ts';

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Passes signals on to the command, but for what a terminal has sent to it as well: many take a second Ctrl-C for "at once". */
export function passOn(send: (signal: NodeJS.Signals) => void): void {
  for (const signal of PASSED_ON) {
    process.on(signal, () => {
      const isKey = signal === 'SIGINT' || signal === 'SIGQUIT';
      if (!isKey) send(signal);
      else void isForeground().then((isShared) => (isShared ? undefined : send(signal)));
    });
  }
}

/** Do the keys of a terminal reach our process group? */
async function isForeground(): Promise<boolean> {
  try {
    // Behind the name, which may hold anything: state, parent, group, session, terminal, the terminal's group.
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const [, , group, , terminal, foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return terminal !== '0' && group === foreground;
  } catch {
    return (await isTerminal('stdin')) || (await isTerminal('stderr'));
  }
}

/** Ends this process by a signal, as the command did. Comes back where that is not possible. */
export function dieBy(signal: NodeJS.Signals): void {
  try {
    // What is listened for and then no more has its default action again, SIGPIPE too, which Node ignores.
    process.on(signal, () => undefined);
    process.removeAllListeners(signal);
  } catch {
    // SIGKILL and SIGSTOP can't be listened for.
  }
  try {
    process.kill(process.pid, signal);
  } catch {
    // The exit code says it.
  }
}
