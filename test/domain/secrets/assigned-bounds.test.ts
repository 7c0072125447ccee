/** What a value has to look like before it counts as a credential, and which rows belong to a cut key. */
import { expect, test } from 'vitest';
import { findSecrets, redactSecrets } from '../../../src/domain/secrets/secret-text.ts';

const redacted = (value: string, quote = ''): string =>
  redactSecrets(`PASSWORD=${quote}${value}${quote}`);

test.each(['troub4dor&3xq', 'Troubador&3', 'TR0UB&DORxq', 'TR0UB&DORXQ'])(
  '%s mixes three kinds of characters, one of them a digit',
  (value) => {
    expect(redacted(value)).toBe('PASSWORD=(credential removed)');
  },
);

test.each([
  ['has no digit', 'Troubador&xqz'],
  ['mixes two kinds', 'troubador&xqz'],
  ['repeats itself', 'aaaaaaa&a1'],
  ['is too short', 'Tr0&bad'],
])('a value that %s stays', (_, value) => {
  expect(redacted(value)).toBe(`PASSWORD=${value}`);
});

test('signs behind a value are kept, unless they are in quotes with it', () => {
  expect(redacted('troub4dor&3xq),')).toBe('PASSWORD=(credential removed)),');
  expect(redacted('troub4dor&3xq,', '"')).toBe('PASSWORD="(credential removed)"');
});

test('rows of a cut key are one word, at most with a number or a sign before it', () => {
  const row = 'Zq7Xw4Rt9Yk2Lm5P'.repeat(4);
  const end = ['-----', 'END PRIVATE', ' KEY-----'].join('');
  const first = (line: string): string =>
    redactSecrets([line, end].join('\n')).split('\n')[0] ?? '';
  for (const line of [row, `12 ${row}`, `+ ${row}`, `> ${row}`, `"${row}"`])
    expect(first(line)).toBe('(private key removed)');
  for (const line of [`see ${row}`, `1 2 ${row}`, `${row} it is!`, `123456789 ${row}`])
    expect(first(line)).toBe(line);
});

test.each([
  'some_module_name.with_dotted.parts_of_it',
  'some_module_name.eyJhbGciOiJI.parts_of_it',
])('%s is three words and no web token: it does not begin as one', (text) => {
  expect(redactSecrets(text)).toBe(text);
});

test('a short name of a service is a whole word, and a longer one may begin a word', () => {
  const assigned = (name: string): string => redactSecrets(`${name}_secret="troub4dor&3xq"`);
  expect(assigned('aws')).toBe('aws_secret="(AWS credential removed)"');
  expect(assigned('const aws')).toBe('const aws_secret="(AWS credential removed)"');
  expect(assigned('awsome')).toBe('awsome_secret="(credential removed)"');
});

test('each row of a cut key has a line of its own', () => {
  const rows = ['Zq7Xw4Rt9Yk2Lm5P', 'Lm5PZq7Xw4Rt9Yk2Zq', 'Yk2Lm5PZq7Xw4Rt'].map((row) =>
    row.repeat(3),
  );
  const end = ['-----', 'END PRIVATE', ' KEY-----'].join('');
  const found = findSecrets(['it is!', 'so it is', ...rows, end, 'it was!'].join('\n'));
  expect(found.map(({ line, kind }) => [line, kind])).toEqual(
    [3, 4, 5, 6].map((line) => [line, 'private key']),
  );
});

test('a web token behind a name is taken out, the name stays, and the line is right', () => {
  const token = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0aa', 'Zq7Xw4Rt9Yk2Lm5P'].join('.');
  expect(redactSecrets(`session-${token}`)).toBe('session-(signed web token removed)');
  expect(findSecrets(`\n${token}`)).toMatchObject([{ kind: 'signed web token', line: 2 }]);
});
