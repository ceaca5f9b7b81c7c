import { describe, expect, it } from 'vitest';
import { formatSize, lookupMessage } from '../../src/app/expand-words.ts';

const sha = (start: string): string => start.padEnd(64, '0');
const goneMs = Date.UTC(2026, 4, 3, 7, 9, 30);

describe('lookupMessage', () => {
  it('unknown', () => {
    expect(lookupMessage({ kind: 'unknown' }, 'ac998f')).toEqual({
      exit: 1,
      notes: [
        'no original is stored under ac998f',
        'ctxzip list shows what is: another user, machine or CTXZIP_HOME has a store of its own. Else run what made it again if that is safe',
      ],
    });
  });

  it('ambiguous shows enough digits to choose by', () => {
    const shas = [sha('ac998fea694b1'), sha('ac998f000000')];
    expect(lookupMessage({ kind: 'ambiguous', shas }, 'ac998f')).toEqual({
      exit: 2,
      notes: ['ac998f fits 2 originals: ac998fea694b ac998f000000', 'give more digits'],
    });
    const close = [sha('ac998fea694b1'), sha('ac998fea694b2')];
    expect(lookupMessage({ kind: 'ambiguous', shas: close }, 'ac998f').notes[0]).toContain(
      'ac998fea694b1000 ac998fea694b2000',
    );
    const many = Array.from({ length: 20 }, (_, i) => sha(`ac998f${String(i).padStart(6, '0')}`));
    expect(lookupMessage({ kind: 'ambiguous', shas: many }, 'ac998f').notes[0]).toContain('and 12 more');
  });

  it('expired says what it was, when it went and what to do', () => {
    const tombstone = {
      sha: sha('ac998fea694b'),
      size: 14_541,
      goneMs,
      why: 'expired' as const,
      command: 'kubectl get pods -A',
    };
    expect(lookupMessage({ kind: 'expired', tombstone }, 'ac998f')).toEqual({
      exit: 3,
      notes: [
        'ac998fea694b expired on 2026-05-03 07:09 UTC, with its 14.2 KB',
        'it came from this command; run it again if that is safe: kubectl get pods -A',
      ],
    });
  });

  it('evicted, forgotten, without a command, with a hostile or endless one', () => {
    const tombstone = { sha: sha('ac998fea694b'), size: 1, goneMs, why: 'evicted' as const };
    const evicted = lookupMessage({ kind: 'expired', tombstone }, 'ac998f');
    expect(evicted.notes.join(' ')).toMatch(
      /to make room .* 1 byte what made it is not known: run it again if that is safe/,
    );
    const hostile = { ...tombstone, why: 'forgotten' as const, command: `x\n\u001b[2J${'y'.repeat(5000)}` };
    const forgotten = lookupMessage({ kind: 'expired', tombstone: hostile }, 'ac998f');
    expect(forgotten.notes[0]).toContain('ctxzip forget');
    expect(forgotten.notes[1]).toContain('x??[2Jyyy');
    expect(forgotten.notes[1]!.length).toBeLessThan(400);
  });

  it('damaged', () => {
    const { exit, notes } = lookupMessage(
      { kind: 'damaged', sha: sha('ac998fea694b'), reason: 'its bytes do not match' },
      'ac998f',
    );
    expect(exit).toBe(1);
    expect(notes.join(' ')).toMatch(
      /ac998fea694b is damaged .* its bytes do not match .* ctxzip forget ac998fea694b/,
    );
  });
});

describe('formatSize', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1.0 KB'],
    [1024 * 1024 - 1, '1.0 MB'],
    [1024 ** 3, '1.0 GB'],
    [5 * 1024 ** 4, '5.0 TB'],
  ])('%i is %s', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});
