import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { codeBlock, codeSpan, fenceFor } from '../../../src/domain/text/code-span.ts';
import { nodesOf, parseMarkdown } from '../../../src/domain/markdown/markdown-tree.ts';

test('whatever the text is, all of it is code on one line, and says the same', () => {
  assert(
    property(string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }), (text) => {
      const span = codeSpan(text);
      const root = parseMarkdown(`a ${span} b`);
      const nodes = root === undefined ? [] : nodesOf(root);
      const inside = nodes.filter(({ type }) => type !== 'root' && type !== 'paragraph');
      if (text.trim() === '') expect(inside.map(({ type }) => type)).toEqual(['text']);
      else expect(inside).toMatchObject([{}, { type: 'inlineCode', value: text.trim() }, {}]);
    }),
  );
});

test('line ends and control characters become spaces', () => {
  expect(codeSpan('a\n\n# b\u0007c\td')).toBe('`a # b c d`');
});

test('what nobody sees is left out of a span and of a block', () => {
  expect(codeSpan('a\u202eb\u{e0041}.ts')).toBe('`ab.ts`');
  expect(codeBlock('a\u2066b\u200b\u2764\ufe0f')).toBe('```text\nab\u2764\ufe0f\n```');
});

test('a fence is longer than what it holds', () => {
  expect([fenceFor('x', 3), fenceFor('````', 3)]).toEqual(['```', '`````']);
});
