/** The learning loop through the command: expansions become suggestions, these go into a configuration. */
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { canMount, withDisk } from '../store/disk.ts';
import { commandPath, hashOf, sandbox, type Sandbox } from '../support-e2e/command.ts';

const clock = fileURLToPath(new URL('../support-e2e/clock.cjs', import.meta.url));
const WORD = 'DiskPressure';

/** A log that hides most of what it says of a state. */
function nodes(salt: string, word = WORD): string {
  const line = (i: number): string =>
    `2026-05-01T12:00:${String(i % 60).padStart(2, '0')}Z INFO node=${salt}${i} state=${i % 3 === 0 ? word : 'Balanced'} took ${i % 13}ms`;
  return `${Array.from({ length: 400 }, (_, i) => line(i)).join('\n')}\n`;
}

/** Compresses and expands outputs that hide the word; the last expansion. */
async function want(own: Sandbox, count: number, word = WORD, salt = 'first') {
  let last;
  for (let n = 0; n < count; n += 1) {
    const view = await own.run(['--tool', `kubectl get nodes ${n}`], { input: nodes(`${salt}${n}x`, word) });
    last = await own.run(['expand', hashOf(view.text), 'L40-44']);
    expect(last.code).toBe(0);
  }
  return last!;
}

interface Shown {
  candidates: Array<{
    word: string;
    expansions: number;
    originals: number;
    suggested: boolean;
    tools: string[];
    wouldHaveKept?: number;
    tokens?: number;
  }>;
  keep_patterns: string[];
  measured: { originals: number; stored: number };
}

async function shown(own: Sandbox, cwd = own.root): Promise<Shown> {
  return JSON.parse((await own.run(['suggestions', '--json'], { cwd })).text) as Shown;
}

function records(own: Sandbox, kind: string): Array<Record<string, unknown>> {
  const folder = join(own.store, 'records');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(kind))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a word that three outputs hid', () => {
  it('is suggested, once, in one line', async () => {
    const own = sandbox();
    expect((await want(own, 2)).err).toBe('');
    const { err } = await want(own, 1, WORD, 'third');
    expect(err).toMatch(/^ctxzip: [^\n]*DiskPressure[^\n]*ctxzip suggestions[^\n]*\n$/);
    expect((await want(own, 1, WORD, 'fourth')).err).toBe('');
    const { candidates, keep_patterns } = await shown(own);
    expect(candidates.find(({ word }) => word === WORD)).toMatchObject({
      expansions: 4,
      originals: 4,
      suggested: true,
      tools: ['kubectl get nodes 0', 'kubectl get nodes 1'],
    });
    expect(keep_patterns).toContain(WORD);
  });

  it('is none when it was one output three times', async () => {
    const own = sandbox();
    const hash = hashOf((await own.run([], { input: nodes('a') })).text);
    for (const at of ['L40-44', 'L50-54', 'L60-64'])
      expect((await own.run(['expand', hash, at])).err).toBe('');
    const { candidates } = await shown(own);
    expect(candidates.find(({ word }) => word === WORD)).toMatchObject({
      expansions: 3,
      originals: 1,
      suggested: false,
    });
  });

  it('shows what it would have kept, and costs', async () => {
    const own = sandbox();
    await want(own, 3);
    const { text } = await own.run(['suggestions']);
    expect(text).toMatch(/WORD +EXPANSIONS +OUTPUTS +WOULD HAVE KEPT +COST IN TOKENS/);
    expect(text).toContain(`compression:\n  keep_patterns:\n    - `);
    expect(text).toContain('Measured over 3 of 3 stored originals');
    const { candidates } = await shown(own);
    const measured = candidates.find(({ word }) => word === WORD)!;
    // What it would keep is counted by keeping it.
    let more = 0;
    for (let n = 0; n < 3; n += 1) {
      const input = nodes(`first${n}x`);
      const views = await Promise.all(
        [['--json'], ['--json', '--keep', WORD]].map((args) => own.run(args, { input })),
      );
      const [less, kept] = views.map(
        ({ text: json }) => JSON.parse(json) as { tokensAfter?: number; tokensBefore?: number },
      );
      // Where a view would save too little, all of it is printed.
      more += (kept!.tokensAfter ?? less!.tokensBefore!) - less!.tokensAfter!;
    }
    expect(Math.abs(measured.tokens! - more)).toBeLessThanOrEqual(6);
    expect(measured.wouldHaveKept).toBeGreaterThan(380);
  });

  it('also when it was searched for', async () => {
    const own = sandbox();
    for (let n = 0; n < 3; n += 1) {
      const hash = hashOf((await own.run([], { input: nodes(`g${n}-`, 'rebalancing') })).text);
      await own.run(['expand', hash, '--grep', 'rebalancing', '--head', '2']);
      expect((await own.run(['expand', hash, '--grep', 'nothing-like-it'])).code).toBe(1);
    }
    const words = (await shown(own)).candidates.map(({ word }) => word);
    expect(words).toContain('rebalancing');
    expect(words.join()).not.toContain('nothing');
  });

  it('fades: after 30 days it takes more', async () => {
    const own = sandbox();
    const past = { NODE_OPTIONS: `--require=${clock}`, CLOCK_SHIFT_MS: String(-40 * 86_400_000) };
    for (let n = 0; n < 2; n += 1) {
      const view = await own.run([], { input: nodes(`p${n}-`), env: past });
      await own.run(['expand', hashOf(view.text), 'L40-44'], { env: past });
    }
    expect((await want(own, 1)).err).toBe('');
    expect((await want(own, 1, WORD, 'second')).err).toContain(WORD);
  });

  it('a clock that was set back hides nothing', async () => {
    const own = sandbox();
    await want(own, 2);
    const past = { NODE_OPTIONS: `--require=${clock}`, CLOCK_SHIFT_MS: String(-3 * 86_400_000) };
    const view = await own.run([], { input: nodes('back'), env: past });
    expect((await own.run(['expand', hashOf(view.text), 'L40-44'], { env: past })).err).toContain(WORD);
    expect((await own.run(['stats', '--json'], { env: past })).text).toContain('"expansions": 3');
  });
});

