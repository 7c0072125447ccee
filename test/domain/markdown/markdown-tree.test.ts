import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bluntOpeners } from '../../../src/domain/markdown/markdown-tree.ts';

const brackets = (text: string): number => text.match(/[[\]]/g)?.length ?? 0;

describe('brackets without end, which the parser would look back over again and again', () => {
  test('text that people write stays as it is', () => {
    const links = 'See [this](https://example.test) and [that][1].\n'.repeat(150);
    expect(bluntOpeners(links)).toBe(links);
  });

  test('data in a code block stays as it is, far beyond that', () => {
    const data = `Log:\n\n\`\`\`json\n${'[[1], [2]]\n'.repeat(900)}\`\`\`\n\nSee [it](x).\n`;
    expect(bluntOpeners(data)).toBe(data);
  });

  test.each([']', '[', '[a]', '[^a]', '[a](', '![x] '])(
    '60 kB of %s keep no more than are cheap',
    (unit) => {
      const text = bluntOpeners(`${unit.repeat(20)}\n`.repeat(60_000 / (unit.length * 20)));
      expect(brackets(text)).toBeLessThanOrEqual(2_100);
    },
  );

  test('a fence that the parser does not see hides no more than the ceiling', () => {
    const text = bluntOpeners(`<div>\n\`\`\`\n${`${']'.repeat(50)}\n`.repeat(1_200)}`);
    expect(brackets(text)).toBeLessThanOrEqual(8_100);
  });

  test('length and every other character stay, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[', ']', '```\n', 'a', '\n', '~~~\n', '<!--'), {
          maxLength: 4_000,
        }),
        (parts) => {
          const text = parts.join('');
          const blunt = bluntOpeners(text);
          expect(blunt.length).toBe(text.length);
          expect(blunt.replaceAll(/[()[\]<]/g, '')).toBe(text.replaceAll(/[()[\]<]/g, ''));
        },
      ),
    );
  });
});
