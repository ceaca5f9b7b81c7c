/** `ctxzip expand` in all its ways, against one stored log. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashOf, sandbox } from '../support-e2e/command.ts';
import { FAILURE, log, logLines } from '../support-e2e/inputs.ts';
import { fileURLToPath } from 'node:url';

const box = sandbox();
const lines = logLines(2000);
const clock = fileURLToPath(new URL('../support-e2e/clock.cjs', import.meta.url));
let hash = '';
let view = '';

beforeAll(async () => {
  view = (await box.run([], { input: log(2000) })).text;
  hash = hashOf(view);
});

function between(from: number, to: number): string {
  return lines
    .slice(from - 1, to)
    .map((line) => `${line}\n`)
    .join('');
}

async function expand(...args: string[]): Promise<string> {
  const { text, code, err } = await box.run(['expand', hash, ...args]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return text;
}

describe('addresses', () => {
  it('lines', async () => {
    expect(await expand('L12')).toBe(between(12, 12));
    expect(await expand('L12-48')).toBe(between(12, 48));
    expect(await expand('L2000')).toBe(between(2000, 2000));
  });

  it('bytes', async () => {
    expect(await expand('B0-4096')).toBe(log().slice(0, 4096));
    expect(await expand('B7-8')).toBe(log().slice(7, 8));
  });

  it('characters of a line', async () => {
    expect(await expand('L12:c1-20')).toBe(lines[11]!.slice(0, 20));
    expect(await expand('L12:c7')).toBe(lines[11]!.slice(6, 7));
  });

  it('characters of a line that is not ASCII', async () => {
    const input = `${'😀漢é ok '.repeat(200)}\n${log(300)}`;
    const own = await box.run([], { input });
    const { text } = await box.run(['expand', hashOf(own.text), 'L1:c2-9']);
    expect(text).toBe([...input].slice(1, 9).join(''));
  });

  it('an end beyond the end means the end, and is said', async () => {
    const { text, err, code } = await box.run(['expand', hash, 'L1990-99999']);
    expect({ text, code }).toEqual({ text: between(1990, 2000), code: 0 });
    expect(err).toMatch(/ends at line 2000/);
  });

  it.each([
    ['L2001', /line 2001 is beyond the end: the original has 2000 lines/],
    ['B99999999-100000000', /beyond the end/],
    ['L12:c5000', /beyond the end: line 12 has \d+ /],
    ['L0', /./],
    ['L5-3', /./],
    ['B5-5', /./],
    ['12-48', /Did you mean L12-48\?/],
    ['spec/containers/0', /is a path, and this original is no JSON or YAML/],
    ['@1/spec', /is a path, and this original is no JSON or YAML/],
    ['stdout:L3', /is a path, and this original is no JSON or YAML/],
    ['L99999999999999999999', /./],
    ['L1-', /./],
    ['Lx', /./],
    ['L12:c0', /./],
    ['L1 L2', /./],
    ['\u001b[31m', /./],
    ['😀', /./],
  ])('%s can not be', async (address, message) => {
    const { out, err, code } = await box.run(['expand', hash, address]);
    expect({ out: out.length, code }).toEqual({ out: 0, code: 2 });
    expect(err).toMatch(message);
    // oxlint-disable-next-line no-control-regex
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('each marker of a view opens what it stands for', async () => {
    const spliced: string[] = [];
    for (const line of view.split(/(?<=\n)/)) {
      const address = /^<<ctxzip\S* \d+_lines\S* (L[\d-]+)/.exec(line)?.[1];
      spliced.push(address === undefined ? line : await expand(address));
    }
    expect(spliced.join('')).toBe(log());
  });
});

describe('handles', () => {
  it.each([
    ['six digits', () => [hash.slice(0, 6)]],
    ['all digits', () => [createHash('sha256').update(log()).digest('hex')]],
    ['capital letters', () => [hash.toUpperCase()]],
    ['with a colon', () => [`ctxzip:${hash}`]],
    ['behind --', () => ['--', hash]],
  ])('%s', async (_, words) => {
    const { text, code } = await box.run(['expand', ...words()]);
    expect({ same: text === log(), code }).toEqual({ same: true, code: 0 });
  });

  it('a pasted marker, whole or torn by the shell', async () => {
    const marker = view.split('\n').find((line) => line.startsWith('<<ctxzip:'))!;
    const address = / (L[\d-]+)/.exec(marker)![1]!;
    const expected = await expand(address);
    for (const words of [
      [marker],
      marker.split(' '),
      [`{"_ctxzip":"${marker}"}`],
      [marker.replace('<<', '').replace('>>', '')],
      [JSON.stringify(marker)],
      [marker.replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
    ]) {
      const { text, code } = await box.run(['expand', ...words]);
      expect({ text, code }, words.join(' ')).toEqual({ text: expected, code: 0 });
    }
    const other = await box.run(['expand', marker, 'L1-2']);
    expect(other.text).toBe(between(1, 2));
  });

  it('a short marker behind the hash of its view', async () => {
    const short = /<<ctxzip \d+_lines (L[\d-]+)>>/.exec(view)!;
    expect((await box.run(['expand', hash, short[0]])).text).toBe(await expand(short[1]!));
    const alone = await box.run(['expand', short[0]]);
    expect({ out: alone.out.length, code: alone.code }).toEqual({ out: 0, code: 2 });
    expect(alone.err).toMatch(/short marker has no hash/);
  });

  it.each([
    [['abcde'], 2, /too short/],
    [['nonsense'], 2, /is no hash/],
    [[''], 2, /hash/],
    [['a'.repeat(65)], 2, /at most 64/],
    [['../../etc/passwd'], 2, /is no hash/],
    [['abcdef123456'], 1, /no original is stored under abcdef123456/],
    [['000000000000'], 1, /documentation/],
    [[], 2, /expand needs the hash/],
  ])('%j ends with %i', async (words, exit, message) => {
    const { out, err, code } = await box.run(['expand', ...words]);
    expect({ out: out.length, code }).toEqual({ out: 0, code: exit });
    expect(err).toMatch(message);
  });
});

describe('--grep', () => {
  it('prints the lines that match', async () => {
    expect(await expand('--grep', 'ERROR')).toBe(between(1001, 1001));
    expect(await expand('--grep', 'id=(77|1234) ')).toBe(between(78, 78) + between(1235, 1235));
  });

  it('with context, and groups told apart', async () => {
    const wide = await expand('--grep', 'ERROR', '-C', '2');
    expect(wide).toBe(between(999, 1003));
    expect(await expand('--grep', 'ERROR', '-A', '1')).toBe(between(1001, 1002));
    expect(await expand('--grep', 'ERROR', '-B1')).toBe(between(1000, 1001));
    expect(await expand('--grep', 'id=(77|1234) ', '-C1')).toBe(
      `${between(77, 79)}--\n${between(1234, 1236)}`,
    );
    expect(await expand('--grep', 'id=7[78] ', '-C1')).toBe(between(77, 80));
  });

  it('in any case with -i', async () => {
    const none = await box.run(['expand', hash, '--grep', 'CONNECTION REFUSED']);
    expect({ code: none.code, out: none.out.length }).toEqual({ code: 1, out: 0 });
    expect(none.err).toMatch(/-i for any case/);
    expect(await expand('--grep', 'CONNECTION REFUSED', '-i')).toBe(between(1001, 1001));
  });

  it('inside an address, with numbers of the original', async () => {
    expect(await expand('L500-600', '--grep', 'id=5[49]0 ', '-n')).toBe(
      `541:${between(541, 541)}591:${between(591, 591)}`,
    );
    expect(await expand('--grep', 'ERROR', '-n', '-C1')).toBe(
      `1000-${between(1000, 1000)}1001:${between(1001, 1001)}1002-${between(1002, 1002)}`,
    );
  });

  it('with head and tail', async () => {
    expect(await expand('--grep', 'INFO', '--head', '3')).toBe(between(1, 3));
    expect(await expand('--grep', 'INFO', '--tail', '3')).toBe(between(1998, 2000));
    expect(await expand('--grep', 'INFO', '--head', '5', '--tail', '2')).toBe(between(4, 5));
    expect(await expand('--grep', 'INFO', '--head', '0')).toBe('');
  });

  it('takes a pattern that begins with a dash', async () => {
    const { text } = await box.run(['expand', hash, '--grep=-05-01T12:00:05Z']);
    expect(text).toBe(between(6, 6));
  });

  it('a pattern that is none is said with its place', async () => {
    const { out, err, code } = await box.run(['expand', hash, '--grep', 'id=(77']);
    expect({ out: out.length, code }).toEqual({ out: 0, code: 2 });
    expect(err).toMatch(/is no regular expression/);
  });

  it('a pattern that backtracks for ever is stopped', async () => {
    const input = `${'a'.repeat(60)}!\n${log(300, '-slow')}`;
    const own = hashOf((await box.run([], { input })).text);
    const { code, err, ms } = await box.run(['expand', own, '--grep', '(a+)+$']);
    expect(code).toBe(2);
    expect(err).toMatch(/takes more than 2 s at line 1/);
    expect(ms).toBeLessThan(12_000);
  });

  it('finds words in coloured lines', async () => {
    const input = log(300, '-red').replaceAll('connection refused', 'connection \u001b[31mrefused\u001b[0m');
    const own = hashOf((await box.run([], { input })).text);
    const { text } = await box.run(['expand', own, '--grep', 'connection refused']);
    expect(text).toContain('\u001b[31mrefused');
  });
});

describe('--lines, --head, --tail, -n', () => {
  it('are counted inside the address', async () => {
    expect(await expand('L100-200', '--lines', '2-3')).toBe(between(101, 102));
    expect(await expand('L100-200', '--lines=2')).toBe(between(101, 101));
    expect(await expand('L100-200', '--head', '2')).toBe(between(100, 101));
    expect(await expand('L100-200', '--tail', '2')).toBe(between(199, 200));
    expect(await expand('L100-200', '--lines', '10-20', '--head', '3', '--tail', '1')).toBe(
      between(111, 111),
    );
    expect(await expand('L100-102', '-n')).toBe([100, 101, 102].map((n) => `${n}:${between(n, n)}`).join(''));
    expect(await expand('L100-200', '--tail', '1', '-n')).toBe(`200:${between(200, 200)}`);
    expect(await expand('--tail', '0')).toBe('');
  });

  it('more than there is gives what there is', async () => {
    expect(await expand('L1-3', '--head', '100')).toBe(between(1, 3));
    expect(await expand('L1-3', '--tail', '100')).toBe(between(1, 3));
  });

  it.each([
    [['--head', '-1']],
    [['--head', 'x']],
    [['--tail', '1.5']],
    [['--lines', '3-1']],
    [['--lines', 'x']],
    [['--lines', '0']],
    [['-A', '1']],
    [['--grep', 'x', '-C', 'many']],
    [['--lnies', '1']],
    [['--head']],
  ])('%j is wrong usage', async (flags) => {
    const { out, err, code } = await box.run(['expand', hash, ...flags]);
    expect({ out: out.length, code }).toEqual({ out: 0, code: 2 });
    expect(err).toMatch(/^ctxzip: \S/);
  });

  it('names the flag that was meant', async () => {
    expect((await box.run(['expand', hash, '--lnies', '1-2'])).err).toContain('--lines');
  });
});

describe('the whole original', () => {
  it('comes with a note where it is over 64 KB', async () => {
    const { text, err, code } = await box.run(['expand', hash]);
    expect({ same: text === log(), code }).toEqual({ same: true, code: 0 });
    expect(err).toMatch(new RegExp(`For less: ctxzip expand ${hash} L1-200, or --grep`));
  });

  it('comes without one where it is smaller', async () => {
    const small = log(300);
    const own = hashOf((await box.run([], { input: small })).text);
    const { text, err } = await box.run(['expand', own]);
    expect({ text, err }).toEqual({ text: small, err: '' });
  });

  it('is byte for byte, also when no text', async () => {
    const input = Buffer.concat([Buffer.from(log(300)), Buffer.from([0xff, 0xfe, 13, 10, 0xc3])]);
    const own = hashOf((await box.run([], { input })).text);
    expect((await box.run(['expand', own])).out.equals(input)).toBe(true);
  });

  it('is the same from LMDB', async () => {
    const moved = sandbox();
    const own = hashOf((await moved.run([], { input: log() })).text);
    expect((await moved.run(['gc'])).code).toBe(0);
    expect(moved.spooled()).toEqual([]);
    expect((await moved.run(['expand', own, 'L77-79'])).text).toBe(between(77, 79));
    expect((await moved.run(['expand', own])).text).toBe(log());
    expect((await moved.run(['expand', own, '--grep', FAILURE])).text).toBe(between(1001, 1001));
  });
});

describe('what is not there', () => {
  it('ambiguous: two originals with the same first digits', async () => {
    const [one, two] = twoAlike();
    for (const input of [one, two]) expect((await box.run([], { input })).text).toContain('<<ctxzip:');
    const digits = shaOf(one).slice(0, 6);
    const { out, err, code } = await box.run(['expand', digits]);
    expect({ out: out.length, code }).toEqual({ out: 0, code: 2 });
    expect(err).toContain(shaOf(one).slice(0, 12));
    expect(err).toContain(shaOf(two).slice(0, 12));
    expect((await box.run(['expand', shaOf(two).slice(0, 12)])).text).toBe(two);
  });

  it('a second original with the same twelve digits passes through', async () => {
    const own = sandbox();
    const base = 'every row of this table is the same as the one before it, ok 0.\n'.repeat(64);
    const [one, two] = [`${base}2668724\n`, `${base}34338150\n`];
    expect(shaOf(one).slice(0, 12)).toBe(shaOf(two).slice(0, 12));
    const first = await own.run([], { input: one });
    expect(hashOf(first.text)).toBe(shaOf(two).slice(0, 12));
    for (const _ of ['from the spool', 'from LMDB']) {
      const second = await own.run([], { input: two });
      expect(second.text === two).toBe(true);
      expect(second.err).toMatch(/begins as that of another original.*passed through unchanged\n$/);
      expect((await own.run(['expand', shaOf(one).slice(0, 12)])).text === one).toBe(true);
      await own.run(['gc']);
    }
  });

  it('expired: says when, and from which tool', async () => {
    const own = sandbox();
    const gone = hashOf((await own.run([], { input: log() })).text);
    const env = { NODE_OPTIONS: `--require=${clock}`, CLOCK_SHIFT_MS: String(8 * 86_400_000) };
    const before = await own.run(['expand', gone], { env });
    expect({ code: before.code, out: before.out.length }).toEqual({ code: 3, out: 0 });
    await own.run(['gc'], { env });
    const { out, err, code } = await own.run(['expand', gone], { env });
    expect({ out: out.length, code }).toEqual({ out: 0, code: 3 });
    expect(err).toMatch(/expired on .* UTC, with its 1\d\d\.\d KB/);
    expect(err).toMatch(/run it again if that is safe/);
  });

  it('expired originals come back when they are compressed again', async () => {
    const own = sandbox();
    const gone = hashOf((await own.run([], { input: log() })).text);
    const env = { NODE_OPTIONS: `--require=${clock}`, CLOCK_SHIFT_MS: String(8 * 86_400_000) };
    await own.run(['gc'], { env });
    await own.run([], { input: log(), env });
    expect((await own.run(['expand', gone, 'L1'], { env })).text).toBe(between(1, 1));
  });

  it('damaged: a flipped byte is said, never printed', async () => {
    const own = sandbox();
    const damaged = hashOf((await own.run([], { input: log() })).text);
    const [name] = readdirSync(join(own.store, 'spool'));
    const path = join(own.store, 'spool', name!);
    const bytes = readFileSync(path);
    bytes[5000]! ^= 1;
    writeFileSync(path, bytes);
    for (const args of [['expand', damaged], ['expand', damaged, 'L50'], ['restore'], ['verify']]) {
      const { out, err, code } = await own.run(args, { input: view });
      expect(code, args.join(' ')).toBe(1);
      expect(err).toMatch(/damaged/);
      if (args[0] !== 'restore') expect(out.length).toBe(0);
    }
    await own.run([], { input: log() });
    expect((await own.run(['expand', damaged])).text).toBe(log());
  });
});

function shaOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Two inputs whose hashes begin with the same six digits. */
function twoAlike(): [string, string] {
  const base = log(200, '-alike');
  const seen = new Map<string, number>();
  for (let i = 0; ; i += 1) {
    const digits = createHash('sha256').update(base).update(`${i}\n`).digest('hex').slice(0, 6);
    const other = seen.get(digits);
    if (other !== undefined) return [`${base}${other}\n`, `${base}${i}\n`];
    seen.set(digits, i);
  }
}
