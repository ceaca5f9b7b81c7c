/** `--level minimal`: nothing is hidden, nothing is stored. */
import { describe, expect, it } from 'vitest';
import { sandbox } from '../support-e2e/command.ts';
import { log, pods } from '../support-e2e/inputs.ts';

const box = sandbox();
const records = Array.from({ length: 60 }, (_, i) => ({
  id: i,
  name: `web-${i}`,
  ready: i % 7 > 0,
  kind: 'Pod',
}));
const document = `${JSON.stringify({ items: records }, null, 2)}\n`;

describe('--level minimal', () => {
  it.each([
    ['JSON', document, 'json'],
    ['minified JSON', JSON.stringify(records), 'json'],
    ['records a line', `${records.map((record) => JSON.stringify(record)).join('\n')}\n`, 'ndjson'],
    ['a table', pods(), 'text'],
    ['a log', log(), 'text'],
    ['CRLF', log(300).replaceAll('\n', '\r\n'), 'text'],
    ['no final newline', log(300).slice(0, -1), 'text'],
    ['colours', log(300).replaceAll('INFO', '\u001b[32mINFO\u001b[0m'), 'text'],
    ['JSON behind a warning', `W0501 deprecated\n${document}`, 'text'],
  ])('%s comes back byte for byte, without a store', async (_, input, kind) => {
    const env = { CTXZIP_HOME: `${box.root}/none`, HOME: `${box.root}/none` };
    const { text, err, code } = await box.run(['--level', 'minimal'], { input, env });
    expect({ err, code, first: text.split('\n')[0] }).toEqual({
      err: '',
      code: 0,
      first: `<<ctxzip minimal/1 ${kind}>>`,
    });
    expect(text.length).toBeLessThan(input.length);
    const restored = await box.run(['restore'], { input: text, env });
    expect({ same: restored.text === input, err: restored.err, code: restored.code }).toEqual({
      same: true,
      err: '',
      code: 0,
    });
    expect(box.spooled()).toEqual([]);
  });

  it('invalid UTF-8 comes back', async () => {
    const input = Buffer.from(log(300).replaceAll('INFO', 'INF\u00ff'), 'latin1');
    const { out } = await box.run(['--level', 'minimal'], { input });
    expect(out.length).toBeLessThan(input.length);
    expect((await box.run(['restore'], { input: out })).out.equals(input)).toBe(true);
  });

  it('irregular JSON comes back as an equal document', async () => {
    const input = JSON.stringify(records).replaceAll(',"', ' ,  "').replace('}', '\n}');
    const { text } = await box.run(['--level', 'minimal'], { input });
    const { text: back, code } = await box.run(['restore'], { input: text });
    expect({ back: back.trim(), code }).toEqual({ back: JSON.stringify(records), code: 0 });
  });

  it.each([
    ['binary', Buffer.concat([Buffer.from(log()), Buffer.from([0])])],
    ['small', Buffer.from('{"a": 1}\n')],
    [
      'what can not be written shorter',
      Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 7919 * 104_729).toString(36)).join(' ')),
    ],
  ])('%s passes through', async (_, input) => {
    const { out, err, code } = await box.run(['--level', 'minimal'], { input });
    expect({ same: out.equals(input), err, code }).toEqual({ same: true, err: '', code: 0 });
  });

  it('is a fixed point at every level', async () => {
    const { text: view } = await box.run(['--level', 'minimal'], { input: log() });
    for (const args of [[], ['--level', 'minimal'], ['--no-store'], ['--max-tokens', '100']]) {
      expect((await box.run(args, { input: view })).text === view, args.join(' ')).toBe(true);
    }
  });

  it('of what begins as a minimal view is the input, and so is its restoration', async () => {
    const input = `<<ctxzip minimal/1 text>>\n#123456789\n${log()}`;
    for (const args of [[], ['--level', 'minimal']]) {
      const { text } = await box.run(args, { input });
      expect(text === input).toBe(true);
      const restored = await box.run(['restore'], { input: text });
      expect({ same: restored.text === input, code: restored.code }).toEqual({ same: true, code: 1 });
      expect(restored.err).toMatch(/^ctxzip: this minimal view is damaged: its check sum does not fit/);
    }
  });

  it('a damaged view: restore and verify say what is wrong', async () => {
    const { text: view } = await box.run(['--level', 'minimal'], { input: document });
    const cut = view.slice(0, view.length / 2);
    const restored = await box.run(['restore'], { input: cut });
    expect({ text: restored.text, code: restored.code }).toEqual({ text: cut, code: 1 });
    expect(restored.err).toMatch(/^ctxzip: this minimal view is damaged: line \d+: it ends too early\n$/);
    const verified = await box.run(['verify'], { input: cut });
    expect({ text: verified.text, code: verified.code }).toEqual({ text: '', code: 1 });
    expect(verified.err).toMatch(/damaged: line \d+/);
  });

  it('verify proves it without a store', async () => {
    const { text: view } = await box.run(['--level', 'minimal'], { input: log() });
    const env = { CTXZIP_HOME: '', HOME: '/nonexistent' };
    const { text, code } = await box.run(['verify'], { input: view, env });
    expect(code).toBe(0);
    expect(text).toMatch(/^[0-9a-f]{12}: proven by the decoder of level minimal \(text\), SHA-256 /);
    expect(text).toMatch(/^failures: 1 of 1 lines in view$/m);
    const { text: json } = await box.run(['verify', '--json'], { input: view, env });
    expect(JSON.parse(json)).toMatchObject({
      level: 'minimal',
      kind: 'proven',
      size: log().length,
      hiddenBytes: 0,
      gaps: [],
    });
  });

  it('from the configuration, and with --json and --explain', async () => {
    const env = { CTXZIP_LEVEL: 'minimal' };
    const { text } = await box.run(['--json'], { input: log(), env });
    expect(JSON.parse(text)).toMatchObject({ kind: 'view', level: 'minimal', shapes: ['text'], gaps: [] });
    expect((await box.run(['--explain'], { input: log(), env })).err).toMatch(
      /level minimal: all of it, as text/,
    );
  });

  it('a shape that is given is kept to', async () => {
    const { text } = await box.run(['--level', 'minimal', '--as', 'text'], { input: document });
    expect(text.split('\n')[0]).not.toBe('<<ctxzip minimal/1 json>>');
  });

  it('a recorded view is taken back to its original first', async () => {
    const { text: view } = await box.run([], { input: log() });
    const { text } = await box.run(['--level', 'minimal'], { input: view });
    expect((await box.run(['restore'], { input: text })).text === log()).toBe(true);
  });
});

describe('50 MB', () => {
  it.each([
    [
      'JSON',
      (): string =>
        JSON.stringify(
          Array.from({ length: 400_000 }, (_, i) => ({
            id: i,
            name: `web-${i}`,
            phase: 'Running',
            node: `node-${i % 40}`,
            restarts: i % 3,
            image: 'registry.example/shop/cart:1.2',
          })),
        ),
    ],
    ['a log', (): string => log(600_000)],
  ])('of %s', { timeout: 120_000 }, async (_, make) => {
    const input = make();
    const { out, err, code } = await box.run(['--level', 'minimal'], { input, timeoutMs: 110_000 });
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out.length).toBeLessThan(input.length / 2);
    expect((await box.run(['restore'], { input: out, timeoutMs: 60_000 })).text === input).toBe(true);
  });
});
