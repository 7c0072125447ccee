import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScrubber, scrubSecrets } from '../../../src/domain/secrets/scrub.ts';

const FILL = 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1BcD4FgH7j';
/** Put together here, so that no file holds anything that looks like a key. */
const KEYS = [
  ['ghp', '_', FILL],
  ['ghs', '_', FILL],
  ['github', '_pat_', FILL],
  ['sk', '-', 'ant-api03-', FILL],
  ['sk', '-', 'proj-', FILL],
  ['xox', 'b-', '1234567890-', FILL],
  ['xapp', '-', '1-A-', FILL],
  ['123456789', ':', FILL.slice(0, 35)],
  ['ey', 'J', FILL, '.', FILL, '.', FILL],
  ['sha256', '=', 'ab12'.repeat(16)],
].map((parts) => parts.join(''));

test.each(KEYS)('key %#, wherever it appears', (key) => {
  for (const text of [
    key,
    `token: ${key}`,
    `{"a":"${key}"}`,
    `https://x/?k=${key}&b=1`,
    `(${key})`,
  ])
    expect(scrubSecrets(text)).not.toContain(FILL.slice(0, 12));
  expect(scrubSecrets(`before ${key} after`)).toBe('before [redacted] after');
});

test('private keys go whole, with real or escaped line ends, cut off or not', () => {
  const begin = ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' ');
  const end = ['-----END RSA', 'PRIVATE KEY-----'].join(' ');
  for (const line of ['\n', '\\n']) {
    const key = [begin, FILL, FILL, end].join(line);
    expect(scrubSecrets(`a ${key} b`)).toBe('a [redacted] b');
    expect(scrubSecrets([begin, FILL].join(line))).toBe('[redacted]');
  }
});

test('credentials in addresses and headers go, what is around them stays', () => {
  expect(scrubSecrets(`https://mona:${FILL}@github.com/x.git`)).toBe(
    'https://mona:[redacted]@github.com/x.git',
  );
  expect(scrubSecrets(`authorization: Bearer ${FILL}`)).toBe('authorization: Bearer [redacted]');
});

test('known values go whatever they look like, ordinary text stays', () => {
  expect(scrubSecrets('the horse is correct-horse', ['correct-horse', 'is'])).toBe(
    'the horse is [redacted]',
  );
  const plain = 'issue octo/hello#12: skim the ghost_writer at 12:30, sha 0a1b2c3d4e5f';
  expect(scrubSecrets(plain)).toBe(plain);
});

test('scrubbing twice changes nothing more, on any text', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...KEYS))), (parts) => {
      const once = scrubSecrets(parts.join(' '));
      expect(scrubSecrets(once)).toBe(once);
    }),
  );
});

test('a scrubber of many texts takes out what is known at each of them, as one text alone would lose it', () => {
  const secret = fc.stringMatching(/^[a-zA-Z0-9+/=%& -]{1,24}$/);
  const line = fc.record({ known: fc.array(secret, { maxLength: 3 }) });
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 8 }), (lines) => {
      const scrub = createScrubber();
      const hidden = lines.flatMap(({ known }) => known).join(' then ');
      for (const { known } of lines) expect(scrub(hidden, known)).toBe(scrubSecrets(hidden, known));
    }),
  );
});
