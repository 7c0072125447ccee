/** From how many characters on a secret, its rows and its parts in base64 are looked for. */
import { expect, test } from 'vitest';
import { formsOf } from '../../../src/domain/secrets/secret-forms.ts';

test('a secret has forms from eight characters on', () => {
  expect(formsOf('1234567')).toEqual([]);
  expect(formsOf(' 1234567 ')).toEqual([]);
  expect(formsOf('12345678')).toEqual(['3132333435363738', '12345678']);
});

test('a row of a secret is a form from twenty characters on', () => {
  const secret = `${'a'.repeat(19)}\n${'b'.repeat(20)}\n-----${'c'.repeat(20)}`;
  const forms = formsOf(secret);
  expect(forms).toContain('b'.repeat(20));
  expect(forms).not.toContain('a'.repeat(19));
  expect(forms).not.toContain(`-----${'c'.repeat(20)}`);
});

test.each([
  [0, 'YWJjZGVmZ2hpamts'],
  [1, 'FiY2RlZmdoaWprb'],
  [2, 'hYmNkZWZnaGlqa2'],
])('base64 behind %d bytes leaves out what its neighbours decide', (before, form) => {
  expect(formsOf('abcdefghijkl')).toContain(form);
  for (const after of ['', 'x', 'yy'])
    expect(Buffer.from(`${'~'.repeat(before)}abcdefghijkl${after}`).toString('base64')).toContain(
      form,
    );
});

test('parts in base64 are forms from twelve characters on', () => {
  expect(formsOf('abcdefghi')).toContain('YWJjZGVmZ2hp');
  expect(formsOf('abcdefghi').filter((form) => form.length < 12)).toEqual(['abcdefghi']);
  expect(formsOf('abcdefgh').filter((form) => form.length < 12)).toEqual(['abcdefgh']);
});

test('what a form sends is a form from its first character on', () => {
  expect(formsOf('!passw*rd 1')).toContain('%21passw*rd+1');
});

test('each of two rows is a form, and rows of one or three make no other difference', () => {
  const rows = ['first-row-of-a-secret-1', 'second-row-of-a-secret-2', 'third-row-of-a-secret-33'];
  for (const count of [2, 3])
    for (const row of rows.slice(0, count))
      expect(formsOf(rows.slice(0, count).join('\n'))).toContain(row);
  expect(formsOf(` ${rows[0]} `)).toEqual(expect.arrayContaining([` ${rows[0]} `, rows[0]]));
});