describe('--apply', () => {
  const RULES =
    '# keep this order\r\nagent:   {a: 1}   # odd\r\ncompression:\r\n  keep_patterns:\r\n  - "One"   # mine\r\n  # level: none\r\nlast: [ 1,2 ]';

  it("writes into the project's file and leaves the rest of it alone", async () => {
    const own = sandbox();
    await want(own, 3);
    const folder = join(own.root, 'project', 'deep');
    mkdirSync(join(own.root, 'project', '.git'), { recursive: true });
    mkdirSync(folder);
    const file = join(own.root, 'project', 'forge.yaml');
    writeFileSync(file, RULES, { mode: 0o640 });
    const { code, err, text } = await own.run(['suggestions', '--apply', WORD.toLowerCase()], {
      cwd: folder,
    });
    expect({ code, text }).toEqual({ code: 0, text: '' });
    expect(err).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe(RULES.replace('# mine\r\n', `# mine\r\n  - "${WORD}"\r\n`));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(own.root, 'project')).sort()).toEqual(['.git', 'deep', 'forge.yaml']);
    expect((await shown(own, folder)).candidates.map(({ word }) => word)).not.toContain(WORD);
    // And it acts.
    const { text: view } = await own.run([], { input: nodes('after'), cwd: folder });
    expect(view.split('\n').filter((line) => line.includes(WORD)).length).toBeGreaterThan(100);
  });

  it("makes the user's file where there is none, or the project's on demand", async () => {
    const own = sandbox();
    await want(own, 3);
    expect((await own.run(['suggestions', '--apply', '--all'])).code).toBe(0);
    const users = join(own.home, '.config', 'ctxzip', 'forge.yaml');
    expect(readFileSync(users, 'utf8')).toContain(`compression:\n  keep_patterns:\n    - `);
    await want(own, 3, 'LeaseExpiry', 'lease');
    expect((await own.run(['suggestions', '--apply', 'LeaseExpiry', '--project'])).code).toBe(0);
    expect(readFileSync(join(own.root, 'forge.yaml'), 'utf8')).toBe(
      "compression:\n  keep_patterns:\n    - 'LeaseExpiry'\n",
    );
    expect((await own.run(['config', 'check'])).code).toBe(0);
  });

  it('refuses a file that does not parse, and shows what to paste', async () => {
    const own = sandbox();
    await want(own, 3);
    const file = join(own.root, 'forge.yaml');
    writeFileSync(file, 'compression: [\n');
    const { code, err, text } = await own.run(['suggestions', '--apply', WORD]);
    expect(code).toBe(1);
    expect(err).toMatch(/forge\.yaml is left as it is: line \d+: /);
    expect(text).toBe(`compression:\n  keep_patterns:\n    - ${WORD}\n`);
    expect(readFileSync(file, 'utf8')).toBe('compression: [\n');
    rmSync(file);
    expect((await shown(own)).candidates.map(({ word }) => word)).toContain(WORD);
  });

  it.each([
    [['--apply'], /name the words, or add --all/],
    [['--all'], /--all goes with/],
    [['--apply', 'DiskPresure'], /no candidate; did you mean DiskPressure\?/],
    [['--apply', WORD, '--dismiss', WORD], /at a time/],
    [['--aply', WORD], /--apply/],
  ])('%j is wrong usage', async (args, message) => {
    const own = sandbox();
    await want(own, 1);
    const { code, err } = await own.run(['suggestions', ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

it('--dismiss forgets a word for good', async () => {
  const own = sandbox();
  await want(own, 3);
  expect((await own.run(['suggestions', '--dismiss', WORD])).code).toBe(0);
  expect((await want(own, 3, WORD, 'again')).err).not.toContain(WORD);
  expect((await shown(own)).candidates.map(({ word }) => word)).not.toContain(WORD);
});

it('no secret is stored or shown', async () => {
  const own = sandbox();
  const token = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
  for (let n = 0; n < 3; n += 1) {
    const input = nodes(`s${n}-`).replaceAll('took', `password=QuietRiverBend ${token} took`);
    const view = await own.run(['--tool', `curl -u bob:QuietRiverBend ${token} ${n}`], { input });
    for (const grep of ['QuietRiverBend', token, WORD])
      await own.run(['expand', hashOf(view.text), '--grep', grep, '--head', '5']);
  }
  const folder = join(own.store, 'records');
  const all = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const outputs = await Promise.all(
    [['suggestions'], ['suggestions', '--json'], ['stats'], ['stats', '--json']].map((args) => own.run(args)),
  );
  const text = all + outputs.map((each) => each.text + each.err).join('\n');
  expect(text).toContain(WORD);
  expect(text).not.toMatch(/QuietRiverBend|AKIA/i);
});

describe('processes at once', () => {
  it('lose no count and say a suggestion once', async () => {
    const own = sandbox();
    const hashes = await Promise.all(
      Array.from({ length: 4 }, async (_, n) => hashOf((await own.run([], { input: nodes(`c${n}-`) })).text)),
    );
    const ended = await Promise.all(
      Array.from({ length: 24 }, (_, n) => own.run(['expand', hashes[n % 4]!, `L${40 + n}-${44 + n}`])),
    );
    expect(ended.map(({ code }) => code)).toEqual(Array.from({ length: 24 }, () => 0));
    expect(records(own, 'expansions')).toHaveLength(24);
    const { candidates } = await shown(own);
    expect(candidates.find(({ word }) => word === WORD)).toMatchObject({ expansions: 24, originals: 4 });
    expect(ended.filter(({ err }) => err.includes(WORD))).toHaveLength(1);
  }, 60_000);
});

describe('a broken state never breaks an expansion', () => {
  it.each([
    [
      'records is a file',
      (store: string) => {
        rmSync(join(store, 'records'), { recursive: true });
        writeFileSync(join(store, 'records'), 'x');
      },
    ],
    [
      'records are garbage',
      (store: string) => {
        for (const name of readdirSync(join(store, 'records')))
          appendFileSync(join(store, 'records', name), Buffer.from([0, 255, 10, 123, 34]));
        writeFileSync(join(store, 'records', 'decisions'), Buffer.alloc(1000, 255));
      },
    ],
    [
      'records are not records',
      (store: string) => {
        const lines = [
          '{"at":"x","hash":1,"hit":true,"bytes":1,"tokens":1}',
          '{"at":1,"hash":"a","hit":true,"bytes":1,"tokens":1,"words":[1]}',
          'null',
          '[]',
        ];
        writeFileSync(join(store, 'records', 'expansions-2026-01-01'), lines.join('\n'));
        writeFileSync(join(store, 'records', 'runs-2026-01-01'), lines.join('\n'));
      },
    ],
    [
      'records is a folder that nobody may write',
      (store: string) => chmodSync(join(store, 'records'), 0o500),
    ],
    [
      'days are folders',
      (store: string) => {
        rmSync(join(store, 'records'), { recursive: true });
        const day = new Date().toISOString().slice(0, 10);
        for (const kind of ['runs', 'expansions'])
          mkdirSync(join(store, 'records', `${kind}-${day}`), { recursive: true });
        mkdirSync(join(store, 'records', 'decisions'));
      },
    ],
  ])('%s', async (_, spoil) => {
    const own = sandbox();
    await want(own, 2);
    const hash = hashOf((await own.run([], { input: nodes('last') })).text);
    spoil(own.store);
    const lines = nodes('last')
      .split('\n')
      .slice(39, 44)
      .map((line) => `${line}\n`)
      .join('');
    const ended = await own.run(['expand', hash, 'L40-44']);
    expect({ code: ended.code, text: ended.text }).toEqual({ code: 0, text: lines });
    expect((await own.run([], { input: nodes('more') })).text).toContain('<<ctxzip');
    for (const args of [['suggestions'], ['stats'], ['stats', '--json'], ['explain', hash]])
      expect((await own.run(args)).code).toBe(0);
  });

  it.skipIf(!canMount)('the disk is full', async () => {
    await withDisk('2m', async (disk) => {
      const own = sandbox();
      const env = { CTXZIP_HOME: join(disk.path, 'store') };
      const hash = hashOf((await own.run([], { input: nodes('full'), env })).text);
      try {
        writeFileSync(join(disk.path, 'filler'), Buffer.alloc(4 << 20));
      } catch {
        // Full.
      }
      const { code, text } = await own.run(['expand', hash, 'L40-44'], { env });
      expect({ code, lines: text.split('\n').length }).toEqual({ code: 0, lines: 6 });
      expect((await own.run([], { input: nodes('x'), env })).code).toBe(0);
      expect((await own.run(['suggestions'], { env })).code).toBe(0);
    });
  });

  it('there is no home at all', async () => {
    const own = sandbox();
    const env = { HOME: '/nonexistent', CTXZIP_HOME: '/proc/nowhere' };
    expect((await own.run([], { input: 'small\n', env })).text).toBe('small\n');
  });
});

it('leaves no trace where nothing is to be stored, or ctxzip is switched off', async () => {
  const own = sandbox();
  await own.run(['--no-store'], { input: nodes('a') });
  await own.run(['--no-store'], { input: 'small\n' });
  await own.run([], { input: nodes('a'), env: { CTXZIP_DISABLE: '1' } });
  await own.run([], { input: nodes('a'), env: { FORGE_COMPRESSION: 'false' } });
  expect(existsSync(join(own.store, 'records'))).toBe(false);
});

it('a view that is compressed again counts as no expansion', async () => {
  const own = sandbox();
  const view = (await own.run([], { input: nodes('a') })).text;
  await own.run(['--max-tokens', '300'], { input: view });
  expect(records(own, 'expansions')).toEqual([]);
  expect(records(own, 'runs')).toHaveLength(2);
});

it('forgets nothing when it is killed in the middle', async () => {
  const own = sandbox();
  const hash = hashOf((await own.run([], { input: nodes('a') })).text);
  for (let n = 0; n < 6; n += 1) {
    const child = spawn(process.execPath, [commandPath, 'expand', hash, 'L40-44'], {
      env: own.env,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    await new Promise((resolve) => setTimeout(resolve, 30 + 10 * n));
    child.kill('SIGKILL');
    await ended;
  }
  execFileSync(process.execPath, [commandPath, 'expand', hash, 'L40-44'], { env: own.env });
  expect(records(own, 'expansions').length).toBeGreaterThan(0);
  expect((await own.run(['suggestions'])).code).toBe(0);
}, 60_000);
