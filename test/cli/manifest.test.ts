import { describe, expect, it } from 'vitest';
import { manifest } from '../../src/cli/commands/manifest.ts';
import type { Entry, Facts } from '../../src/store/port.ts';

const NOW = Date.UTC(2026, 4, 1, 12);

function entry(digit: string, facts: Partial<Facts>, expiresMs = NOW + 86_400_000): Entry {
  return {
    sha: digit.repeat(64),
    size: 2048,
    usedMs: NOW,
    expiresMs,
    where: 'spool',
    facts: { createdMs: NOW - 90_000, folder: '/work/shop', ...facts },
  };
}

describe('manifest', () => {
  it('names command, hash and time of what this folder and those below have stored', () => {
    const entries = [
      entry('a', { command: 'npm test', exitCode: 1, durationMs: 4200, stream: 'stderr' }),
      entry('b', { tool: 'kubectl get pods', folder: '/work/shop/api' }),
      entry('c', {}),
      entry('d', { command: 'elsewhere', folder: '/work/shopping' }),
      entry('e', { command: 'over' }, NOW),
    ];
    expect(manifest(entries, '/work/shop', NOW))
      .toBe(`# Tool output that ctxzip has shortened in \`/work/shop\`

\`ctxzip expand HASH\` prints an original, \`--grep RE\` searches it, \`--head N\` and \`--tail N\` cut it.

- \`aaaaaaaaaaaa\` \`npm test\` · stderr · 2.0 KB · 2026-05-01T11:58:30Z (90s ago) · took 4.2s · exit 1 · kept for 24h
- \`bbbbbbbbbbbb\` \`kubectl get pods\` · 2.0 KB · 2026-05-01T11:58:30Z (90s ago) · kept for 24h
- \`cccccccccccc\` output of a pipe · 2.0 KB · 2026-05-01T11:58:30Z (90s ago) · kept for 24h
`);
  });

  it('is Markdown whatever a command holds', () => {
    const text = manifest([entry('a', { command: 'echo `x` ``y``\n# head\n\u001b[31m' })], '/', NOW);
    expect(text.split('\n').at(-2)).toMatch(/^- `a{12}` ```echo `x` ``y`` # head \?\[31m``` · /);
  });

  it('says that there is nothing', () => {
    expect(manifest([], '/work', NOW)).toBe(
      '# Tool output that ctxzip has shortened in `/work`\n\nNothing: no view of this folder hides anything that is still stored.\n',
    );
  });
});
