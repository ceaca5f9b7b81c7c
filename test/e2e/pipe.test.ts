/** The bare pipe with each of its flags. */
import { describe, expect, it } from 'vitest';
import { hashOf, sandbox } from '../support-e2e/command.ts';
import { FAILURE, log, longFailureLog, pods, seeded } from '../support-e2e/inputs.ts';

const box = sandbox();

interface Report {
  readonly kind: string;
  readonly hash: string;
  readonly bytes: number;
  readonly viewBytes: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly shapes: readonly string[];
  readonly sections: ReadonlyArray<{ shape: string; lines: [number, number]; reason: string }>;
  readonly reasons: Record<string, number>;
  readonly gaps: ReadonlyArray<{ address: string; bytes: [number, number]; view: [number, number] }>;
  readonly output: string;
  readonly reason?: string;
}

async function report(input: string, ...args: string[]): Promise<Report> {
  const { text, code, err } = await box.run(['--json', ...args], { input });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(text.endsWith('}\n')).toBe(true);
  return JSON.parse(text) as Report;
}

describe('the pipe', () => {
  it('shows what matters of a table and hides the rest behind markers', async () => {
    const { text, err, code } = await box.run([], { input: pods() });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = text.split('\n');
    expect(lines.length).toBeLessThan(20);
    expect(lines[0]).toMatch(/^NAMESPACE {3}NAME/);
    expect(text).toContain('pay-66b4c7d9f-q0050           0/1     CrashLoopBackOff');
    const markers = lines.filter((line) => line.startsWith('<<ctxzip'));
    expect(markers[0]).toMatch(
      /^<<ctxzip:([0-9a-f]{12}) \d+_lines_offloaded (L\d+-\d+) Running:\d+ expand: ctxzip expand \1 \2>>$/,
    );
    expect(markers.at(-1)).toMatch(/^<<ctxzip:[0-9a-f]{12} \d+_lines_offloaded L\d+-\d+ Running:\d+>>$/);
    const hidden = markers
      .map((marker) => Number(/ (\d+)_lines/.exec(marker)![1]))
      .reduce((a, b) => a + b, 0);
    expect(hidden + lines.filter((line) => line.startsWith('shop')).length).toBe(150);
  });

  it('passes what is small through, with no store touched', async () => {
    const empty = sandbox();
    const { text, err, code } = await empty.run([], { input: pods(10) });
    expect({ text, err, code }).toEqual({ text: pods(10), err: '', code: 0 });
    expect(empty.spooled()).toEqual([]);
  });

  it('gives the same view of the same input, and stores it once', async () => {
    const own = sandbox();
    const first = await own.run([], { input: log() });
    const second = await own.run([], { input: log() });
    expect(second.text).toBe(first.text);
    expect(own.spooled()).toHaveLength(1);
    expect(own.spooled()[0]!.slice(0, 12)).toBe(hashOf(first.text));
  });
});

