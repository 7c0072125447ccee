/** JSON in what models write. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../../src/act/model/read-json.ts';

const words = fc.stringMatching(/^[A-Za-z .,:'"\n]{0,80}$/);

describe('readJson', () => {
  test('finds any object, alone, in a fence or between words', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), words, words, (object, a, b) => {
        const json = JSON.stringify(object);
        const value: unknown = JSON.parse(json);
        expect(readJson(json)).toEqual({ value });
        expect(readJson(`${a}\n\`\`\`json\n${json}\n\`\`\`\n${b}`)).toEqual({ value });
        expect(readJson(`${a}\n${json}\n${b}`)).toEqual({ value });
      }),
    );
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        readJson(text);
        readJson(`{${text}`);
      }),
    );
  });

  test('passes over brackets in prose', () => {
    expect(readJson('As [said] {before}: {"a": [1, "}"]} done')).toEqual({
      value: { a: [1, '}'] },
    });
  });

  test('finds nothing where there is nothing', () => {
    expect(readJson('')).toBeUndefined();
    expect(readJson('I would rather not.')).toBeUndefined();
    expect(readJson('{"a": [1, 2')).toBeUndefined();
  });

  test('stays fast on many open brackets', () => {
    expect(readJson('['.repeat(300_000))).toBeUndefined();
    expect(readJson('{"'.repeat(300_000))).toBeUndefined();
  });
});
