/** `ctxzip init`, by flags and by keys in a terminal; `doctor` and `completion`. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { execute, hasTool, projectFolder, type Sandbox, sandbox } from '../support-e2e/command.ts';

let box: Sandbox;
let project: string;
const at = (name: string): string => join(project, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

beforeEach(() => {
  box = sandbox();
  project = join(box.root, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(at('.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(at('go.mod'), 'module harbour\n');
});

const init = (...args: string[]) => box.run(['init', ...args], { cwd: project });

describe('without a terminal', () => {
  it('shows the plan, writes nothing and asks nothing', async () => {
    const { text, err, code } = await init();
    expect(code).toBe(2);
    expect(text).toContain('+++ b/forge.yaml');
    expect(err).toMatch(/nothing was written; --yes writes it/);
    expect(existsSync(at('forge.yaml'))).toBe(false);
    expect((await init('--dry-run')).code).toBe(0);
  });

  it('writes with --yes, changes nothing the second time, and takes it back', async () => {
    writeFileSync(at('AGENTS.md'), '# Agents\n');
    expect((await init('--yes', '--level', 'none', '--ttl', '3d')).code).toBe(0);
    expect(read('forge.yaml')).toMatch(/^ {2}level: none$/m);
    expect(read('forge.yaml')).toContain("    - '/^(?:--- FAIL|panic):/m'");
    expect(read('AGENTS.md')).toMatch(/^# Agents\n\n<!-- ctxzip:begin -->\n/);
    const shown = await box.run(['config', 'show', '--json'], { cwd: project });
    expect(shown.text).toContain('"3d"');
    expect((await box.run(['config', 'check'], { cwd: project })).code).toBe(0);
    const before = [read('forge.yaml'), read('AGENTS.md')];
    const again = await init('--yes', '--level', 'none', '--ttl', '3d');
    expect(again.err).toMatch(/nothing to change/);
    expect([read('forge.yaml'), read('AGENTS.md')]).toEqual(before);
    expect((await init('--undo')).code).toBe(0);
    expect(existsSync(at('forge.yaml'))).toBe(false);
    expect(read('AGENTS.md')).toBe('# Agents\n');
    expect((await init('--undo')).err).toMatch(/nothing to take back/);
  });

  it('a store of its own is ignored by git', async () => {
    expect((await init('--yes', '--where', 'store', '--agents', 'none')).code).toBe(0);
    expect(read('.gitignore')).toBe('/.ctxzip/\n');
    await box.run([], { cwd: project, input: 'INFO request done in 3ms\n'.repeat(2000) });
    expect(existsSync(at('.ctxzip/spool'))).toBe(true);
  });

  it('gives the plan as JSON', async () => {
    const { text } = await init('--json', '--agents', 'print');
    const plan = JSON.parse(text) as {
      written: boolean;
      changes: Array<{ action: string }>;
      instructions: string;
    };
    expect(plan).toMatchObject({ written: false, changes: [{ action: 'create' }] });
    expect(plan.instructions).toContain('ctxzip expand');
  });

  it.each([
    ['compression: [\n', /forge\.yaml is left as it is: line/],
    ['compression: 7\n', /is no map/],
  ])('refuses a file that it can not read: %j', async (text, message) => {
    writeFileSync(at('forge.yaml'), text);
    const { err, code } = await init('--yes');
    expect({ code, text: read('forge.yaml') }).toEqual({ code: 1, text });
    expect(err).toMatch(message);
    expect(existsSync(at('AGENTS.md'))).toBe(false);
  });

  it('undo leaves alone what was changed since', async () => {
    await init('--yes', '--agents', 'none');
    writeFileSync(at('forge.yaml'), `${read('forge.yaml')}# mine\n`);
    const { err, code } = await init('--undo');
    expect(code).toBe(1);
    expect(err).toMatch(/was changed since/);
    expect(read('forge.yaml')).toMatch(/# mine\n$/);
  });

  it('keeps links and modes', async () => {
    writeFileSync(at('real.md'), '# Agents\n');
    chmodSync(at('real.md'), 0o640);
    symlinkSync('real.md', at('CLAUDE.md'));
    await init('--yes', '--agents', 'CLAUDE.md');
    expect(lstatSync(at('CLAUDE.md')).isSymbolicLink()).toBe(true);
    expect(lstatSync(at('real.md')).mode & 0o777).toBe(0o640);
    expect(read('real.md')).toContain('ctxzip:begin');
  });

  it.each([
    [['--where', 'moon'], /--where is one of/],
    [['--level', 'lots'], /--level is one of/],
    [['--ttl', 'soon'], /--ttl is a number/],
    [['--agents', '../../etc/passwd'], /--agents is none/],
  ])('%j is no answer', async (args, message) => {
    const { err, code } = await init('--yes', ...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

const play = (...script: string[]) =>
  execute(
    [
      'python3',
      join(projectFolder, 'test/support-e2e/terminal.py'),
      `${process.execPath} ${join(projectFolder, 'bin/ctxzip.js')} init`,
      ...script,
    ],
    { cwd: project, env: { ...box.env, TERM: 'xterm' } },
  );

describe.skipIf(!hasTool('python3'))('in a terminal', () => {
  const DOWN = '\\x1b[B';

  it('asks, shows the plan and writes it', async () => {
    const { text, code } = await play(
      'set up?',
      '\\r',
      'may go?',
      '\\r',
      'every view?',
      '\\r',
      'kept?',
      '\\r',
      'markers are?',
      `${DOWN}\\r`,
      'Write this?',
      'y\\r',
    );
    expect(code).toBe(0);
    expect(text).toContain('+++ b/forge.yaml');
    expect(read('CLAUDE.md')).toContain('ctxzip expand');
    expect(existsSync(at('AGENTS.md'))).toBe(false);
  });

  it('writes nothing where the answer is no, or Ctrl-C', async () => {
    const no = await play(
      'set up?',
      '\\r',
      'may go?',
      '\\r',
      'every view?',
      '\\r',
      'kept?',
      '\\r',
      'markers are?',
      '\\r',
      'Write this?',
      'n\\r',
    );
    expect(no.code).toBe(0);
    const left = await play('set up?', '\\x03');
    expect(left.code).toBe(130);
    expect(left.text).toContain('nothing was written');
    expect(existsSync(at('forge.yaml'))).toBe(false);
  });
});

describe('doctor', () => {
  it('says that all is well, and what is not', async () => {
    expect(await box.run(['doctor'])).toMatchObject({ code: 0 });
    writeFileSync(at('forge.yaml'), 'compression:\n  levle: none\n');
    const sick = await box.run(['doctor'], { cwd: project });
    expect(sick.code).toBe(1);
    expect(sick.text).toMatch(/WRONG config .*levle/);
    const file = join(box.root, 'file');
    writeFileSync(file, '');
    const homeless = await box.run(['doctor', '--json'], { env: { CTXZIP_HOME: file } });
    expect(homeless.code).toBe(1);
    expect(JSON.parse(homeless.text)).toContainEqual(
      expect.objectContaining({ name: 'store', state: 'wrong' }),
    );
  });

  it('closes a store that others may read', async () => {
    await box.run([], { input: 'INFO request done in 3ms\n'.repeat(2000) });
    chmodSync(box.store, 0o755);
    expect((await box.run(['doctor'])).text).toMatch(/WRONG store .*others may read/);
    expect((await box.run(['doctor', '--fix'])).code).toBe(0);
    expect(lstatSync(box.store).mode & 0o777).toBe(0o700);
  });
});

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s names every command', async (shell) => {
    const { text, code } = await box.run(['completion', shell]);
    expect(code).toBe(0);
    for (const name of ['expand', 'restore', 'verify', 'list', 'init', 'doctor'])
      expect(text).toContain(name);
  });

  it.skipIf(!hasTool('bash'))('works in bash', async () => {
    const script =
      'source <($CZ completion bash); COMP_WORDS=(ctxzip res); COMP_CWORD=1; _ctxzip; echo "${COMPREPLY[@]}"; COMP_WORDS=(ctxzip init --dry); COMP_CWORD=2; _ctxzip; echo "${COMPREPLY[@]}"';
    const { text } = await box.shell(`bash -c '${script}'`);
    expect(text).toBe('restore\n--dry-run\n');
  });

  it('knows no other shell', async () => {
    expect(await box.run(['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });
});
