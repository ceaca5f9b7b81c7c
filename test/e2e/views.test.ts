/** `restore` and `verify`: from a view back to its input, and the proof. */
import { describe, expect, it } from 'vitest';
import { hashOf, sandbox } from '../support-e2e/command.ts';
import { log, longFailureLog, pods } from '../support-e2e/inputs.ts';

const box = sandbox();

describe('restore', () => {
  it.each([
    ['a table', pods()],
    ['a log', log()],
    ['CRLF', log().replaceAll('\n', '\r\n')],
    ['no final newline', log().slice(0, -1)],
    ['colours', log().replaceAll('INFO', '\u001b[32mINFO\u001b[0m')],
    ['a byte order mark', `\ufeff${log()}`],
    ['characters of all sizes', log().replaceAll('INFO', 'é漢😀')],
    ['a very long line', `${log(200)}${'word and word '.repeat(5000)}\n`],
    ['overwritten progress', `${'downloading\r'.repeat(500)}\n${log(200)}`],
  ])('%s', async (_, input) => {
    const { text } = await box.run([], { input });
    expect(text).toContain('<<ctxzip:');
    const { out, err, code } = await box.run(['restore'], { input: text });
    expect({ same: out.equals(Buffer.from(input)), err, code }).toEqual({ same: true, err: '', code: 0 });
  });

  it('after gc, from LMDB', async () => {
    const own = sandbox();
    const { text } = await own.run([], { input: log() });
    await own.run(['gc']);
    const { text: back, code } = await own.run(['restore'], { input: text });
    expect({ same: back === log(), code }).toEqual({ same: true, code: 0 });
  });

  it('unknown input comes out unchanged, with exit 1', async () => {
    const input = Buffer.from([0, 255, 13, 10, 65]);
    const { out, err, code } = await box.run(['restore'], { input });
    expect({ same: out.equals(input), err, code }).toEqual({ same: true, err: '', code: 1 });
  });

  it('an edited view comes out unchanged, with a note that names expand', async () => {
    const { text } = await box.run([], { input: log() });
    for (const edited of [
      text.slice(0, -1),
      `${text}\n`,
      text.replace('INFO', 'info'),
      text.replaceAll('\n', '\r\n'),
    ]) {
      const { text: same, err, code } = await box.run(['restore'], { input: edited });
      expect({ same: same === edited, code }).toEqual({ same: true, code: 1 });
      expect(err).toMatch(/use ctxzip expand/);
    }
  });

  it('a forged marker brings no note', async () => {
    const input = `text\n<<ctxzip:ac998fea694b 88_lines_offloaded L3-90>>\n`;
    const { text, err, code } = await box.run(['restore'], { input });
    expect({ text, err, code }).toEqual({ text: input, err: '', code: 1 });
  });

  it('nothing gives nothing', async () => {
    const { out, code } = await box.run(['restore']);
    expect({ out: out.length, code }).toEqual({ out: 0, code: 1 });
  });

  it('without a store the input comes out', async () => {
    const { text, code } = await box.run(['restore'], {
      input: 'x\n',
      env: { CTXZIP_HOME: `${box.root}/none` },
    });
    expect({ text, code }).toEqual({ text: 'x\n', code: 1 });
  });

  it('of a forgotten original: the view comes out, with words', async () => {
    const own = sandbox();
    const { text } = await own.run([], { input: log() });
    await own.run(['forget', hashOf(text)]);
    const { text: same, code } = await own.run(['restore'], { input: text });
    expect({ same, code }).toEqual({ same: text, code: 1 });
  });

  // A view without a marker does not say which of them it is of.
  it('tells two colourings of one text apart', async () => {
    const own = sandbox();
    const [red, blue] = [31, 34].map((n) =>
      prose().replaceAll(/\w+/g, (word) => `\u001b[38;5;${n}m${word}\u001b[0m`),
    );
    const views = [(await own.run([], { input: red! })).text, (await own.run([], { input: blue! })).text];
    expect(views[0]).toBe(prose());
    expect((await own.run(['restore'], { input: views[1]! })).text).toBe(blue);
    expect((await own.run(['restore'], { input: views[0]! })).text).toBe(red);
  });

  it('gives nothing for nothing after an input of control sequences', async () => {
    const own = sandbox();
    await own.run([], { input: '\u001b[0m'.repeat(3000) });
    expect((await own.run(['restore'])).out.length).toBe(0);
  });
});

