/** Small texts of a model, what becomes of them, and what is counted. */
import { expect, test } from 'vitest';
import { cleanOutput } from '../../../src/domain/text/clean-output.ts';

const RULES = { repository: 'own/repo', mentions: ['ana'] };

test.each<[string, string, Record<string, number>]>([
  ['<mailto:a@b.com>', '`mailto:a@b.com`', { link: 1 }],
  ['<https://evil.example/x>', '(link removed)', { link: 1 }],
  ['<https://docs.github.com/x>', '<https://docs.github.com/x>', {}],
  ['<https://github.com/own/repo?x=1>', 'https://github.com/own/repo', { link: 1 }],
  ['a ` b', "a ' b", { 'stray-tick': 1 }],
  ['a < b <c', 'a < b &lt;c', { 'stray-tag': 1 }],
  ['![ x', '! [ x', { 'stray-link': 1 }],
  ['x](y', 'x] (y', { 'stray-link': 1 }],
  ['[a **b** c](https://evil.example)', 'a **b** c (link removed)', { link: 1 }],
  ['  /merge', '  `/merge`', { 'slash-command': 1 }],
  ['a`@bo y', "a'(at)bo y", { mention: 1, 'stray-tick': 1 }],
  ['`x @bo', "'x `@bo`", { mention: 1, 'stray-tick': 1 }],
  ['@bo`', "(at)bo'", { mention: 1, 'stray-tick': 1 }],
  ['##[error]a', '`##`[error]a', { 'workflow-command': 1 }],
  ['  ::notice::a', '  : :notice::a', { 'workflow-command': 1 }],
])('%j is shown as %j', (source, text, changed) => {
  expect(cleanOutput(source, RULES)).toEqual({ text, changed });
});

test('a command of another bot is shown without the backslash before it', () => {
  expect(cleanOutput('\\/merge now', RULES).text).toBe('`/merge` now');
});

test('a link without words becomes nothing but what was removed', () => {
  expect(cleanOutput('[](https://evil.example/x)', RULES).text).toBe(' (link removed)');
});
