import { assert, nat, pre, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reseal, sealOf, sealText } from '../../../src/domain/setup/seal.ts';

describe('the line that tells an edited file from one that nobody changed', () => {
  test('is intact as written, at the top or below other lines', () => {
    expect(sealOf(sealText('a: 1\n'))).toBe('intact');
    expect(sealOf(sealText('# one\na: 1\n', 1))).toBe('intact');
    expect(sealText('# one\na: 1\n', 1).split('\n')[0]).toBe('# one');
  });

  test('is intact after a checkout with Windows line ends', () => {
    expect(sealOf(sealText('a: 1\nb: 2\n').replaceAll('\n', '\r\n'))).toBe('intact');
  });

  test('is broken by any edit, and absent where it was removed', () => {
    const sealed = sealText('a: 1\nb: 2\n');
    expect(sealOf(sealed.replace('a: 1', 'a: 2'))).toBe('broken');
    expect(sealOf(`${sealed}c: 3\n`)).toBe('broken');
    expect(sealOf('a: 1\n')).toBe('absent');
  });

  test('holds for any text that has none yet', () => {
    assert(
      property(string(), nat(3), (text, after) => {
        pre(sealOf(text) === 'absent');
        expect(sealOf(sealText(text, after))).toBe('intact');
      }),
    );
  });

  test('is renewed for Quorum’s own change, and stays broken where a person edited', () => {
    const sealed = sealText('# top\na: 1\n', 1);
    const moved = reseal(sealed, sealed.replace('a: 1', 'a: 2'));
    expect([sealOf(moved), moved.split('\n')[0], moved.includes('a: 2')]).toEqual([
      'intact',
      '# top',
      true,
    ]);
    const edited = sealed.replace('a: 1', 'a: 3');
    expect(sealOf(reseal(edited, edited.replace('a: 3', 'a: 4')))).toBe('broken');
  });
});
