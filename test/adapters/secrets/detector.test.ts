/** The detector of credentials: loaded late and once, and not missed when it is not there. */
import { expect, test } from 'vitest';
import { createSecretDetector } from '../../../src/adapters/secrets/detector.ts';

const MESSAGE = { severity: 'error', loc: { start: { line: 3 } }, range: [10, 50] };

test('loads the linter with the first text and only once', async () => {
  let loaded = 0;
  const detect = createSecretDetector({
    load: async () => {
      loaded += 1;
      return async () => [{ ...MESSAGE, messageId: 'GITHUB_TOKEN' }];
    },
    onMissing: () => expect.unreachable(),
  });
  expect(loaded).toBe(0);
  const all = await Promise.all([detect('a', 'a.ts'), detect('b', 'b.ts')]);
  expect(loaded).toBe(1);
  expect(all).toEqual(
    Array.from({ length: 2 }, () => [{ kind: 'GitHub token', line: 3, length: 40 }]),
  );
});

test('a linter that is not installed is reported once, and finds nothing', async () => {
  const told: unknown[] = [];
  const detect = createSecretDetector({
    load: () => Promise.reject(new Error('no such package')),
    onMissing: (error) => void told.push(error),
  });
  expect(await detect('a', 'a.ts')).toEqual([]);
  expect(await detect('b', 'b.ts')).toEqual([]);
  expect(told).toHaveLength(1);
});

test('says what kind it is in words, leaves remarks out, and does not read what nobody wrote', async () => {
  const messages = [
    { ...MESSAGE, messageId: 'PostgreSQLConnection' },
    { ...MESSAGE, messageId: 'AWSAccessKeyID' },
    { ...MESSAGE, messageId: 'AWSAccountID' },
    { ...MESSAGE, messageId: 'NPM_ACCESS_TOKEN', severity: 'info' },
  ];
  const detect = createSecretDetector({
    load: async () => async () => messages,
    onMissing: () => expect.unreachable(),
  });
  expect((await detect('a', 'a.ts')).map(({ kind }) => kind)).toEqual([
    'PostgreSQL connection',
    'AWS access key ID',
  ]);
  expect(await detect('x'.repeat(2_000_001), 'a.ts')).toEqual([]);
});
