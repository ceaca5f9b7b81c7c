/** Every example of docs/daemon.md runs, and prints what begins as it says; so does the line in the README. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/fixtures.ts';
import { hasTool, tempFolder } from './support-e2e/command.ts';
import { type DaemonBox, daemonBox } from './support-e2e/daemon.ts';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const doc = read('docs/daemon.md');
const examples = [...doc.matchAll(/```sh\n((?:(?!```)[\s\S])*)```\n\n```\n([\s\S]*?)```/g)].map((match) => ({
  code: match[1]!,
  printed: match[2]!.trimEnd(),
}));

/** A folder with a `kubectl` that prints the sample. */
function tools(): string {
  const folder = join(tempFolder(), 'bin');
  mkdirSync(folder);
  const kubectl = join(folder, 'kubectl');
  writeFileSync(kubectl, `#!/bin/sh\ncat '${join(ROOT, 'samples/pods.txt')}'\n`);
  chmodSync(kubectl, 0o755);
  return folder;
}

async function shell(box: DaemonBox, code: string) {
  const { PATH } = process.env;
  return await box.shell(code, { env: { SOCKET: box.socket, PATH: `${tools()}:${PATH}` } });
}

describe.skipIf(!hasTool('curl'))('the examples', () => {
  it('are for every endpoint', () => {
    const paths = ['compress', 'batch', 'originals/', 'suggestions', 'stats', 'recent', 'stop'].map(
      (each) => `/v1/${each}`,
    );
    for (const path of [...paths, '/healthz', '/metrics'])
      expect(
        examples.some(({ code }) => code.includes(`http://ctxzip${path}`)),
        path,
      ).toBe(true);
    // All but the list of commands at the beginning.
    expect(examples.length).toBe(doc.split('```sh').length - 2);
  });

  it('print what they say', async () => {
    const box = daemonBox();
    await box.start();
    for (const { code, printed } of examples) {
      const { text, err } = await shell(box, code);
      expect(err, code).toBe('');
      const lines = printed.split('\n');
      if (code.trim().split('\ncurl').length > 1)
        for (const line of lines) expect(text, code).toContain(line);
      else expect(text.slice(0, printed.length), code).toBe(printed);
    }
  }, 60_000);

  it('and the line of the README, which prints what the pipe prints', async () => {
    const line = /^kubectl get pods.*curl.*$/m.exec(read('README.md'))?.[0];
    expect(line).toBeDefined();
    const box = daemonBox();
    await box.start();
    // The README names the usual place of the socket.
    expect(line).toContain('~/.local/state/ctxzip/daemon/socket');
    const { out } = await shell(box, line!.replace('~/.local/state/ctxzip/daemon/socket', '"$SOCKET"'));
    const piped = await box.run([], { input: read('samples/pods.txt') });
    expect(out.equals(piped.out)).toBe(true);
    expect(piped.text).toContain('<<ctxzip:');
  });
});

it('names all flags of the daemon', () => {
  const help = execFileSync(process.execPath, [
    join(ROOT, 'bin/ctxzip.js'),
    'daemon',
    'run',
    '--help',
  ]).toString();
  for (const [flag] of help.matchAll(/--max-\w+|--timeout|--workers/g)) expect(doc).toContain(flag);
});
