import { expect, test } from 'vitest';
import { significantTerms } from '../../../src/domain/memory/recall/memory-terms.ts';

test.each([
  ['mergePath', ['mergepath', 'merge', 'path']],
  ['parse_HTMLBody2', ['parsehtmlbody2', 'parse', 'html', 'body2']],
  ['content-type', ['contenttype', 'content', 'type']],
  ['const x = await this.cache', ['cache']],
  ['The lease of the lane', ['lease', 'lane']],
  ['42 0x 1.5 id', []],
  ['Größenänderung', ['größenänderung']],
  ['合并冲突', ['合并', '冲突']],
  ['ﬁle', ['file']],
])('%s has the terms %j', (text, terms) => {
  expect(significantTerms([text])).toEqual(terms);
});

test('gives each term once, in the order in which they appear', () => {
  expect(significantTerms(['queue lease', 'lease worker queue'])).toEqual([
    'queue',
    'lease',
    'worker',
  ]);
});

test('leaves out what is too long to be a word, and stops at a limit', () => {
  const hash = 'ab'.repeat(32);
  expect(significantTerms([hash, 'lease'])).toEqual(['lease']);
  const many = Array.from({ length: 5_000 }, (_, at) => `term${at.toString(36)}x`);
  expect(significantTerms(many)).toHaveLength(400);
});

test('no term has a character that is neither a letter nor a digit', () => {
  const texts = [`a"b'c; DROP`, 'NEAR(x, 2)*', '$1 :: text', 'one\u0000two‮three'];
  for (const term of significantTerms(texts)) expect(term).toMatch(/^[\p{L}\p{N}]+$/u);
});
