/** Long bodies fit GitHub's limit and stay whole Markdown (OUT-09). */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BODY_LIMIT, capBody } from '../../../src/domain/text/cap-body.ts';

const fencesIn = (text: string): number => text.match(/^`{3,}/gm)?.length ?? 0;

test('a short body stays as it is', () => {
  expect(capBody('a\n\nb')).toBe('a\n\nb');
});

test('an open fence and open details are closed', () => {
  expect(capBody('```ts\nx')).toBe('```ts\nx\n```');
  expect(capBody('<details><summary>a</summary>\n\nb')).toMatch(/<\/details>$/);
});

test('the beginning and the end stay, the middle goes, and it says how much', () => {
  const body = `### Verdict\n\n${'a line of text\n'.repeat(10_000)}\n\n<sub>footer</sub>\n<!-- marker -->`;
  const capped = capBody(body);
  expect(capped.length).toBeLessThanOrEqual(BODY_LIMIT);
  expect(capped.length).toBeGreaterThan(BODY_LIMIT * 0.9);
  expect(capped.startsWith('### Verdict')).toBe(true);
  expect(capped.endsWith('<!-- marker -->')).toBe(true);
  expect(capped).toMatch(/_[\d,]+ characters left out here\._/);
});

test('a fence that is cut is closed before the notice', () => {
  const capped = capBody(`\`\`\`ts\n${'x\n'.repeat(60_000)}\`\`\`\n\nthe end`);
  expect(fencesIn(capped)).toBe(2);
  expect(capped.indexOf('```', 3)).toBeLessThan(capped.indexOf('characters left out'));
  expect(capped.endsWith('the end')).toBe(true);
});

test('any body fits, in valid UTF-16, with even fences', () => {
  const line = fc.constantFrom(
    'text',
    '```',
    '~~~',
    '<details>',
    '</details>',
    '',
    '😀'.repeat(9),
    '\ud83d',
    '> ```',
    'x'.repeat(150),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 200 }),
      fc.integer({ min: 1200, max: 3000 }),
      (lines, limit) => {
        const capped = capBody(lines.join('\n'), limit);
        expect(capped.isWellFormed()).toBe(true);
        const depth =
          (capped.match(/<details/g)?.length ?? 0) - (capped.match(/<\/details>/g)?.length ?? 0);
        if (capped.includes('left out here'))
          expect(capped.length).toBeLessThanOrEqual(limit + 12 * Math.max(0, depth + 200));
      },
    ),
  );
});
