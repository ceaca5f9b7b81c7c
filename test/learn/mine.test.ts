/** Which words of an expansion are worth keeping in mind. */
import { describe, expect, it } from 'vitest';
import { mine, type MineRequest } from '../../src/learn/mine.ts';

function words(printed: string, more: Partial<MineRequest> = {}): string[] {
  return mine({
    printed,
    sample: [{ text: more.sample?.[0]?.text ?? printed, start: 0 }],
    gaps: undefined,
    keepPatterns: [],
    ...more,
  });
}

describe('domain words', () => {
  it.each([
    ['state=DiskPressure now', ['DiskPressure']],
    ['reason: OIDCProviderHost', ['OIDCProviderHost']],
    ['got paymentDeclined from it', ['paymentDeclined']],
    ['x QUOTA_PENDING y', ['QUOTA_PENDING']],
    ['x ENOSPACE y', ['ENOSPACE']],
    ['phase: Pending', ['Pending']],
    ['{"phase":"Pending","a":1}', ['Pending']],
    ['web-1   0/1   Pending   0   3d', ['Pending']],
    ['the pod is Pending and waits', ['Pending']],
    ['| web | Pending |', ['Pending']],
    ['code E0612, ORA-12541 and TS2345', ['E0612', 'ORA-12541', 'TS2345']],
    ['node-pressure of order_service', ['node-pressure', 'order_service']],
    ['"log":"a\\nDiskPressure\\tb"', ['DiskPressure']],
  ])('%j', (text, expected) => expect(words(`${text}\n`).sort()).toEqual([...expected].sort()));

  it.each([
    'Starting server on port 80',
    '2026-05-01T12:00:00Z INFO Listening for it',
    'NAME  READY  STATUS  AGE',
    'GET /api HTTP/1.1 DEBUG TRACE',
    'cart-7d9f8b6c5-x7z9s 1/1',
    'a b cd --some-flag -x',
    'sha 9f86d081884c7d659a2feaa0c55ad015 x7z9s9',
    'Größe ÄNDERUNG',
    'plain words only, nothing else',
  ])('none in %j', (text) => expect(words(`${text}\n`)).toEqual([]));
});

describe('what is in view anyway', () => {
  it('lines and words that report a failure', () => {
    expect(words('ERROR PaymentGateway is down\nINFO CartService\n')).toEqual(['CartService']);
    expect(words('x CrashLoopBackOff ConnectionRefused\n')).toEqual([]);
  });

  it('lines and words of a keep pattern, in any case or by regex', () => {
    const text = 'a DiskPressure CartService\nb OrderService\n';
    expect(words(text, { keepPatterns: ['diskpressure'] })).toEqual(['OrderService']);
    expect(words(text, { keepPatterns: ['/Cart\\w+/'] })).toEqual(['OrderService']);
    expect(words(text, { keepPatterns: ['/^b /'] }).sort()).toEqual(['CartService', 'DiskPressure']);
  });

  it('nothing is mined under a pattern that takes too long', () => {
    const text = `${'a'.repeat(40)}! DiskPressure\n`;
    expect(words(text, { keepPatterns: ['/(a+)+$/'] })).toEqual([]);
  }, 20_000);
});

describe('order', () => {
  const original = `a CommonWord\n`.repeat(4) + 'b RareWord\nc ShownWord\n';

  it('what was left out first, then the rarest', () => {
    const gaps: Array<[number, number]> = [[0, original.indexOf('c ')]];
    const sample = [{ text: original, start: 0 }];
    expect(words('ShownWord CommonWord RareWord\n', { gaps, sample })).toEqual([
      'RareWord',
      'CommonWord',
      'ShownWord',
    ]);
  });

  it('at most twenty, each once in any case', () => {
    const many = Array.from(
      { length: 40 },
      (_, i) => `Word${'abcdefghij'[i % 10]}Of${'KLMN'[i % 4]}ind`,
    ).join(' ');
    expect(words(`${many}\n`)).toHaveLength(20);
    expect(words('DiskPressure diskPressure DISKPRESSURE\n')).toHaveLength(1);
  });
});

const grep = (pattern: string, ignoreCase = false): Partial<MineRequest> => ({
  grep: { pattern, ignoreCase },
});

describe('what was searched for', () => {
  it('comes first, whatever its form', () => {
    expect(words('a b quarantine DiskPressure\n', grep('quarantine'))).toEqual([
      'quarantine',
      'DiskPressure',
    ]);
    expect(words('a Quarantine b\n', grep('quarantine', true))[0]).toBe('quarantine');
    expect(words('a two words b\n', grep('two words'))).toEqual(['two words']);
    expect(words('a one b\nc four d\n', grep('one|two|four'))).toEqual(['one', 'four']);
    expect(words('a one b\n', grep('\\bone\\b'))).toEqual(['one']);
  });

  it('not where it is a regex, a failure, kept, or was not printed', () => {
    expect(words('a b c\n', grep('a.*c'))).toEqual([]);
    expect(words('some error here\n', grep('error'))).toEqual([]);
    expect(words('a quarantine b\n', { ...grep('quarantine'), keepPatterns: ['quarantine'] })).toEqual([]);
    expect(words('a b c\n', grep('quarantine'))).toEqual([]);
  });
});