describe('--query', () => {
  it('keeps the lines that answer it', async () => {
    const plain = await box.run([], { input: log() });
    expect(plain.text).not.toContain('id=1234 ');
    const { text } = await box.run(['--query', 'what happened to id=1234?'], { input: log() });
    expect(text).toContain('id=1234 ');
    const short = await box.run(['-q', 'what happened to id=1234?'], { input: log() });
    expect(short.text).toBe(text);
  });

  it('takes names with hyphens', async () => {
    const { text, err } = await box.run(['--query', 'is cart-7d9f8b6c5-x0099 up?'], { input: pods() });
    expect(err).toBe('');
    expect(text).toContain('cart-7d9f8b6c5-x0099 ');
  });

  it.each([
    ['nothing', ''],
    ['only stop words', 'why is it so'],
    ['marks of a regex', 'a(b[c{d*e+f?g|h\\'],
    ['another language', '为什么 pod 失败'],
    ['a very long text', 'word '.repeat(20_000)],
  ])('takes %s', async (_, query) => {
    const { text, err, code } = await box.run([`--query=${query}`], { input: log() });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(text).toContain(FAILURE);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('--max-tokens', () => {
  it('makes the view as small as asked', async () => {
    const { tokensAfter, output } = await report(log(), '--max-tokens', '300');
    expect(tokensAfter).toBeLessThanOrEqual(300);
    expect(output).toContain(FAILURE);
  });

  it('binds small inputs too', async () => {
    const { text } = await box.run(['--max-tokens=150'], { input: pods(20) });
    expect(text).toContain('<<ctxzip:');
    expect(text).toContain('CrashLoopBackOff');
  });

  it('0 is no budget', async () => {
    const { text } = await box.run(['--max-tokens', '0'], { input: log() });
    expect(text).toBe((await box.run([], { input: log() })).text);
  });

  it('under 100 counts as 100', async () => {
    const { text, err, code } = await box.run(['--max-tokens', '1'], { input: log() });
    expect({ code, err }).toEqual({ code: 0, err: 'ctxzip: a budget of 1 tokens counts as 100\n' });
    expect(text).toBe((await box.run(['--max-tokens', '100'], { input: log() })).text);
    expect(text).toContain(FAILURE);
  });

  it('says on stderr what a budget hides', async () => {
    const { text, err } = await box.run(['--max-tokens', '100'], { input: longFailureLog() });
    expect(text).toMatch(/failures:1/);
    expect(err).toMatch(/^ctxzip: the budget of 100 tokens hides 1 kind of failures\n$/);
  });
});

describe('--level', () => {
  it('none copies', async () => {
    const own = sandbox();
    const { text, err } = await own.run(['--level', 'none'], { input: log() });
    expect({ same: text === log(), err }).toEqual({ same: true, err: '' });
    expect(own.spooled()).toEqual([]);
  });

  it('normal is the default', async () => {
    const { text } = await box.run(['--level', 'normal'], { input: log() });
    expect(text).toBe((await box.run([], { input: log() })).text);
  });
});

describe('--as and --tool', () => {
  it.each(['table', 'log', 'text'])('--as %s is taken, and every byte comes back', async (shape) => {
    const { text, err, code } = await box.run(['--as', shape], { input: pods() });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(text).toContain('CrashLoopBackOff');
    const back = await box.run(['restore'], { input: text });
    expect(back.text).toBe(pods());
  });

  it('--as log makes a log of a table', async () => {
    expect((await report(pods())).shapes).toEqual(['table']);
    expect((await report(pods(), '--as', 'log')).shapes).toEqual(['log']);
  });

  it('--tool picks the rules of forge.yaml', async () => {
    const own = sandbox();
    const { writeFileSync, mkdirSync } = await import('node:fs');
    mkdirSync(`${own.home}/.config/ctxzip`, { recursive: true });
    writeFileSync(
      `${own.home}/.config/ctxzip/forge.yaml`,
      "compression:\n  tools:\n    'kubectl get secret*': { level: none }\n",
    );
    const secret = await own.run(['--tool', 'kubectl get secrets -A'], { input: pods() });
    expect(secret.text).toBe(pods());
    const other = await own.run(['--tool', 'kubectl get pods'], { input: pods() });
    expect(other.text).toContain('<<ctxzip:');
    const list = await own.run(['list', '--json']);
    expect(JSON.parse(list.text)).toMatchObject([{ tool: 'kubectl get pods' }]);
  });
});

describe('--keep', () => {
  it('keeps literals of any case and patterns, and may be repeated', async () => {
    const { text } = await box.run(['--keep', 'CART-7d9f8b6c5-X0111', '--keep', '/x0(099|120)/'], {
      input: pods(),
    });
    for (const name of ['x0111', 'x0099', 'x0120']) expect(text).toContain(name);
    expect(text).not.toContain('x0112');
  });

  it('a bad pattern is said, and nothing is hidden', async () => {
    const { text, err, code } = await box.run(['--keep', '/(/'], { input: pods() });
    expect({ text, code }).toEqual({ text: pods(), code: 2 });
    expect(err).toContain('"/(/" is no valid regex');
  });

  it('a path is not taken for a pattern without a word', async () => {
    const { text, err } = await box.run(['--keep', '/var/log'], { input: pods() });
    expect(text).toBe(pods());
    expect(err).toMatch(/\/var\/log/);
  });

  it('a pattern that backtracks for ever is stopped, and the input comes out', async () => {
    const input = `${log()}${'a'.repeat(60)}!\n`;
    const { text, err, code, ms } = await box.run(['--keep', '/(a+)+$/'], { input });
    expect({ same: text === input, code }).toEqual({ same: true, code: 0 });
    expect(err).toMatch(/^ctxzip: .*pattern.*\n$/);
    expect(ms).toBeLessThan(12_000);
  });
});

describe('--no-store', () => {
  it('hides nothing: level minimal, with a word', async () => {
    const own = sandbox();
    const { text, err, code } = await own.run(['--no-store'], { input: log() });
    expect(code).toBe(0);
    expect(text).toMatch(/^<<ctxzip minimal\/1 text>>\n/);
    expect(err).toMatch(/^ctxzip: .*no store.*level minimal instead[^\n]*\n$/);
    expect(own.spooled()).toEqual([]);
    expect((await own.run(['restore'], { input: text })).text === log()).toBe(true);
  });

  it('passes through with a word what can not be written shorter', async () => {
    const own = sandbox();
    const input = prose();
    const { text, err, code } = await own.run(['--no-store'], { input });
    expect({ same: text === input, code }).toEqual({ same: true, code: 0 });
    expect(err).toMatch(/^ctxzip: .*store.*passed through unchanged\n$/);
  });
});

describe('--max-tokens', () => {
  it('says so where nothing can be left out', async () => {
    const input = `${'{"a":'.repeat(600)}1${'}'.repeat(600)}\n`;
    const { text, err, code } = await box.run(['--max-tokens', '500'], { input });
    expect({ same: text === input, code }).toEqual({ same: true, code: 0 });
    expect(err).toMatch(
      /^ctxzip: the budget of 500 tokens is too small: .* \d+; input passed through unchanged\n$/,
    );
    expect((await box.run(['--max-tokens', '9000'], { input })).err).toBe('');
  });
});

describe('--explain', () => {
  it('says on stderr why everything stayed', async () => {
    const { text, err } = await box.run(['--explain'], { input: pods() });
    expect(text).toBe((await box.run([], { input: pods() })).text);
    expect(err).toMatch(/estimated tokens, 2 gaps/);
    expect(err).toMatch(/L1-151 table/);
    expect(err).toMatch(/L52 +failure/);
    expect(err.split('\n').every((line) => line === '' || line.startsWith('ctxzip: '))).toBe(true);
  });

  it('says why nothing was done', async () => {
    const { text, err } = await box.run(['--explain'], { input: 'short\n' });
    expect(text).toBe('short\n');
    expect(err).toMatch(/passed through: under 2048 characters/);
  });
});

describe('--json', () => {
  it('splices back to the input', async () => {
    const input = log();
    const facts = await report(input, '--escapes', 'keep');
    expect(facts).toMatchObject({ kind: 'view', bytes: input.length, shapes: ['log'] });
    expect(facts.hash).toMatch(/^[0-9a-f]{64}$/);
    const view = Buffer.from(facts.output);
    expect(view.length).toBe(facts.viewBytes);
    const pieces: Buffer[] = [];
    let at = 0;
    for (const gap of facts.gaps) {
      pieces.push(view.subarray(at, gap.view[0]), Buffer.from(input).subarray(gap.bytes[0], gap.bytes[1]));
      at = gap.view[1];
    }
    pieces.push(view.subarray(at));
    expect(Buffer.concat(pieces).toString()).toBe(input);
    expect(facts.tokensAfter).toBeLessThan(facts.tokensBefore / 4);
    expect(facts.sections[0]).toMatchObject({ shape: 'log', lines: [1, 2000] });
    expect(Object.values(facts.reasons).reduce((a, b) => a + b, 0)).toBeGreaterThan(5);
  });

  it('carries the view that the plain pipe prints', async () => {
    expect((await report(pods())).output).toBe((await box.run([], { input: pods() })).text);
  });

  it('gives the reason of a passthrough', async () => {
    expect(await report('short\n')).toMatchObject({
      kind: 'passthrough',
      reason: 'under 2048 characters',
      gaps: [],
      output: 'short\n',
    });
  });

  it('gives the bytes of an input that is not text', async () => {
    const input = Buffer.from([0xff, 0xfe, 0x41]);
    const { text } = await box.run(['--json'], { input });
    expect(Buffer.from((JSON.parse(text) as Report).output, 'latin1').equals(input)).toBe(true);
  });
});

describe('--escapes, --markers, --no-hint', () => {
  const coloured = log().replaceAll('INFO', '\u001b[32mINFO\u001b[0m');

  it('strips colours, or keeps them', async () => {
    const stripped = await box.run([], { input: coloured });
    expect(stripped.text).not.toContain('\u001b');
    const kept = await box.run(['--escapes', 'keep'], { input: coloured });
    expect(kept.text).toContain('\u001b[32mINFO\u001b[0m');
    for (const { text } of [stripped, kept]) {
      expect((await box.run(['restore'], { input: text })).text).toBe(coloured);
    }
  });

  it('full markers all carry the hash', async () => {
    const short = await box.run([], { input: log() });
    expect(short.text).toMatch(/^<<ctxzip \d+_lines L\d+/m);
    const { text } = await box.run(['--markers', 'full'], { input: log() });
    expect(text).not.toMatch(/<<ctxzip \d/);
    expect((await box.run(['verify'], { input: text })).code).toBe(0);
  });

  it('no hint, no command', async () => {
    const { text } = await box.run(['--no-hint'], { input: log() });
    expect(text).toContain('<<ctxzip:');
    expect(text).not.toContain('expand: ');
  });
});

describe('a view as input', () => {
  it('comes out as it is under the same policy', async () => {
    const { text } = await box.run([], { input: log() });
    const again = await box.run([], { input: text });
    expect({ text: again.text, err: again.err, code: again.code }).toEqual({ text, err: '', code: 0 });
  });

  it('is made afresh from its original under another policy', async () => {
    const { text } = await box.run([], { input: log(2100) });
    const smaller = await box.run(['--max-tokens', '200'], { input: text });
    expect(smaller.text).toBe((await box.run(['--max-tokens', '200'], { input: log(2100) })).text);
    expect((await box.run(['restore'], { input: smaller.text })).text).toBe(log(2100));
  });

  it('is made afresh when gc has moved its original', async () => {
    const own = sandbox();
    const { text } = await own.run([], { input: log(2200) });
    expect((await own.run(['gc'])).code).toBe(0);
    expect(own.spooled()).toEqual([]);
    const smaller = await own.run(['--max-tokens', '200'], { input: text });
    expect((await own.run(['restore'], { input: smaller.text })).text).toBe(log(2200));
  });

  it('comes out unchanged when its original is gone', async () => {
    const own = sandbox();
    const { text } = await own.run([], { input: log(2300) });
    await own.run(['forget', hashOf(text)]);
    const again = await own.run([], { input: text });
    expect(again.text).toBe(text);
  });
});

describe('CTXZIP_DISABLE', () => {
  it.each(['1', 'true', 'yes', 'on'])('%s copies', async (value) => {
    const { text, code, err } = await box.run(['--query', 'x'], {
      input: log(),
      env: { CTXZIP_DISABLE: value },
    });
    expect({ same: text === log(), code, err }).toEqual({ same: true, code: 0, err: '' });
  });

  it('0 does not', async () => {
    expect((await box.run([], { input: log(), env: { CTXZIP_DISABLE: '0' } })).text).toContain('<<ctxzip:');
  });

  it('leaves expand, restore and verify alone', async () => {
    const { text } = await box.run([], { input: log() });
    const env = { CTXZIP_DISABLE: '1' };
    expect((await box.run(['expand', hashOf(text)], { env })).text).toBe(log());
    expect((await box.run(['restore'], { input: text, env })).text).toBe(log());
    expect((await box.run(['verify'], { input: text, env })).code).toBe(0);
  });
});

/** Lines that have nothing in common. */
function prose(): string {
  const next = seeded(7);
  const word = (): string => Math.floor(next() * 1e9).toString(36);
  return Array.from(
    { length: 200 },
    (_, i) => `${Array.from({ length: 2 + (i % 9) }, word).join(' ')}\n`,
  ).join('');
}
