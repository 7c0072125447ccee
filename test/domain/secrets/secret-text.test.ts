/** Credentials are taken out of texts, whole or cut, and ordinary code stays as it is. */
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  findSecrets,
  maskSighted,
  redactSecrets,
} from '../../../src/domain/secrets/secret-text.ts';

/** Base64 that looks random and is the same each time; made here, so that no literal looks like a key. */
function random(length: number, seed = 'a'): string {
  let text = '';
  for (let at = 0; text.length < length; at += 1)
    text += createHash('sha512').update(`${seed}${at}`).digest('base64').replaceAll('=', '');
  return text.slice(0, length);
}

const rows = Array.from({ length: 6 }, (_, at) => random(64, `row${at}`));
const last = `${random(10, 'last')}==`;
const mark = (word: string, kind: string): string =>
  ['-----', word, ` ${kind}PRIVATE `, 'KEY-----'].join('');
const head = mark('BEGIN', 'RSA ');
const tail = mark('END', 'RSA ');

describe('private keys', () => {
  test('a whole key goes and the lines after it keep their numbers', () => {
    const text = ['before', head, ...rows, last, tail, 'after'].join('\n');
    expect(redactSecrets(text).split('\n').indexOf('after')).toBe(10);
    expect(redactSecrets(text)).toMatch(/^before\n\(private key removed\)\n+after$/);
    expect(findSecrets(text)).toMatchObject([{ kind: 'private key', line: 2 }]);
  });

  const shown: Readonly<Record<string, string>> = {
    'cut after a row': [head, ...rows].join('\n'),
    'cut within a row': [head, ...rows, random(9, 'cut')].join('\n'),
    'cut, with Windows lines': [head, ...rows].join('\r\n'),
    'cut, with escaped lines': `"${[head, ...rows].join(String.raw`\n`)}`,
    'whole, with escaped lines': `"${[head, ...rows, last, tail].join(String.raw`\n`)}"`,
    'cut, in one line': [head, ...rows].join(' '),
    'cut, numbered': [head, ...rows].map((row, at) => `${at + 1}\t${row}`).join('\n'),
    'cut, as a change': [head, ...rows].map((row) => `+${row}`).join('\n'),
    'removed, whole': [head, ...rows, last, tail].map((row) => `-${row}`).join('\n'),
    'cut, quoted': [head, ...rows].map((row) => `> ${row}`).join('\n'),
    'cut, encrypted': [
      head,
      'Proc-Type: 4,ENCRYPTED',
      'DEK-Info: AES-128-CBC,00',
      '',
      ...rows,
    ].join('\n'),
    'a block of PGP': [head.replace('KEY', 'KEY BLOCK').replace('RSA', 'PGP'), '', ...rows].join(
      '\n',
    ),
  };
  for (const [name, text] of Object.entries(shown))
    test(`${name}: no row goes through`, () => {
      const redacted = redactSecrets(text);
      for (const row of [...rows, last, random(9, 'cut')]) expect(redacted).not.toContain(row);
      expect(redacted).not.toContain('PRIVATE KEY');
    });

  test('what follows a cut key is kept', () => {
    const after = 'That was my key.\n\nWhy does `parse()` fail?';
    expect(redactSecrets([head, ...rows, after].join('\n'))).toContain(after);
    expect(redactSecrets(`${head}\nThanks\nfor reading`)).toMatch(/Thanks\nfor reading$/);
  });
});

describe('assignments', () => {
  const key = random(40, 'aws');
  const word = ['Tr0ub', '4dor&', '3x!'].join('');
  const hex = createHash('sha256').update('x').digest('hex');
  const assigned: readonly (readonly [string, string])[] = [
    [`AWS_SECRET_ACCESS_KEY=${key}`, key],
    [`export AWS_SECRET_ACCESS_KEY="${key}"`, key],
    [`aws_secret_access_key = ${key}`, key],
    [`password: ${word}`, word],
    [`{"password": "${word}", "user": "ana"}`, word],
    [`const apiKey: string = '${hex}';`, hex],
    [`DB_PASSWORD='${word}'`, word],
    [`client_secret => "${key}"`, key],
    [`config['token'] = '${hex}';`, hex],
    [`7\tENCRYPTION_KEY=${hex}`, hex],
  ];
  for (const [text, value] of assigned)
    test(`the value in ${text.split(value)[0]} goes, its name stays`, () => {
      const redacted = redactSecrets(text);
      expect(redacted).not.toContain(value);
      expect(redacted.replace('(AWS ', '(')).toBe(text.replace(value, '(credential removed)'));
    });

  const ordinary = [
    'const token = parseToken(header);',
    'password: string;',
    'const password = process.env.DB_PASSWORD_V2;',
    'apiKey: config.providers.openai.apiKey,',
    'secret: ${{ secrets.API_TOKEN_2 }}',
    'PASSWORD=changeme123!A',
    'password=<your-Password-1>',
    'TOKEN=$GITHUB_TOKEN',
    'access_token: "xxxxxxxxxxXXXX1234"',
    'token: sha256Digest,',
    'if (token === previousToken) return;',
    'const secret = createHash("sha256").update(a1).digest();',
    'password: Password123Field,',
    'token = tokens[index1].value2',
    'token: { kind: "word", at: 12 }',
    'private_key: ./keys/server-2.pem',
    'token: https://example.com/oauth2/v1/token',
    'The token: "identifier" is followed by another.',
    'max_tokens: 2000000000',
    'secretName: my-app-tls-2',
    `integrity: sha512-${key}`,
    'passwordHash = await bcrypt.hash(password, 10)',
  ];
  for (const text of ordinary)
    test(`ordinary: ${text.slice(0, 50)}`, () => {
      expect(redactSecrets(text)).toBe(text);
    });

  test('what was redacted stays as it is, and any text gives a text with as many lines', () => {
    const text = [...assigned.map(([one]) => one), head, ...rows].join('\n');
    expect(redactSecrets(redactSecrets(text))).toBe(redactSecrets(text));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (any) => {
        expect(redactSecrets(any).split('\n')).toHaveLength(any.split('\n').length);
      }),
    );
  });
});

describe('a key whose beginning was cut off', () => {
  test('goes from its first row on, and what is before it stays', () => {
    const text = ['some words before', ...rows, last, tail, 'after'].join('\n');
    const shown = redactSecrets(text);
    for (const row of rows) expect(shown).not.toContain(row);
    expect(shown.split('\n')[0]).toBe('some words before');
    expect(shown.split('\n').at(-1)).toBe('after');
    const lines = findSecrets(text).map(({ line }) => line);
    expect(lines).toEqual(Array.from({ length: 8 }, (_, at) => at + 2));
  });

  test('is recognised in rows with a number or a sign before them, and not in sentences', () => {
    const numbered = ['no row of it', ...rows.map((row, at) => `${at + 1} ${row}`), tail].join(
      '\n',
    );
    expect(redactSecrets(numbered).split('\n')[0]).toBe('no row of it');
    expect(redactSecrets(numbered)).not.toContain(rows[0]);
    const worded = [`see ${rows[0] ?? ''}`, tail].join('\n');
    expect(findSecrets(worded)[0]).toMatchObject({ line: 2 });
  });
});

test('lines in which a credential was sighted are masked by its kind, and others stay', () => {
  const sighted = [{ kind: 'private key', line: 2, length: 9 }];
  expect(maskSighted('one\ntwo\nthree', sighted)).toBe('one\n(private key removed)\nthree');
  expect(maskSighted('one\ntwo', [])).toBe('one\ntwo');
});
