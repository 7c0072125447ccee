/** What a reader does not see never reaches a prompt, and is counted. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countHidden } from '../../../src/domain/text/invisible.ts';
import { visibleText } from '../../../src/domain/text/visible-text.ts';

const tag = (text: string): string =>
  Array.from(text, (character) =>
    String.fromCodePoint(0xe0000 + (character.codePointAt(0) ?? 0)),
  ).join('');

/** Every hidden channel of the catalogue: the word EVIL must go, the words around it must stay. */
const CHANNELS: readonly (readonly [kind: string, source: string])[] = [
  ['html-comment', 'seen <!-- EVIL --> too'],
  ['html-comment', 'seen\n\n<!--\nEVIL\n-->\n\ntoo'],
  ['html-comment', 'seen too\n\n<!-- EVIL, never closed\n\nEVIL still'],
  ['html-comment', '- seen too\n- <!-- EVIL -->'],
  ['html-comment', '> seen too\n> <!-- EVIL -->'],
  ['link-definition', 'seen\n\n[//]: # (EVIL)\n\ntoo'],
  ['link-definition', 'seen\n\n[comment]: <> "EVIL"\n\ntoo'],
  ['link-definition', '[seen][x] too\n\n[x]: https://example.com "EVIL"'],
  ['footnote', 'seen too\n\n[^1]: EVIL'],
  ['instruction', 'seen <? EVIL ?> too'],
  ['instruction', 'seen too\n\n<?EVIL\n\nEVIL'],
  ['cdata', 'seen <![CDATA[ EVIL ]]> too'],
  ['declaration', 'seen <!DOCTYPE EVIL> too'],
  ['tag-character', `seen ${tag('EVIL')} too`],
  ['variation-selector', 'seen \u{e0145}\u{e0146} too'],
  ['variation-selector', 'seen\ufe0f too'],
  ['bidi-control', 'seen \u202etoo\u202c \u2066x\u2069'],
  ['zero-width', 'se\u200ben t\u2060oo\ufeff'],
  ['zero-width', 'seen&#8203; too &ZeroWidthSpace; &#x200D;'],
  ['tag-character', 'seen &#xE0045;&#xE0056; too'],
  ['filler', 'seen \u3164\uffa0\u115f too'],
  ['control-character', 'seen \u0007\u001b too'],
  ['hidden-element', 'seen\n\n<div style="display:none">\n\nEVIL **EVIL**\n\n</div>\n\ntoo'],
  ['hidden-element', 'seen <span hidden>EVIL <b>EVIL</b></span> too'],
  ['hidden-element', 'seen <span style="font-size:0">EVIL</span> too'],
  ['hidden-element', 'seen <span style="color: white">EVIL</span> too'],
  ['hidden-element', 'seen <span style="opacity:0;">EVIL</span> too'],
  ['hidden-element', 'seen too <template>EVIL'],
  ['hidden-element', 'seen too\n\n<script>\nEVIL\n</script>'],
  ['link-text', 'seen [too](https://example.com "EVIL")'],
  ['link-text', 'seen [too](data:text/plain,EVIL)'],
  ['image-text', `seen ![${'EVIL '.repeat(20)}](https://example.com/x.png) too`],
  ['attribute-text', `seen <img src="x" alt="${'EVIL '.repeat(20)}"> too`],
  ['fence-info', `seen too\n\n\`\`\`js ${'EVIL '.repeat(20)}\ncode\n\`\`\``],
  ['blank-run', `seen${' '.repeat(500)}too`],
  ['html-comment', 'seen too <!<!-- -->-- EVIL -->'],
  ['html-comment', `seen too ${'a<!-- '.repeat(20)}\n\n<!-- EVIL`],
  ['instruction', `seen too ${'a<? '.repeat(20)}\n\n> - <? EVIL`],
];

describe('hidden channels (INJ-02)', () => {
  test.each(CHANNELS)('%s: %j is removed and counted', (kind, source) => {
    const { text, hidden } = visibleText(source);
    expect(hidden[kind]).toBeGreaterThan(0);
    expect(text).not.toMatch(/EVIL/);
    expect(text.replaceAll(/\W+/g, ' ')).toMatch(/seen.*too/);
    expect(visibleText(text)).toEqual({ text, hidden: {}, cut: 0 });
  });

  test('what a reader sees stays, byte for byte', () => {
    const sources = [
      'Run `a <!-- kept --> b` and\n\n```html\n<!-- kept -->\n<div hidden>kept</div>\n```\n',
      'Emoji 👩‍👩‍👧 ❤️ 1️⃣, Persian می‌خواهم, and a table:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
      '- [ ] one\n- [x] two\n\n> quote\n\n1. *em* **strong** ~~gone~~ [link](https://example.com/a?b=1)\n',
      'A note[^1] with its text.\n\n[^1]: shown below the page\n',
      'A [reference][r].\n\n[r]: https://example.com\n',
      'Less than: 1 < 2, a<b, &lt;!-- shown --&gt; and \\<!-- shown',
    ];
    for (const source of sources)
      expect(visibleText(source)).toEqual({ text: source, hidden: {}, cut: 0 });
  });

  test('tags go and the text between them stays', () => {
    const { text, hidden } = visibleText(
      '<details>\n<summary>Log</summary>\n\nline<br>two\n\n</details>',
    );
    expect(text).toContain('Log');
    expect(text).toContain('line\ntwo');
    expect(text).not.toContain('<');
    expect(countHidden(hidden)).toBe(0);
  });
});

describe('visibleText on any input', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '!',
    '--',
    '<!--',
    '-->',
    '[',
    ']',
    '(',
    ')',
    ':',
    '[//]: # (',
    '[^1]:',
    '`',
    '```',
    '~~~',
    '\n',
    '\n\n',
    ' ',
    '    ',
    '<div hidden>',
    '</div>',
    '<?',
    '?>',
    ']]>',
    '<![CDATA[',
    '&#8203;',
    '&',
    '#',
    '"',
    "'",
    '\u200b',
    '\u202e',
    '\u{e0041}',
    '\u3164',
    'word',
    '![',
    '*',
    '_',
    '>',
    '- ',
    '\\',
    '\r\n',
    '\ud800',
    '\u0000',
    '|',
    '<b',
    '<a href="',
  );
  const hostile = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));

  test('it never throws, never grows, and a second time changes nothing (INJ-02)', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 300 })), (source) => {
        const once = visibleText(source);
        expect(once.text.length).toBeLessThanOrEqual(source.length);
        expect(visibleText(once.text).text).toBe(once.text);
        expect(once.text).not.toMatch(/[\u200b\u202e\u3164\u{e0000}-\u{e007f}]/u);
      }),
      { numRuns: 600 },
    );
  });

  test('a megabyte is cut at the cap, and the cut is reported (INJ-10)', () => {
    const { text, cut } = visibleText('words and words\n'.repeat(70_000));
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(cut).toBe(16 * 70_000 - 65_536);
    expect(visibleText('abcdef', 3)).toEqual({ text: 'abc', hidden: {}, cut: 3 });
  });

  test.each([
    '*a_ ',
    '[',
    '![',
    '>',
    '- ',
    'a<?',
    'a<!--',
    'a<![CDATA[',
    '<a x="',
    '~~a',
    '[a](',
    '`a``',
    '<div hidden>',
    '&',
    '[a]: b\n\n',
    '<!<!-- -->-- ',
  ])('text made to stall a parser (%j repeated) ends', (piece) => {
    const { text } = visibleText(piece.repeat(Math.floor(65_536 / piece.length)));
    expect(text.length).toBeLessThanOrEqual(65_536);
  });
});
