/** Each shape of a credential by an example, put together here so that no literal looks like one. */
import { expect, test } from 'vitest';
import { SECRET_SHAPES, SERVICES } from '../../../src/domain/secrets/secret-shapes.ts';
import { findSecrets, redactSecrets } from '../../../src/domain/secrets/secret-text.ts';

/** As long as wanted, of small letters and digits that hexadecimal has too. */
const hex = (length: number): string => 'a1b2c3d4e5f60718'.repeat(20).slice(0, length);
/** Of letters and digits that no other shape begins with. */
const word = (length: number): string => 'Zq7Xw4Rt9Yk2Lm5P'.repeat(70).slice(0, length);
const upper = (length: number): string => 'Q7XW4RT9YK2LM5PZ'.repeat(5).slice(0, length);

const keyMark = (end: string): string => ['-----', end, ' PRIVATE', ' KEY-----'].join('');

type Example = readonly [kind: string, start: string, secret: string];

const CERTAIN: readonly Example[] = [
  ['private key', '', [keyMark('BEGIN'), word(64), keyMark('END')].join('\n')],
  ['private key', '', `Private-Lines: 2\n${word(64)}\n${word(20)}`],
  ['GitHub token', '', `ghp_${word(36)}`],
  ['GitHub fine-grained token', '', `github_pat_${word(60)}`],
  ['GitLab token', '', `glpat-${word(20)}`],
  ['Bitbucket token', '', `ATBB${word(28)}`],
  ['AWS access key', '', `AKIA${upper(16)}`],
  ['Azure storage key', `AccountKey=`, `${word(86)}==`],
  ['npm token', '', `npm_${word(36)}`],
  ['PyPI token', '', `pypi-AgE${word(50)}`],
  ['RubyGems key', '', `rubygems_${hex(48)}`],
  ['Docker token', '', `dckr_pat_${word(27)}`],
  ['Hugging Face token', '', `hf_${word(34)}`],
  ['model provider key', '', `sk-${word(40)}`],
  ['Stripe live key', '', `sk_live_${word(24)}`],
  ['Stripe webhook secret', '', `whsec_${word(32)}`],
  ['Twilio key', '', `SK${hex(32)}`],
  ['SendGrid key', '', `SG.${word(22)}.${word(43)}`],
  ['Mailgun key', '', `key-${hex(32)}`],
  ['Mailgun key', '', `${hex(32)}-${hex(8)}-${hex(8)}`],
  ['Slack token', '', `xoxb-${word(24)}`],
  ['Slack app token', '', `xapp-${word(24)}`],
  ['Slack webhook', '', `hooks.slack.com/services/${word(24)}`],
  ['Telegram token', '', `123456789:${word(35)}`],
  ['Discord token', '', `M${word(23)}.${word(6)}.${word(27)}`],
  ['Discord webhook', '', `discord.com/api/webhooks/12345678/${word(60)}`],
  ['Google API key', '', `AIza${word(35)}`],
  ['Google OAuth secret', '', `GOCSPX-${word(28)}`],
  ['Google access token', '', `ya29.${word(60)}`],
  ['Firebase server key', '', `AAAA${word(7)}:${word(140)}`],
  ['Heroku key', '', `HRKU-${word(40)}`],
  ['DigitalOcean token', '', `dop_v1_${hex(64)}`],
  ['Cloudflare token', '', `v1.0-${hex(24)}-${hex(146)}`],
  ['Vault token', '', `hvs.${word(40)}`],
  ['Sentry token', '', `sntrys_${word(60)}`],
  ['Sentry DSN', 'https://', hex(32)],
  ['password in an address', 'redis://ana:', word(12)],
  ['password in a connection string', 'Server=db;Password=', word(12)],
];

/** The text that must follow, for the shapes that are recognised by it. */
const AFTER: Readonly<Record<string, string>> = {
  'Sentry DSN': '@o1.example.com/42',
  'password in an address': '@db.example.com',
};

test.each(CERTAIN)('a %s is found, and only it is taken out: %s', (kind, ...[start, secret]) => {
  const after = AFTER[kind] ?? '';
  const text = `one\ntwo ${start}${secret}${after} end`;
  expect(findSecrets(text)).toEqual([{ kind, line: 2, length: secret.length }]);
  const lines = '\n'.repeat(secret.split('\n').length - 1);
  expect(redactSecrets(text)).toBe(`one\ntwo ${start}(${kind} removed)${lines}${after} end`);
});

const VAGUE: readonly Example[] = [
  ['credential in a header', 'Bearer ', word(24)],
  ['signature of a delivery', '', `sha256=${hex(64)}`],
  ['app password', '', 'abcd-ef2h-ijkl-mnop'],
];

test.each(VAGUE)('a %s is taken out, and no finding is made of it', (kind, ...[start, secret]) => {
  const text = `one ${start}${secret} end`;
  expect(findSecrets(text)).toEqual([]);
  expect(redactSecrets(text)).toBe(`one ${start}(${kind} removed) end`);
});

test('a signed web token is found', () => {
  const token = ['eyJhbGciOiJIUzI1NiJ9', word(24), word(30)].join('.');
  expect(findSecrets(`a\n${token}`)).toEqual([
    { kind: 'signed web token', line: 2, length: token.length },
  ]);
});

test('each shape has its example', () => {
  const kinds = [...CERTAIN, ...VAGUE].map(([kind]) => kind);
  expect(kinds).toEqual(SECRET_SHAPES.map(({ kind }) => kind));
});

test.each(Object.entries(SERVICES))(
  'a value named after %s is recognised by its service',
  (key, name) => {
    const value = word(30);
    const text = `${key.toUpperCase()}_API_KEY=${value}`;
    expect(findSecrets(text)).toEqual([{ kind: `${name} credential`, line: 1, length: 30 }]);
    expect(redactSecrets(text)).toBe(`${key.toUpperCase()}_API_KEY=(${name} credential removed)`);
  },
);

test('a value that looks like a name is found from one number on where a service is named', () => {
  const kinds = (name: string, end: string) =>
    findSecrets(`${name}_AUTH_TOKEN="abcdefGHIJKLmnop${end}"`).map(({ kind }) => kind);
  expect(kinds('TWILIO', 'qrst')).toEqual([]);
  expect(kinds('TWILIO', 'qrs1')).toEqual(['Twilio credential']);
});

test('a value whose name tells no service is taken out, and no finding is made of it', () => {
  const text = `ACCESS_KEY=${word(16)}`;
  expect(findSecrets(text)).toEqual([]);
  expect(redactSecrets(text)).toBe('ACCESS_KEY=(credential removed)');
  expect(redactSecrets(`ACCESS_KEY=${word(15)}`)).toBe(`ACCESS_KEY=${word(15)}`);
});
