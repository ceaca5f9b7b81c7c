/** Input that no tool should send: every byte comes back, nothing hangs, nothing harms a terminal. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sandbox } from '../support-e2e/command.ts';
import { FAILURE, log, logLines, pods, seeded } from '../support-e2e/inputs.ts';

const box = sandbox();
beforeAll(async () => {
  await box.run([], { input: log(100) });
});

/** Compresses, proves and restores; returns the view. */
async function thereAndBack(input: Buffer, most = 8000): Promise<Buffer> {
  const { out, err, code, ms } = await box.run([], { input });
  expect({ err, code }).toEqual({ err: '', code: 0 });
  expect(ms).toBeLessThan(most);
  if (out.equals(input)) return out;
  const back = await box.run(['restore'], { input: out });
  expect({ same: back.out.equals(input), code: back.code }).toEqual({ same: true, code: 0 });
  const proof = await box.run(['verify'], { input: out });
  expect(proof.code, proof.text + proof.err).toBe(0);
  return out;
}

const lines = logLines();

describe('little or nothing', () => {
  it.each([
    ['nothing', ''],
    ['one byte', 'x'],
    ['a line end', '\n'],
    ['a NUL', '\u0000'],
    ['only line ends', '\n'.repeat(5000)],
    ['only CRLF', '\r\n'.repeat(5000)],
    ['only carriage returns', '\r'.repeat(9000)],
    ['only blanks', ' '.repeat(9000)],
    ['2,047 characters', 'x\n'.repeat(1023) + 'x'],
  ])('%s comes out as it came', async (_, text) => {
    const input = Buffer.from(text);
    expect((await thereAndBack(input)).equals(input)).toBe(true);
  });

  it.each(['', 'x', '\n'])('commands that read a view take %j', async (input) => {
    expect((await box.run(['restore'], { input })).text).toBe(input);
    expect((await box.run(['verify'], { input })).code).toBe(1);
  });
});

describe('bytes that are no text', () => {
  it.each([
    ['NUL', Buffer.concat([Buffer.from(log()), Buffer.from([0]), Buffer.from(log())])],
    ['UTF-16, little endian', Buffer.from(`\ufeff${log()}`, 'utf16le')],
    ['UTF-16, big endian', Buffer.from(`\ufeff${log()}`, 'utf16le').swap16()],
    ['NUL in the last byte of 5 MB', Buffer.concat([Buffer.from(log(60_000)), Buffer.from([0])])],
  ])('%s passes through', async (_, input) => {
    expect((await thereAndBack(input)).equals(input)).toBe(true);
  });

  it.each([
    [
      'invalid UTF-8 in every line',
      Buffer.from(lines.map((line) => `${line}\u00ff\u00fe`).join('\n'), 'latin1'),
    ],
    ['one invalid byte at the end', Buffer.concat([Buffer.from(log()), Buffer.from([0xc3])])],
    ['a torn character', Buffer.from(log().replaceAll('INFO', 'é漢😀')).subarray(0, 100_001)],
    ['Latin-1', Buffer.from(log().replaceAll('INFO', 'für'), 'latin1')],
    ['GBK', Buffer.from(log().replaceAll('INFO', '\u00b4\u00ed\u00ce\u00f3'), 'latin1')],
    ['a byte order mark', Buffer.from(`\ufeff${log()}`)],
    [
      'surrogates in UTF-8 (CESU)',
      Buffer.from(log().replaceAll('INFO', '\u00ed\u00a0\u00bd\u00ed\u00b8\u0080'), 'latin1'),
    ],
    ['bytes 1 to 255', Buffer.from(Array.from({ length: 60_000 }, (_, i) => 1 + ((i * 7) % 255)))],
  ])('%s comes back byte for byte', async (_, input) => {
    await thereAndBack(input);
  });
});

