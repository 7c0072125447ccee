/** The process's own secrets in the forms in which they may leave, and ordinary text that stays as it is. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrubSecrets } from '../../../src/domain/secrets/scrub.ts';
import { findSecrets, redactSecrets } from '../../../src/domain/secrets/secret-text.ts';

const OWN = 'p@ss "word"/+ü with spaces & more=';

describe('a secret of the process', () => {
  const forms: Readonly<Record<string, (text: string) => string>> = {
    'as it is': (text) => text,
    'in JSON': (text) => JSON.stringify({ a: text }),
    'in JSON within JSON': (text) => JSON.stringify({ a: JSON.stringify({ b: text }) }),
    'in an address': (text) => `https://x.example/?q=${encodeURIComponent(text)}&z=1`,
    'in a form': (text) => new URLSearchParams({ a: text, b: '1' }).toString(),
    'in base64': (text) => Buffer.from(text).toString('base64'),
    'in base64url': (text) => Buffer.from(text).toString('base64url'),
    'in base64 after a name': (text) => Buffer.from(`user:${text}`).toString('base64'),
    'in base64 between others': (text) => Buffer.from(`ab${text}cd`).toString('base64'),
    'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  };
  test.each(Object.entries(forms))('goes %s', (_name, write) => {
    const written = write(OWN);
    const clean = scrubSecrets(`before ${written} after`, [OWN]);
    expect(clean).toContain('[redacted]');
    expect(clean).toMatch(/^before .*after$/s);
    for (let at = 6; at + 16 < written.length - 6; at += 1)
      if (!'https://x.example/?q="ab'.includes(written.slice(at, at + 4)))
        expect(clean).not.toContain(written.slice(at, at + 16));
  });

  test('goes in each form, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12, maxLength: 60, unit: 'grapheme' }), (secret) => {
        if (secret.trim().length < 12) return;
        for (const write of Object.values(forms)) {
          const written = write(secret.trim());
          expect(scrubSecrets(written, [secret.trim()])).not.toBe(written);
        }
      }),
    );
  });

  test('of several lines goes with escaped line ends, and line by line', () => {
    const rows = [1, 2, 3].map((at) => createHash('sha256').update(`${at}`).digest('base64'));
    const secret = rows.join('\n');
    for (const text of [secret, rows.join('\r\n'), JSON.stringify(secret), `> ${rows[1]}`])
      for (const row of rows) expect(scrubSecrets(text, [secret])).not.toContain(row);
  });

  test('under eight characters stays: it would hit ordinary words', () => {
    expect(scrubSecrets('the horse is here', ['horse'])).toBe('the horse is here');
  });
});

describe('ordinary text', () => {
  const sha = createHash('sha1').update('x').digest('hex');
  const sha256 = createHash('sha256').update('x').digest('hex');
  const integrity = createHash('sha512').update('x').digest('base64');
  test.each([
    `commit ${sha} by mona`,
    `sha256:${sha256}  dist/app.js`,
    `"integrity": "sha512-${integrity}",`,
    `h1:${createHash('sha256').update('y').digest('base64')}`,
    `left-pad@1.3.0, resolved "https://example.org/left-pad/-/left-pad-1.3.0.tgz#${sha}"`,
    '550e8400-e29b-41d4-a716-446655440000',
    'request 3f2504e0-4f89-11d3-9a0c-0305e82c3301 took 12 ms',
    'git@github.com:octo/hello.git and https://github.com/octo/hello/issues/12#issuecomment-1234567890',
    'http://localhost:3000/a/b@c and node:16@sha256',
    'npm install @scope/name@1.2.3 --save-dev',
    'see https://example.org:8443/docs/@types/node',
    'basic authentication is off; bearer tokens are not read',
    'class="sk-folding-cube sk-spinner-double-bounce"',
    'that-same-name-here and some-long-word-list',
    'image registry.example.org/app@sha256:' + sha256,
    'const keyOfTheWorld = tokenise(password);',
    'The password field; the token endpoint; the secret sauce.',
    'AKIA is how such keys begin, ghp_ and github_pat_ too',
    'at Object.<anonymous> (/home/ana/app/src/index.ts:12:34)',
    '2026-11-23T01:10:00.000Z info  started port=3000 pid=1234567890',
    'Deadline: 2026-1123; key-value; SG.1; xoxo-hugs',
    `data:image/png;base64,${createHash('sha512').update('z').digest('base64')}`,
  ])('%s', (text) => {
    expect(redactSecrets(text)).toBe(text);
    expect(scrubSecrets(text)).toBe(text);
    expect(findSecrets(text)).toEqual([]);
  });
});
