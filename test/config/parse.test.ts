import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import type { Problem } from '../../src/config/problems.ts';

const parse = (text: string) => parseConfig(text, { source: 'project', file: 'forge.yaml' });

/** `LINE:COLUMN SEVERITY KEY`, for short tables. */
const brief = ({ line, column, severity, key }: Problem): string =>
  `${line}:${column} ${severity} ${key ?? '-'}`;

describe('good files', () => {
  test.each([
    ['an empty file', ''],
    ['only a comment', '# nothing\n'],
    ['only a document start', '---\n'],
    ['null', 'null\n'],
    ['other blocks', 'lint: {rules: [a, b]}\nformat: yes\n'],
    ['a block of nothing', 'compression:\n'],
    ['a null block', 'compression: null\n'],
    ['an empty block', 'compression: {}\n'],
    [
      'keys without values',
      'compression:\n  level:\n  max_tokens: ~\n  store_path: null\n  tools:\n  keep_patterns:\n',
    ],
  ])('%s sets nothing', (_, text) => expect(parse(text)).toMatchObject({ values: {}, problems: [] }));

  test('every key, with its place', () => {
    const { values, places, problems } = parse(`other: 1
compression:
  enabled: false
  level: none
  keep_patterns: [OOMKilled, '/pay-\\d+/i']
  min_tool_output_chars: 10
  max_tokens: 0
  escapes: keep
  hint: false
  markers: full
  errors: verbatim
  tools: {'kubectl get*': {level: none, keep_patterns: [x], max_tokens: 3, as: table}}
  ttl: 12h
  max_store_bytes: 512MB
  store_path: .ctxzip
  events_path: /var/events
  cache_hints: false
`);
    expect(problems).toEqual([]);
    expect(values).toEqual({
      enabled: false,
      level: 'none',
      keepPatterns: ['OOMKilled', '/pay-\\d+/i'],
      minToolOutputChars: 10,
      maxTokens: 0,
      escapes: 'keep',
      hint: false,
      markers: 'full',
      errors: 'verbatim',
      tools: { 'kubectl get*': { level: 'none', keepPatterns: ['x'], maxTokens: 3, as: 'table' } },
      ttlMs: 12 * 3_600_000,
      maxStoreBytes: 512e6,
      storePath: '.ctxzip',
      eventsPath: '/var/events',
      cacheHints: false,
    });
    expect(places).toMatchObject({ enabled: [3, 3], ttlMs: [13, 3], cacheHints: [17, 3] });
  });

  test.each([
    ['CRLF', 'compression:\r\n  level: none\r\n'],
    ['flow style', '{compression: {level: none}}'],
    ['JSON', '{"compression": {"level": "none"}}'],
    ['YAML 1.1', '%YAML 1.1\n---\ncompression:\n  level: none\n'],
    ['a document end', 'compression:\n  level: none\n...\n'],
    ['tags it does not know', 'a: !secret b\ncompression:\n  level: none\n'],
    ['duplicate keys in other blocks', 'x: 1\nx: 2\na: {b: 1, b: 2}\ncompression:\n  level: none\n'],
    ['a broken alias in other blocks', 'a: *nowhere\ncompression:\n  level: none\n'],
    ['an anchor', 'base: &none none\ncompression:\n  level: *none\n'],
    ['an alias for the block', 'base: &b {level: none}\ncompression: *b\n'],
    ['a merge key', 'base: &b {level: none}\ncompression:\n  <<: *b\n'],
    [
      'a list of merge keys, the first wins',
      'x: &x {level: none}\ny: &y {level: normal}\ncompression:\n  <<: [*x, *y]\n',
    ],
    ['an own key before a merged one', 'x: &x {level: normal}\ncompression:\n  level: none\n  <<: *x\n'],
    ['a merge key at the top', '<<: {compression: {level: none}}\n'],
  ])('%s', (_, text) => expect(parse(text)).toMatchObject({ values: { level: 'none' }, problems: [] }));
});