describe('line ends', () => {
  it.each([
    ['CRLF', lines.join('\r\n')],
    ['both in turn', lines.map((line, i) => line + (i % 3 === 0 ? '\r\n' : '\n')).join('')],
    ['CR CR LF', lines.join('\r\r\n')],
    ['LF CR', lines.join('\n\r')],
    ['none at the end', lines.join('\n')],
    ['many at the end', `${lines.join('\n')}${'\n'.repeat(300)}`],
    ['U+2028', lines.join('\u2028')],
    ['NEL', lines.join('\u0085')],
    ['form feeds', lines.join('\f\n')],
  ])('%s', async (_, text) => {
    const view = await thereAndBack(Buffer.from(text));
    expect(view.length).toBeLessThan(text.length / 10);
  });

  it('markers end as the lines around them do', async () => {
    const view = (await thereAndBack(Buffer.from(lines.join('\r\n')))).toString();
    expect(view.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('carriage returns alone: the last state is what counts', async () => {
    const progress = Array.from({ length: 3000 }, (_, i) => `downloading ${i} of 3000 MB`).join('\r');
    const view = (await thereAndBack(Buffer.from(`${progress}\r\ndone\n`))).toString();
    expect(view).toMatch(/downloading 2999 of 3000 MB\r\ndone\n$/);
    expect(view.length).toBeLessThan(400);
  });

  it('carriage returns alone do not hide a failure in silence', async () => {
    const view = (await thereAndBack(Buffer.from(lines.join('\r')))).toString();
    expect(view).toMatch(new RegExp(`failures:|${FAILURE}`));
  });
});

describe('sizes', () => {
  it('one line of 50 MB', async () => {
    const view = await thereAndBack(Buffer.alloc(50_000_000, 'request ok alpha beta '), 12_000);
    expect(view.length).toBeLessThan(4000);
  }, 60_000);

  it('one word of 1 MB is proven in a second', async () => {
    const view = await box.run([], { input: Buffer.alloc(1_000_000, 'a') });
    const proof = await box.run(['verify'], { input: view.out, timeoutMs: 8000 });
    expect(proof.code).toBe(0);
  });

  it('an error line with a long base64 word takes no longer than others', async () => {
    const input = Buffer.from(`${log(300)}error: payload ${'Zm9vYmFy'.repeat(40_000)}\n${log(300)}`);
    const { code } = await box.run([], { input, timeoutMs: 8000 });
    expect(code).toBe(0);
  });

  it('10 MB of brackets take no longer than others', async () => {
    const { code } = await box.run([], { input: Buffer.alloc(10_000_000, '[{'), timeoutMs: 9000 });
    expect(code).toBe(0);
  });

  it.each([
    ['200,000 short lines', () => Array.from({ length: 200_000 }, (_, i) => `${i}`).join('\n')],
    ['200,000 equal lines', () => 'ok\n'.repeat(200_000)],
    ['200,000 different words', () => words(200_000, 1)],
    ['lines that all differ', () => words(20_000, 12)],
    ['lines of 20 KB', () => words(100, 3000)],
    ['indentation of 3,000', () => Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i)}x`).join('\n')],
    ['nesting of 100,000', () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    [
      '300 columns',
      () =>
        Array.from({ length: 300 }, (_, r) =>
          Array.from({ length: 300 }, (__, c) => `c${(r * c) % 97}`.padEnd(8)).join(''),
        ).join('\n'),
    ],
    ['1 MB of quotes', () => '"'.repeat(1_000_000)],
    ['1 MB of <', () => '<'.repeat(1_000_000)],
    ['1 MB of backslashes', () => '\\'.repeat(1_000_000)],
    ['1 MB of escapes', () => '\u001b'.repeat(1_000_000)],
    ['1 MB of open control strings', () => '\u001b]'.repeat(500_000)],
    ['1 MB of time stamps', () => '2026-05-01T12:00:00Z '.repeat(50_000)],
    ['1 MB of combining marks', () => `a${'\u0301'.repeat(500_000)}`],
    ['100,000 rules', () => '--- --- ---\n'.repeat(100_000)],
    ['100,000 opening braces', () => '{\n'.repeat(100_000)],
    ['100,000 strings that do not end', () => '{"a": "b\n'.repeat(100_000)],
  ])('%s', async (_, make) => {
    await thereAndBack(Buffer.from(make()));
  });

  it('a ragged table', async () => {
    const random = seeded(5);
    const rows = pods(300).split('\n');
    const ragged = rows.map((row, i) =>
      row.includes('Crash')
        ? row
        : i % 7 === 3
          ? row.slice(0, Math.floor(random() * row.length))
          : i % 11 === 5
            ? `${row}  extra  cells`
            : row,
    );
    const view = (await thereAndBack(Buffer.from(ragged.join('\n')))).toString();
    expect(view).toContain(rows[0]);
    expect(view).toContain('CrashLoopBackOff');
  });
});

describe('a terminal is not attacked', () => {
  const attacks: ReadonlyArray<readonly [string, string]> = [
    ['titles', '\u001b]0;pwned\u0007'],
    ['titles ended by ST', '\u001b]2;pwned\u001b\\'],
    ['the clipboard (OSC 52)', '\u001b]52;c;ZXZpbA==\u0007'],
    ['links (OSC 8)', '\u001b]8;;http://evil.example\u0007'],
    ['device control', '\u001bP+q544e\u001b\\'],
    ['privacy and application strings', '\u001b^x\u001b\\\u001b_y\u001b\\\u001bXz\u001b\\'],
    ['cursor and screen', '\u001b[2J\u001b[H\u001b[1;1r\u001b[?1049h'],
    ['reports', '\u001b[6n\u001b[c\u001b[>c\u001bZ'],
    ['C1 in UTF-8', '\u009b2J\u009d0;x\u0007\u0090q\u009c'],
    ['a title that does not end', '\u001b]0;pwned'],
    ['a control sequence that does not end', '\u001b[31'],
    ['an escape at the end of the line', '\u001b'],
    ['nested', '\u001b]0;a\u001b]0;b\u0007'],
    ['a sequence over a line end', '\u001b]0;a\nb\u0007'],
    ['strange final bytes', '\u001b[<u\u001b[=1u\u001b[>4;2m\u001b[!p'],
    ['charsets', '\u001b(0\u001b)B\u001b*A\u000e\u000f'],
  ];
  it.each(attacks)('%s', async (_, attack) => {
    const view = await thereAndBack(
      Buffer.from(lines.map((line) => `${line.slice(0, 30)}${attack}${line.slice(30)}`).join('\n')),
    );
    // oxlint-disable-next-line no-control-regex
    expect(view.toString()).not.toMatch(/\u001b|[\u0090\u009b\u009d]/);
    expect(view.toString()).toContain('ERROR');
  });

  it('an attack inside the notes of commands', async () => {
    for (const args of [
      ['expand', '\u001b]0;x\u0007'],
      ['expand', 'abcdef123456', '\u001b[2J'],
      ['\u001b[2J'],
      ['--as', '\u001b[2J'],
      ['forget', '\u001b[2J'],
    ]) {
      const { err, text } = await box.run(args, { input: 'x' });
      // oxlint-disable-next-line no-control-regex
      expect(err + text, args.join(' ')).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    }
  });
});

// The messages of the argument parser hold the argument as it is.
describe('the notes of the argument parser', () => {
  it.each([[['config', '\u001b[2J']], [['list', '--\u001b]0;x\u0007']]])('%j', async (args) => {
    // oxlint-disable-next-line no-control-regex
    expect((await box.run(args)).err).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});

describe('markers in the input', () => {
  const foreign = [
    '<<ctxzip:ac998fea694b 88_lines_offloaded L3-90 Running:88 expand: ctxzip expand ac998fea694b L3-90>>',
    '<<ctxzip 41_lines L50-90>>',
    '<<ccr:abcdef 12 lines>>',
    '[full output: /tmp/x.log]',
    'rtk recall abcdef012345',
    'Retrieve more: hash=abcdef012345',
  ];

  it.each(foreign)('forged or foreign ones stay: %s', async (marker) => {
    const view = await thereAndBack(
      Buffer.from([...lines.slice(0, 700), marker, ...lines.slice(700)].join('\n')),
    );
    expect(view.toString()).toContain(`${marker}\n`);
  });

  it('real ones of another view stay, and both originals come back', async () => {
    const inner = (await box.run([], { input: pods() })).text;
    const input = `${log(900)}${inner}${log(900, '-b')}`;
    const view = (await thereAndBack(Buffer.from(input))).toString();
    for (const marker of inner.split('\n').filter((line) => line.startsWith('<<ctxzip')))
      expect(view).toContain(marker);
    const hash = /<<ctxzip:([0-9a-f]{12}) \d+_lines_offloaded \S+ Running/.exec(view)![1]!;
    expect((await box.run(['expand', hash])).text === pods()).toBe(true);
  });

  it('a marker with the very hash of its own input', async () => {
    const view = (await box.run([], { input: log(901) })).text;
    const marker = view.split('\n').find((line) => line.startsWith('<<ctxzip:'))!;
    await thereAndBack(Buffer.from(`${marker}\n${log(901)}`));
    await thereAndBack(Buffer.from(`${view}${log(901)}${view}`));
  });

  it('a thousand of them', async () => {
    await thereAndBack(Buffer.from(`${foreign.join('\n')}\n`.repeat(200)));
  });
});

function words(rows: number, columns: number): string {
  const random = seeded(rows + columns);
  const word = (): string => Math.floor(random() * 1e9).toString(36);
  return Array.from({ length: rows }, () => Array.from({ length: columns }, word).join(' ')).join('\n');
}
