/** No part of a credential is ever mined, in whatever it stands. The samples are made up, and put together here. */
import { describe, expect, it } from 'vitest';
import { mine } from '../../src/learn/mine.ts';
import { isRandom } from '../../src/learn/random.ts';
import { hasSecretColumn, isSecretWord, withoutSecrets } from '../../src/learn/secrets.ts';

const join = (...parts: string[]): string => parts.join('');

/** Known by their form, wherever they stand. */
const TOKENS: ReadonlyArray<readonly [string, string]> = [
  ['AWS key id', join('AKIA', 'IOSFODNN7EXAMPLE')],
  ['AWS session key id', join('ASIA', 'QWERTYUIOPASDFGH')],
  ['AWS secret key', join('wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY')],
  ['AWS secret key of letters', join('wJalrXUtnFEMIKaMDENGab', 'PxRfiCYEXAMPLEKEYzQpLm')],
  ['Google API key', join('AI', 'zaSyA1b2C3d4E5f6G7h8I9j0KlMnOpQrStUvWx')],
  ['Google OAuth token', join('ya', '29.A0ARrdaM-Abc_DefGhiJklMnoPqr')],
  [
    'Azure storage key',
    join('Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6', 'tq/K1SZFPTOtr/KBHBeksoGMGw=='),
  ],
  ['Azure client secret', join('Q8Q8Q~AbCdEfGhIjKl', 'MnOpQrStUvWxYz1234567')],
  ['GitHub token', join('gh', 'p_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789')],
  ['GitHub fine-grained token', join('github', '_pat_11ABCDEFG0AbCdEfGhIjKl_MnOpQrStUvWxYz')],
  ['GitLab token', join('gl', 'pat-AbCdEf_GhIjKlMnOpQrSt')],
  ['GitLab runner token', join('gl', 'rt-AbCdEfGhIjKlMnOpQrSt')],
  ['Slack bot token', join('xo', 'xb-2444333222-AbCdEfGhIjKlMnOp')],
  ['Slack app token', join('xa', 'pp-1-A0B1C2-AbCdEfGhIj')],
  ['Slack webhook', join('https://hooks.sla', 'ck.com/services/T00BotTeam/B00HookName/AbCdEfGhIjKlMnOp')],
  ['Stripe live key', join('sk_', 'live_AbCdEfGhIjKlMnOpQrStUvWx')],
  ['Stripe restricted key', join('rk_', 'test_AbCdEfGhIjKlMnOp')],
  ['Stripe webhook secret', join('wh', 'sec_AbCdEfGhIjKlMnOp')],
  ['OpenAI key', join('s', 'k-proj-AbCdEfGhIjKlMnOpQrStUv')],
  ['Anthropic key', join('s', 'k-ant-api03-AbCdEfGhIjKlMnOp')],
  ['JSON web token', join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiJVc2VyTmFtZSJ9', '.AbCdEfGhIjKlMnOpQrSt')],
  ['npm token', join('np', 'm_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789')],
  ['PyPI token', join('py', 'pi-AgEIcHlwaS5vcmcCJDAbCdEfGhIj')],
  ['Docker token', join('dckr', '_pat_AbCdEfGhIjKlMnOpQrSt')],
  ['Hugging Face token', join('h', 'f_AbCdEfGhIjKlMnOpQrStUvWx')],
  ['SendGrid key', join('S', 'G.AbCdEfGhIjKlMnOp.QrStUvWxYzAbCdEfGh')],
  ['Vault token', join('hv', 's.AbCdEfGhIjKlMnOpQrStUvWx')],
  ['DigitalOcean token', join('dop', '_v1_', 'a'.repeat(8), 'B1'.repeat(28))],
  ['Databricks token', join('da', 'pi', '0123456789abcdef'.repeat(2))],
  ['Twilio key', join('S', 'K', '0123456789abcdef'.repeat(2))],
  ['Shopify token', join('shp', 'at_AbCdEf0123456789AbCdEf0123456789')],
  ['Grafana token', join('gl', 'sa_AbCdEfGhIjKlMnOpQrStUvWx_0123abcd')],
  ['age key', join('AGE-SECRET-', 'KEY-1QQPQYQSZQGP')],
  ['TOTP seed', join('JBSWY3DPEHPK3PXP', 'JBSWY3DPEHPK3PXP')],
  ['UUID', '550e8400-E29B-41d4-a716-446655440000'],
  ['SHA-256', '9F86D081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['base64', 'TWFueSBoYW5kcyBtYWtlIGxpZ2h0IHdvcmsuCg=='],
  ['SSH public key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAbCdEfGhIjKlMnOp'],
  ['bearer', 'Bearer QuietRiverBend'],
  ['basic auth', 'Basic QuietRiverBend'],
  ['URL with password', 'https://DeployBot:QuietRiverBend@git.example.com/x'],
  ['URL with token', 'https://QuietRiverBend@git.example.com/x'],
  ['database URL', 'postgres://DeployBot:QuietRiverBend@db:5432/x'],
  ['address without scheme', 'DeployBot:QuietRiverBend@cache.example.com'],
  ['signed URL', 'https://x.example.com/a?Signature=QuietRiverBend&sig=QuietRiverBend'],
  ['curl -u', 'curl -u DeployBot:QuietRiverBend x'],
  ['mysql -p', 'mysql -pQuietRiverBend x'],
];

/** Around a token, with a word that may be mined. */
const AROUND: ReadonlyArray<(token: string) => string> = [
  (token) => `2026-05-01T12:00:00Z INFO sent ${token} for DiskPressure\n`,
  (token) => `{"a":"DiskPressure","b":"${token}"}\n`,
  (token) => `a: ${token}\nb: DiskPressure\n`,
  (token) => `NAME  VALUE\nDiskPressure  ${token}\n`,
];

const SAID = ['QuietRiverBend', 'DeployBot', 'UserName', 'BotTeam', 'HookName'];

function words(printed: string, grep?: string): string[] {
  return mine({
    printed,
    sample: [{ text: printed, start: 0 }],
    gaps: undefined,
    keepPatterns: [],
    ...(grep !== undefined && { grep: { pattern: grep, ignoreCase: true } }),
  });
}

describe.each(TOKENS)('%s', (_, token) => {
  it.each(AROUND.map((around) => [around(token)]))('%j', (text) => {
    const mined = words(text);
    for (const word of mined) expect(token.toLowerCase()).not.toContain(word.toLowerCase());
    for (const said of SAID) expect(mined).not.toContain(said);
    expect(words(text, token)).toEqual(mined);
  });
});

/** Known by the name beside it: the value is a word like any other. */
const NAMED = [
  'password=QuietRiverBend',
  'password: QuietRiverBend',
  'password: quiet QuietRiverBend bend',
  'PASSWORD = QuietRiverBend',
  'DB_PASSWORD=Quiet QuietRiverBend',
  'export API_TOKEN="QuietRiverBend"',
  'dbPassword: "QuietRiverBend"',
  '"password": "QuietRiverBend",',
  '"client_secret":"QuietRiverBend","x":1',
  "'api-key' => 'QuietRiverBend'",
  '--password QuietRiverBend',
  '--token=QuietRiverBend run',
  'Authorization: Token QuietRiverBend',
  'authorization: QuietRiverBend',
  'Cookie: sid=QuietRiverBend',
  'X-Api-Key: QuietRiverBend',
  'the password is QuietRiverBend',
  'machine git.example.com login x password QuietRiverBend',
  '//registry.example.com/:_authToken=QuietRiverBend',
  '_auth = QuietRiverBend',
  '    client-key-data: QuietRiverBend',
  '    client-certificate-data: QuietRiverBend',
  '    token: QuietRiverBend',
  'AccountKey=QuietRiverBend;EndpointSuffix=x',
  'aws_secret_access_key = QuietRiverBend',
  'passphrase QuietRiverBend',
  'passwd: QuietRiverBend',
  'db.pwd=QuietRiverBend',
  'sig=QuietRiverBend',
  'password:\n  QuietRiverBend',
  'password: |\n  first\n  QuietRiverBend\nother: x',
  '- name: DB_PASSWORD\n  value: QuietRiverBend',
  '"name": "API_TOKEN",\n"value": "QuietRiverBend"',
  '{"name":"API_TOKEN","value":"QuietRiverBend"}',
  'stringSecret: >-\n    QuietRiverBend',
  'USER    PASSWORD        ROLE\nann     QuietRiverBend  admin\nbob     QuietRiverBend  admin',
  'user,password,role\nann,QuietRiverBend,admin',
  join(
    '-----BEGIN RSA PRIV',
    'ATE KEY-----\nQuietRiverBend\nQuietRiverBend==\n-----END RSA PRIV',
    'ATE KEY-----',
  ),
  join('-----BEGIN PRIV', 'ATE KEY-----\nQuietRiverBend\n'),
  join('QuietRiverBend\n-----END PRIV', 'ATE KEY-----'),
  join('"key": "-----BEGIN PRIV', 'ATE KEY-----\\nQuietRiverBend\\n-----END PRIV', 'ATE KEY-----\\n"'),
];

it.each(NAMED)('%j', (text) => {
  expect(words(`${text}\n\nstate: DiskPressure\n`)).not.toContain('QuietRiverBend');
  expect(words(`${text}\n\nstate: DiskPressure\n`, 'QuietRiverBend')).not.toContain('QuietRiverBend');
  expect(withoutSecrets(text)).not.toContain('QuietRiverBend');
});

it('takes no more than it has to', () => {
  expect(words('level=info password=QuietRiverBend state=DiskPressure\n')).toEqual(['DiskPressure']);
  expect(words('password: QuietRiverBend\n\nstate: DiskPressure\n')).toEqual(['DiskPressure']);
  expect(words('-p 8080:80 DiskPressure\nhttps://example.com/a?b=QuietRiverBend DiskPressure\n')).toEqual([
    'DiskPressure',
  ]);
});

it('mines nothing of an original whose table names a secret', () => {
  const sample = [{ text: 'USER  PASSWORD\nann   QuietRiverBend\n', start: 0 }];
  expect(mine({ printed: 'ann   QuietRiverBend\n', sample, gaps: [], keepPatterns: [] })).toEqual([]);
  expect(hasSecretColumn('NAME,TOKEN,AGE')).toBe(true);
  expect(hasSecretColumn('NAME   READY   STATUS')).toBe(false);
  expect(hasSecretColumn('the token was read, and it is fine, too, as far as we know it to be so')).toBe(
    false,
  );
});

it.each([
  '7d9f8b6c5',
  'x7z9s',
  'tkzrzqt',
  'bztfbz',
  'a1b2c3d4',
  'wJalrXUtnFEMI',
  'Tr0ub4dor',
  'QWRTPSDFGHKLXCVBN',
])('%s is random', (word) => expect(isRandom(word)).toBe(true));

it.each([
  'DiskPressure',
  'ImagePullBackOff',
  'OOMKilled',
  'NodeAffinityMismatch',
  'paymentDeclined',
  'QUOTA_EXCEEDED',
  'UNSCHEDULABLE',
  'SQLSTATE',
  'Ipv4Pool',
  'PGRST116',
  'order-service',
  'nginx',
  'HorizontalPodAutoscaler',
])('%s is a word', (word) => expect(isSecretWord(word)).toBe(false));

/** What makes a careless pattern try every place with every end. */
const LONG = [
  'password',
  'a.',
  'a-',
  '-',
  '_',
  'a=',
  'a:',
  '@',
  'a@b:',
  ' ',
  '\t',
  ' |',
  '\r',
  '\f',
  '"',
  "'",
  '\\',
  'A1',
  '1',
  'aB',
  'eyJ',
  'token ',
  'x://',
  '-----BEGIN X-----',
  '-----END',
  '{"a":"',
  'PASSWORD  ',
  'name: ',
  '?a=',
  ' -p ',
  'ssh-rsa ',
];

it.each(LONG)('64 KB of %j take no time', (piece) => {
  const started = performance.now();
  for (const text of [piece.repeat(65_536 / piece.length), `${piece.repeat(65_536 / piece.length)}x`])
    words(text);
  expect(performance.now() - started).toBeLessThan(2000);
});
