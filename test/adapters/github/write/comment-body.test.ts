/** A comment's text always fits and always ends with its marker. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assembleComment, isSameBody } from '../../../../src/adapters/github/write/comment-body.ts';
import { shortText } from '../../../../src/domain/text/cap-body.ts';
import { parseMarker, renderMarker } from '../../../../src/domain/github/marker.ts';
import { verifies } from '../../../verifies.ts';
import { SECRET } from '../stage.ts';

const MARK = { kind: 'run', run: 'r'.repeat(80), key: 'k'.repeat(120) } as const;
const marker = renderMarker(MARK, SECRET, 'thread:1/2');
const openFences = (text: string): number =>
  text.split('\n').filter((line) => line.startsWith('```')).length % 2;

describe('assembleComment', () => {
  test('puts the marker on the last line after an empty one', () => {
    expect(assembleComment('Hello\n', marker)).toBe(`Hello\n\n${marker}`);
  });

  test('takes out what nobody sees, so that nobody is quoted with it, and keeps emoji whole', () => {
    const body = 'He said \u{e0041}\u{e0042}\u202eyes\u2066 \u2764\ufe0f \u{1f469}\u200d\u{1f467}';
    expect(assembleComment(body, marker)).toBe(
      `He said yes \u2764\ufe0f \u{1f469}\u200d\u{1f467}\n\n${marker}`,
    );
    expect(shortText('Fix \u200bthe \u{e0123}title', 8)).toBe('Fix the ');
  });

  verifies('OUT-09', 'shortens a long text, closes what is open and keeps the marker last', () => {
    const long = `<details>\n\n\`\`\`ts\n${'const a = 1;\n'.repeat(10_000)}`;
    const text = assembleComment(long, marker);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(openFences(text)).toBe(0);
    expect(text.split('<details').length).toBe(text.split('</details>').length);
    expect(text).toContain('characters left out');
    expect(parseMarker(text, SECRET, 'thread:1/2')).toEqual(MARK);
  });

  verifies('OUT-09', 'fits even when closing everything would not', () => {
    const text = assembleComment('<details>\n'.repeat(20_000), marker);
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(parseMarker(text, SECRET, 'thread:1/2')).toEqual(MARK);
  });

  verifies(
    'OUT-09',
    'whatever the text, it fits, is well formed and its marker is read back',
    () => {
      const pieces = fc.constantFrom(
        '```',
        '~~~~',
        '\n',
        '\n\n',
        '😀',
        '\ud800',
        'a'.repeat(997),
        '<!--',
        '-->',
        '<details>',
        'é ',
      );
      fc.assert(
        fc.property(
          fc.array(pieces, { maxLength: 300 }),
          fc.integer({ min: 1, max: 90 }),
          (parts, times) => {
            const text = assembleComment(parts.join('').repeat(times), marker);
            expect(text.length).toBeLessThanOrEqual(65_536);
            expect(text.isWellFormed()).toBe(true);
            expect(parseMarker(text, SECRET, 'thread:1/2')).toEqual(MARK);
          },
        ),
        { numRuns: 60 },
      );
    },
  );
});

test('isSameBody sees through line ends and space at the end, and nothing else', () => {
  expect(isSameBody('a\r\nb\n', 'a\nb')).toBe(true);
  expect(isSameBody('a b', 'a  b')).toBe(false);
});
