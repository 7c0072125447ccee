/** Bytes of a file as text. */
import { describe, expect, test } from 'vitest';
import { toSourceFile } from '../../../src/domain/repository/source-file.ts';

const text = (content: string, maxBytes: number) =>
  toSourceFile('a', Buffer.from(content), maxBytes);

describe('toSourceFile', () => {
  test('leaves out what has a NUL byte', () => {
    expect(toSourceFile('a', Buffer.from([65, 0, 66]), 100)).toBeUndefined();
  });

  test('keeps what fits whole', () => {
    expect(text('one\ntwo', 7)).toEqual({ path: 'a', text: 'one\ntwo', isCut: false });
  });

  test('cuts at the end of a line', () => {
    expect(text('one\ntwo\nthree', 9)).toEqual({ path: 'a', text: 'one\ntwo\n', isCut: true });
  });

  test('cuts one endless line without half a character', () => {
    expect(text('aéé', 4)).toEqual({ path: 'a', text: 'aé', isCut: true });
  });
});