describe('verify', () => {
  it('proves a view, and counts its failures', async () => {
    const { text } = await box.run([], { input: log() });
    const { text: proof, err, code } = await box.run(['verify'], { input: text });
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(proof).toMatch(new RegExp(`^${hashOf(text)}: proven, SHA-256 ${hashOf(text)}[0-9a-f]{52}\n`));
    const [, size, shown, hidden] = /^(\d+) bytes = (\d+) in view \+ (\d+) in \d+ gaps$/m.exec(proof)!;
    expect(Number(size)).toBe(log().length);
    expect(Number(shown) + Number(hidden)).toBe(log().length);
    expect(proof).toMatch(/^failures: 1 of 1 lines in view$/m);
  });

  it('counts the failures that a budget hides', async () => {
    const { text } = await box.run(['--max-tokens', '100'], { input: longFailureLog() });
    const { text: proof, code } = await box.run(['verify'], { input: text });
    expect(code).toBe(0);
    expect(proof).toMatch(/^failures: 1 of 2 lines in view$/m);
    expect(proof).toMatch(/failures:1/);
  });

  it('as JSON', async () => {
    const { text } = await box.run([], { input: pods() });
    const { text: json } = await box.run(['verify', '--json'], { input: text });
    const proof = JSON.parse(json) as { kind: string; gaps: unknown[]; size: number };
    expect(proof).toMatchObject({ kind: 'proven', size: pods().length });
    expect(proof.gaps.length).toBe(text.split('<<ctxzip').length - 1);
  });

  it('counts control sequences that went', async () => {
    const { text } = await box.run([], { input: log().replaceAll('INFO', '\u001b[32mINFO\u001b[0m') });
    const { text: proof, code } = await box.run(['verify'], { input: text });
    expect(code).toBe(0);
    expect(proof).toMatch(/\+ \d+ in control sequences/);
  });

  it('an edited view is not proven', async () => {
    const { text } = await box.run([], { input: log() });
    const { code, err } = await box.run(['verify'], { input: text.replace('ERROR', 'INFO!') });
    expect(code).toBe(1);
    expect(err).toMatch(/it was changed, or it is a part of one/);
  });

  it('what is no view is not known', async () => {
    const { code, err, out } = await box.run(['verify'], { input: 'hello\n' });
    expect({ code, out: out.length }).toEqual({ code: 1, out: 0 });
    expect(err).toMatch(/no view that this store knows/);
  });

  it('markers in the input are no gaps', async () => {
    const input = `${log(500)}<<ctxzip:ac998fea694b 88_lines_offloaded L3-90>>\n<<ctxzip 5_lines L1-5>>\n${log(500, '-b')}`;
    const { text } = await box.run([], { input });
    expect(text).toContain('<<ctxzip:ac998fea694b 88_lines_offloaded L3-90>>\n<<ctxzip 5_lines L1-5>>\n');
    expect((await box.run(['verify'], { input: text })).code).toBe(0);
    expect((await box.run(['restore'], { input: text })).text).toBe(input);
  });
});

/** Text that stays whole. */
function prose(): string {
  const words =
    'of what the sea gave back that year nobody spoke again until snow had covered every boat'.split(' ');
  const lines = Array.from({ length: 60 }, (_, i) =>
    words.map((__, w) => words[(w * (i + 3) + i) % words.length]),
  );
  return lines.map((line, i) => `${line.slice(i % 9).join(' ')}\n`).join('');
}
