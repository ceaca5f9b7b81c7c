import { describe, expect, it } from 'vitest';
import { withInstructions } from '../../src/init/agents.ts';
import { offersFor } from '../../src/init/offers.ts';
import { unified, withIgnored } from '../../src/init/texts.ts';

const lines = (...numbers: number[]): string => numbers.map((n) => `line ${n}\n`).join('');

describe('instructions', () => {
  const fresh = withInstructions(undefined);
  const text = fresh.kind === 'text' ? fresh.text : '';

  it('stand once, whatever was there', () => {
    expect(withInstructions(text)).toEqual({ kind: 'text', text });
    const grown = withInstructions('# Agents\nBe kind.');
    expect(grown).toEqual({ kind: 'text', text: `# Agents\nBe kind.\n\n${text}` });
    const changed = text.replace('Nothing is lost', 'Everything is lost');
    expect(withInstructions(`before\n\n${changed}after\n`)).toEqual({
      kind: 'text',
      text: `before\n\n${text}after\n`,
    });
  });

  it('keep Windows line ends', () => {
    const made = withInstructions('# Agents\r\n');
    expect(
      made.kind === 'text' &&
        made.text
          .split('\n')
          .slice(0, -1)
          .every((line) => line.endsWith('\r')),
    ).toBe(true);
  });

  it.each([
    `${text}${text}`,
    text.replace('<!-- ctxzip:end -->', ''),
    '<!-- ctxzip:end -->\n<!-- ctxzip:begin -->\n',
  ])('are not put between marks that are broken', (broken) => {
    expect(withInstructions(broken).kind).toBe('fault');
  });
});

describe('.gitignore', () => {
  it('gets a line once', () => {
    expect(withIgnored(undefined, '/.ctxzip/')).toBe('/.ctxzip/\n');
    expect(withIgnored('a', '/.ctxzip/')).toBe('a\n/.ctxzip/\n');
    expect(withIgnored('a\r\n', '/.ctxzip/')).toBe('a\r\n/.ctxzip/\r\n');
    expect(withIgnored('/.ctxzip/\nb\n', '/.ctxzip/')).toBe('/.ctxzip/\nb\n');
  });
});

describe('a unified diff', () => {
  it('shows what changed with three lines around it', () => {
    const before = lines(1, 2, 3, 4, 5, 6, 7, 8, 9);
    expect(unified('f', before, before.replace('line 5', 'LINE 5'))).toBe(
      '--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n line 2\n line 3\n line 4\n-line 5\n+LINE 5\n line 6\n line 7\n line 8\n',
    );
    expect(unified('f', undefined, lines(1))).toBe('--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+line 1\n');
    expect(unified('f', before, before)).toBe('');
  });

  it('has a hunk for each place', () => {
    const before = lines(...Array.from({ length: 40 }, (_, i) => i));
    const after = before.replace('line 3\n', '').replace('line 30\n', 'line 30\nmore\n');
    expect(unified('f', before, after).match(/^@@.*@@$/gm)).toEqual(['@@ -1,7 +1,6 @@', '@@ -29,6 +28,7 @@']);
  });
});

it('offers what fits the folder', () => {
  const offers = offersFor({
    paths: ['go.mod', 'infra/main.tf', '.github/workflows/ci.yml', 'deploy/api.yaml'],
    yaml: [{ path: 'deploy/api.yaml', head: 'apiVersion: v1\nkind: Service\n' }],
  });
  expect(offers.map(({ because }) => because)).toEqual(
    expect.arrayContaining([
      'Kubernetes manifests (deploy/api.yaml)',
      'Terraform (infra/main.tf)',
      'Go (go.mod)',
    ]),
  );
  expect(offersFor({ paths: ['README'], yaml: [] })).toEqual([]);
});
