/** What a model wrote pings nobody, closes nothing, loads nothing and claims nothing. */
import * as fc from 'fast-check';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { cleanLogLine, cleanOutput } from '../../../src/domain/text/clean-output.ts';

/** Running text as GitHub reads it: emphasis included, code left out. */
function textsOf(markdown: string): string[] {
  const texts: string[] = [];
  const walk = (node: Nodes): void => {
    if (node.type === 'text' || node.type === 'html') texts.push(node.value);
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
  return texts;
}

const RULES = { repository: 'own/repo', mentions: ['ana'] };
const clean = (text: string): string => cleanOutput(text, RULES).text;

describe('cleanOutput', () => {
  test.each([
    ['Ask @bo or @org/everyone.', 'Ask `@bo` or `@org/everyone`.'],
    ['Ask @ana.', 'Ask @ana.'],
    ['_@bo_ and (@bo)', '_`@bo`_ and (`@bo`)'],
    ['&#64;bo \\@bo', '`@bo` `@bo`'],
    ['@types/node', '`@types/node`'],
    ['Write to a@b.com', 'Write to `a@b.com`'],
  ])('a mention does not ping (OUT-02): %j', (source, expected) => {
    expect(clean(source)).toBe(expected);
  });

  test.each([
    ['Fixes #1.', '`Fixes` #1.'],
    ['closes: #2, resolved **#3**', '`closes`: #2, `resolved` **#3**'],
    ['fix own/repo#4', '`fix` own/repo#4'],
    ['fixed https://github.com/own/repo/issues/5', '`fixed` https://github.com/own/repo/issues/5'],
    ['close GH-6', '`close` GH-6'],
    ['fixes &#35;7', '`fixes` #7'],
    ['This fixes it; see #8.', 'This fixes it; see #8.'],
  ])('a closing keyword closes nothing (OUT-02): %j', (source, expected) => {
    expect(clean(source)).toBe(expected);
  });

  test.each([
    ['![x](https://evil.example/?d=1)', '(image removed)'],
    ['[a](https://evil.example/x)', 'a (link removed)'],
    ['https://evil.example/?q=1', '(link removed)'],
    ['www.evil.example', '(link removed)'],
    ['[a](javascript:alert(1))', 'a (link removed)'],
    ['[a](//evil.example)', 'a (link removed)'],
    ['[a](https://github.com@evil.example/x)', 'a (link removed)'],
    ['[a][r]\n\n[r]: https://evil.example', '[a][r]\n\n'],
    [
      '[a](https://github.com/own/repo/blob/main/a.ts?x=1#L3 "t")',
      '[a](https://github.com/own/repo/blob/main/a.ts#L3)',
    ],
    ['[a](https://github.com/other/repo/issues/1)', 'a (link removed)'],
    ['other/repo#1 own/repo#2 #3', '`other/repo#1` own/repo#2 #3'],
    ['[p](src/a.ts#L1)', '[p](src/a.ts#L1)'],
  ])('nothing leaves by a link (OUT-01): %j', (source, expected) => {
    expect(clean(source)).toBe(expected);
  });

  test.each([
    [
      '[a](https://git.example.org/own/repo/pull/3)',
      '[a](https://git.example.org/own/repo/pull/3)',
    ],
    ['[a](https://git.example.org/other/repo/pull/3)', 'a (link removed)'],
    ['[a](https://git.example.org/own/repo?x=1)', '[a](https://git.example.org/own/repo)'],
    ['[a](http://git.example.org/own/repo)', 'a (link removed)'],
    ['[a](https://git.example.org:8443/own/repo)', 'a (link removed)'],
    ['[a](https://git.example.org.evil.example/own/repo)', 'a (link removed)'],
    ['[a](https://docs.git.example.org/x)', 'a (link removed)'],
    ['[a](https://github.com/own/repo)', 'a (link removed)'],
    ['[a](https://docs.github.com/rest)', '[a](https://docs.github.com/rest)'],
  ])(
    'on another host, links lead to that GitHub and the documentation alone: %j',
    (source, expected) => {
      expect(cleanOutput(source, { ...RULES, host: 'git.example.org' }).text).toBe(expected);
    },
  );

  test.each([
    ['<!-- quorum:v1 abc.def -->', /^[^<]*$/],
    ['```\n<!-- quorum:v1 abc.def -->\n```', /^[^<]*$/],
    ['<details open><img src=x onerror=y>', /^[^<]*$/],
    ['::set-output name=a::b', /^: :set-output/],
    ['##[error]stop', /^`##`\[/],
    ['${{ secrets.X }}', /^\$ \{\{/],
    ['a\u001b[31mred\u0007\u202e\u{e0041}', /^ared$/],
  ])('it claims no authority and orders no runner (OUT-10, INJ-07): %j', (source, expected) => {
    expect(clean(source)).toMatch(expected);
  });

  test.each([
    ['@bo', { mention: 1 }],
    ['\\@bo', { disguise: 1, mention: 1 }],
    ['fixes &#35;7', { disguise: 1, 'closing-keyword': 1 }],
    ['&#x23; &num; &commat; &#64;', { disguise: 4 }],
    ['Fixes #1 and closes #2', { 'closing-keyword': 2 }],
    ['other/repo#1', { 'foreign-reference': 1 }],
    ['::notice::x', { 'workflow-command': 1 }],
    ['##[group]', { 'workflow-command': 1 }],
    ['/merge', { 'slash-command': 1 }],
    ['${{ x }}', { expression: 1 }],
    ['![x](https://evil.example)', { image: 1 }],
    ['[a](https://evil.example)', { link: 1 }],
    ['[a](b.md?x)', { link: 1 }],
    [String.raw`[a](b\\c)`, { link: 1 }],
    ['[a](src/a.ts "t")', { link: 1 }],
    ['[a](src/a.ts "")', {}],
    ['[a](src/a.ts)', {}],
    ['[](https://evil.example)', { link: 1 }],
    ['[r]: https://evil.example', { 'link-definition': 1 }],
    ['<b>', { html: 1 }],
    ['<!-- quorum:v1 a.b -->', { marker: 1 }],
    ['a\u200bb', { invisible: 1 }],
    ['plain words', {}],
  ])('counts what it changed, by kind: %j', (source, changed) => {
    expect(cleanOutput(source, RULES).changed).toEqual(changed);
  });

  test('code, paths, numbers and plain Markdown stay as they are', () => {
    const source = [
      '### Heading with 1,234 and 0.8',
      '',
      'See `src/a.ts#L10-L20`, #12 and **bold** _em_ ~~old~~.',
      '',
      '```ts',
      '// @bo fixes #1 https://evil.example ${{ x }} <b>',
      '::notice::kept',
      '```',
      '',
      '| a | b |',
      '| - | - |',
      '| `@bo` | 2 |',
      '',
      '- [ ] a task',
      '> quote',
    ].join('\n');
    expect(cleanOutput(source, RULES)).toEqual({ text: source, changed: {} });
  });

  test('whatever comes in, nothing acts in what comes out, and a second time changes nothing', () => {
    const pieces = fc.constantFrom(
      '@bo',
      '@',
      'bo',
      'fixes',
      ' #1',
      '#1',
      '`',
      '``',
      '```',
      '\n',
      '\n\n',
      ' ',
      '\\',
      '&#64;',
      '&#35;',
      '<b>',
      '<!-- quorum:v1 a.b -->',
      '<!--',
      '-->',
      '![',
      '](',
      '[',
      ']',
      ')',
      'https://evil.example',
      '*',
      '_',
      '> ',
      '- ',
      '    ',
      '\u200b',
      '::set-env::',
      '|',
      '~~',
      '"',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const { text } = cleanOutput(parts.join(''), RULES);
        expect(text).not.toMatch(/<!--\s*quorum/);
        for (const shown of textsOf(text)) {
          expect(shown).not.toMatch(/(?<![A-Za-z0-9])@bo\b/);
          expect(shown).not.toMatch(/\bfixes\s*#1/);
        }
        expect(text.isWellFormed()).toBe(true);
        if (cleanOutput(text, RULES).changed['unsettled'] === undefined)
          expect(clean(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

test('a log line carries no command, colour or line break (INJ-07)', () => {
  expect(cleanLogLine('a\u001b[31m\r\n::error::x ##[group]y')).toBe('a : :error: :x ## [group]y');
});