describe('files that cannot be read are one fatal problem', () => {
  const deepFlow = '['.repeat(50_000);
  const deepBlock = Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
  const bomb = Array.from({ length: 20 }, (_, i) =>
    i === 0 ? 'x0: &x0 [a, a]' : `x${i}: &x${i} [*x${i - 1}, *x${i - 1}]`,
  );
  test.each([
    ['an open bracket', 'compression: {level: none', 1, 26, ''],
    ['a tab as indentation', 'compression:\n\tlevel: none\n', 2, 1, 'Tabs are not allowed'],
    ['wrong indentation', 'compression:\n  level: none\n ttl: 1d\n', 3, 1, ''],
    [
      'a regex in double quotes',
      'compression:\n  keep_patterns: ["\\d+"]\n',
      2,
      20,
      "inside 'single quotes'",
    ],
    ['text', 'hello\n', 1, 1, 'not a map'],
    ['a list', '- compression\n', 1, 1, 'not a map'],
    ['two documents', 'a: 1\n---\ncompression: {}\n', 2, 1, 'several documents'],
    [
      'the block twice',
      'compression: {}\ncompression: {level: none}\n',
      2,
      1,
      '"compression" is given twice',
    ],
    ['a key twice', 'compression:\n  ttl: 1d\n  level: none\n  ttl: 2d\n', 4, 3, '"ttl" is given twice'],
    [
      'a key of a tool twice',
      'compression:\n  tools: {a: {as: log, as: log}}\n',
      2,
      24,
      '"as" is given twice',
    ],
    ['an unknown alias', 'compression:\n  level: *none\n', 2, 10, '*none is missing'],
    ['a merge of no map', 'compression:\n  <<: none\n', 2, 3, '<< needs a map'],
    ['an anchor in itself', 'compression:\n  tools: &a {x: *a}\n', 2, 17, ''],
    ['a merge of itself', 'compression: &a\n  <<: *a\n', 2, 3, 'nested deeper'],
    [
      'many aliases',
      `${bomb.join('\n')}\ncompression: {keep_patterns: *x19}\n`,
      2,
      10,
      'more than 100 aliases',
    ],
    ['deep brackets', deepFlow, 1, 65, 'nested deeper than 64'],
    ['deep maps', deepBlock, 65, 65, 'nested deeper than 64'],
    ['deep lists', '- '.repeat(25_000), 1, 129, 'nested deeper than 64'],
    ['a block that is text', 'compression: normal\n', 1, 1, 'not a map of keys'],
    ['a block that is switched off', 'compression: false\n', 1, 1, 'not a map of keys'],
    ['a block that is a list', 'compression: [level]\n', 1, 1, 'not a map of keys'],
  ])('%s', (_, text, line, column, message) => {
    const { values, problems } = parse(text);
    expect(values).toEqual({});
    expect(problems).toMatchObject([
      { severity: 'fatal', source: 'project', file: 'forge.yaml', line, column },
    ]);
    expect(problems[0]?.message).toContain(message);
  });

  test('garbage ends soon and never throws', () => {
    const startedMs = performance.now();
    let seed = 7;
    const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31;
    const alphabet = '{}[]&*!|>\'"%@`-?:,# \n\tab1\u0001é';
    for (let round = 0; round < 300; round++) {
      parse(Array.from({ length: 200 }, () => alphabet[Math.floor(random() * alphabet.length)]).join(''));
    }
    for (const piece of [
      '[',
      '{a: ',
      '- ',
      '? ',
      '&a ',
      '"',
      "'",
      ': ',
      '---\n',
      '#\n',
      'a: b\n',
      '[a,',
      '*a ',
    ]) {
      parse(piece.repeat((8 * 1024) / piece.length));
    }
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});

describe('bad keys are named with their place, and the others count', () => {
  test.each([
    ['a wrong type', 'max_tokens: lots', '2:3 error max_tokens'],
    ['a quoted number', "max_tokens: '16000'", '2:3 error max_tokens'],
    ['a word for a truth', 'hint: yes', '2:3 error hint'],
    ['a list for a word', 'escapes: [strip]', '2:3 error escapes'],
    ['a duration without unit', 'ttl: 7', '2:3 error ttl'],
    ['a strange size', 'max_store_bytes: much', '2:3 error max_store_bytes'],
    ['a number for a path', 'store_path: 5', '2:3 error store_path'],
    ['an unknown level', 'level: loud', '2:3 error level'],
    ['an unknown key', 'max_tokesn: 5', '2:3 error max_tokesn'],
    ['a key of another case', 'maxTokens: 5', '2:3 error maxTokens'],
    ['a number as key', '5: 5', '2:3 error 5'],
    ['a null as key', '~: 5', '2:3 error null'],
    ['a map as key', '? {a: b}\n  : 5', '2:5 error (a key that is no text)'],
    ['__proto__ as key', '__proto__: {level: none}', '2:3 error __proto__'],
    ['a tool that is no map', 'tools: {ls: none}', '2:11 error tools.ls'],
    ['a key of a tool', 'tools:\n    ls -l:\n      level: loud', '4:7 error tools.ls -l.level'],
    ['a pattern that is no list', 'keep_patterns: OOM', '2:3 fatal keep_patterns'],
    ['a pattern that is a number', 'keep_patterns: [a, 404]', '2:22 fatal keep_patterns[1]'],
    ['a pattern in brackets', 'keep_patterns:\n    - a\n    - [ERROR]', '4:7 fatal keep_patterns[1]'],
    ['a pattern behind a #', 'keep_patterns:\n    - #17\n    - a', '3:7 fatal keep_patterns[0]'],
    ['a pattern that does not compile', 'keep_patterns: ["/(/"]', '2:19 fatal keep_patterns[0]'],
    ['a pattern with bad flags', 'keep_patterns: [/x/q]', '2:19 fatal keep_patterns[0]'],
    ['a block text with its line break', 'keep_patterns:\n    - |\n      a', '3:7 fatal keep_patterns[0]'],
    ['patterns under a mistyped key', 'keep_pattern: [a]', '2:3 fatal keep_pattern'],
    ['a pattern of a tool', 'tools: {ls: {keep_patterns: [/x/q]}}', '2:32 fatal tools.ls.keep_patterns[0]'],
  ])('%s', (_, yaml, problem) => {
    const { values, problems } = parse(`compression:\n  ${yaml}\n  cache_hints: false\n`);
    expect(problems.map(brief)).toEqual([problem]);
    expect(values.cacheHints).toBe(false);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });

  test('all of them, not only the first', () => {
    const { problems } = parse('compression:\n  hint: 1\n  ttl: x\n  foo: 1\n  keep_patterns: [1, ""]\n');
    expect(problems.map(brief)).toEqual([
      '2:3 error hint',
      '3:3 error ttl',
      '4:3 error foo',
      '5:19 fatal keep_patterns[0]',
      '5:22 fatal keep_patterns[1]',
    ]);
  });

  test('a suggestion for a near key, and what is allowed', () => {
    const { problems } = parse('compression:\n  max_token: 5\n  escapes: stripp\n');
    expect(problems.map(({ message }) => message)).toEqual([
      'is no known key, did you mean max_tokens?',
      '"stripp" is not known, did you mean strip?',
    ]);
    expect(problems[1]?.allowed).toBe('strip, keep');
  });

  test('places after CRLF and wide characters count lines and characters', () => {
    const { problems } = parse('# ä😀\r\ncompression: {hint: "é", ttl: 5}\r\n');
    expect(problems.map(brief)).toEqual(['2:15 error hint', '2:26 error ttl']);
  });

  test('a misspelt block is a note, unless the right one is there', () => {
    expect(parse('compresion: {ttl: 1d}\n').problems.map(brief)).toEqual(['1:1 note -']);
    expect(parse('compresion: {ttl: 1d}\ncompression: {}\n').problems).toEqual([]);
  });

  test('control characters of a file never reach a message', () => {
    const { problems } = parse(
      'compression:\n  "\\e]0;x\\a": 1\n  level: "\\e[31m"\n  tools: {"\\r": {as: "\\u202e"}}\n',
    );
    expect(problems).toHaveLength(3);
    const texts = problems.map(({ key, message }) => key + message).join('');
    expect(texts).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(texts).toContain('\\u001b[31m');
  });
});
