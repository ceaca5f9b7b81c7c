import { describe, expect, it } from 'vitest';
import { commandLine, storedCommand } from '../../src/app/command-line.ts';

describe('commandLine', () => {
  it.each([
    [['kubectl', 'get', 'pods'], 'kubectl get pods'],
    [['/usr/bin/kubectl', 'get'], '/usr/bin/kubectl get'],
    [['/opt/my tools/kubectl', 'get'], 'kubectl get'],
    [['ls'], 'ls'],
  ])('%j', (words, line) => expect(commandLine(words as [string, ...string[]])).toBe(line));

  it('is cut where it is very long', () => {
    expect(commandLine(['ls', 'x'.repeat(1 << 20)])).toHaveLength(8192);
  });
});

describe('storedCommand', () => {
  it.each([
    [['git', 'log', '--oneline', '-3'], 'git log --oneline -3'],
    [['sh', '-c', 'echo "a b" | wc'], `sh -c 'echo "a b" | wc'`],
    [['echo', "it's"], `echo 'it'\\''s'`],
    [['echo', ''], `echo ''`],
    [['env', 'A=b c', 'ls'], `env A='b c' ls`],
    [['mysql', '--password', "a 'b c"], 'mysql --password ***'],
    [['env', "PASSWORD=it's mine", 'ls'], 'env PASSWORD=*** ls'],
    [['sh', '-c', `mysql --password='a b' -e x`], `sh -c 'mysql --password=*** -e x'`],
    [['curl', '-H', "Authorization: Bearer it's", 'x'], `curl -H 'Authorization: ***' x`],
    [['curl', 'https://me:word@host/x'], 'curl https://me:***@host/x'],
  ])('%j', (words, text) => expect(storedCommand(words)).toBe(text));

  it('shows no part of a word that is too long to be looked through', () => {
    const secret = `--token ${'s3cret '.repeat(2000)}`;
    expect(storedCommand(['sh', '-c', secret])).toBe('sh -c …');
    expect(storedCommand(['a', ...Array.from({ length: 5000 }, () => 'file.txt')]).length).toBeLessThan(1010);
  });

  it.each(['a-', '-a', 'x.', '-pass', 'x-key-', '--pass--', '-a://', 'authorization ', 'token='])(
    'does not take long over %j again and again',
    (part) => {
      const startedMs = performance.now();
      storedCommand(['x', part.repeat(8000 / part.length)]);
      expect(performance.now() - startedMs).toBeLessThan(1000);
    },
  );
});
