/** Law 6 of design §2: the same input gives the same bytes in any process, locale, folder, time zone and load. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFixtures } from '../support/fixtures.ts';
import { sandbox } from '../support-e2e/command.ts';
import { log, pods } from '../support-e2e/inputs.ts';
import { viewOf } from '../support-e2e/law-kit.ts';

const box = sandbox();
const words = 'äpfel Öl İstanbul ıssız straße ΣΊΣΥΦΟΣ 10,5 1.000'.split(' ');
const international = log(1500).replaceAll('INFO', (_, at: number) => words[at % words.length]!);

describe('the same bytes', () => {
  const surroundings: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ['far east', { TZ: 'Asia/Kathmandu', LANG: 'ja_JP.UTF-8', LC_ALL: 'ja_JP.UTF-8' }],
    ['Turkish', { TZ: 'Europe/Istanbul', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }],
    ['C', { TZ: 'UTC', LC_ALL: 'C' }],
    ['no terminal', { TERM: 'dumb', NO_COLOR: '1', COLUMNS: '20' }],
    ['colours', { FORCE_COLOR: '3', TERM: 'xterm-256color' }],
    ['another user', { HOME: '/', USER: 'nobody' }],
  ];

  it.each(surroundings)('%s', async (_, env) => {
    mkdirSync(join(box.root, 'elsewhere'), { recursive: true });
    for (const input of [log(), pods(), international]) {
      const here = await box.run([], { input });
      const there = await box.run([], { input, env, cwd: join(box.root, 'elsewhere') });
      expect(there.out.equals(here.out)).toBe(true);
      expect(here.text).toContain('<<ctxzip:');
    }
  });

  it('the built command and the core', async () => {
    for (const { strategy, name, input, facts } of readFixtures()) {
      if (facts.policy !== undefined || facts.kind !== 'typical') continue;
      const { out } = await box.run([], { input });
      expect(out.equals(viewOf(input)?.bytes ?? input), `${strategy}/${name}`).toBe(true);
    }
  });

  it('whatever the store holds', async () => {
    const fresh = sandbox();
    const first = await fresh.run([], { input: log(1800) });
    await box.run([], { input: log(1800) });
    await box.run(['gc']);
    const second = await box.run([], { input: log(1800) });
    expect(second.out.equals(first.out)).toBe(true);
  });

  it('in drops and at once', async () => {
    const { out } = await box.shell(
      'cat > in; { head -c 1000 in; sleep 0.1; tail -c +1001 in | head -c 70000; sleep 0.1; tail -c +71001 in; } | $CZ',
      { input: log() },
    );
    expect(out.equals((await box.run([], { input: log() })).out)).toBe(true);
  });
});
