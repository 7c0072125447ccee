/** What is read of a roadmap, and how much of it each voice sees. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  briefRoadmap,
  cutRoadmap,
  fullRoadmap,
  parseRoadmap,
  seesWholeRoadmap,
} from '../../../src/domain/roadmap/roadmap.ts';

const ROADMAP = `# Roadmap

Where we are going.

## Search ##

- [x] Index titles
- [ ] Index bodies <!-- #12 -->
  - [ ] Rank by age

## Later
1. [ ] Offline mode

## Ideas
- plugins
`;

describe('parsing a roadmap', () => {
  test('gives each section what is done, and titles of what is left', () => {
    expect(parseRoadmap(ROADMAP)).toEqual([
      { title: 'Search', done: 1, total: 3, pending: ['Index bodies', 'Rank by age'] },
      { title: 'Later', done: 0, total: 1, pending: ['Offline mode'] },
      { title: 'Ideas', done: 0, total: 0, pending: [] },
    ]);
  });

  test('takes boxes above the first heading, and line ends of Windows', () => {
    expect(parseRoadmap('- [X] One\r\n* [ ] Two\r\n')).toEqual([
      { title: '', done: 1, total: 2, pending: ['Two'] },
    ]);
  });

  test('keeps the title of a file that has no other heading', () => {
    expect(parseRoadmap('# Plan\n- [ ] One\n')).toMatchObject([{ title: 'Plan', total: 1 }]);
  });

  test('reads no boxes in fences and comments', () => {
    const text = '## A\n```\n- [ ] in code\n```\n<!--\n- [ ] hidden\n-->\n- [ ] seen\n';
    expect(parseRoadmap(text)).toEqual([{ title: 'A', done: 0, total: 1, pending: ['seen'] }]);
  });

  test('reads the first 6,000 characters, in whole lines', () => {
    const text = '- [ ] an item\n'.repeat(1_000);
    expect(cutRoadmap(text).length).toBeLessThanOrEqual(6_000);
    expect(parseRoadmap(text)).toMatchObject([{ total: Math.floor(6_000 / 14) }]);
    expect(cutRoadmap('x'.repeat(7_000))).toHaveLength(6_000);
  });
});

describe('what voices see', () => {
  const many = parseRoadmap(
    `## A\n${Array.from({ length: 7 }, (_, n) => `- [ ] task ${n}\n`).join('')}## B\n- [x] old\n`,
  );

  test('are totals and five titles a section for all', () => {
    expect(briefRoadmap(many)).toBe(`- A: 0 of 7 done
  - task 0
  - task 1
  - task 2
  - task 3
  - task 4
- B: 1 of 1 done`);
  });

  test('is every title for leads, and nothing more where all see as much', () => {
    expect(fullRoadmap(many)).toContain('  - task 6');
    expect(fullRoadmap(parseRoadmap(ROADMAP))).toBe('');
    expect(briefRoadmap([])).toBe('');
  });

  test('are all sections before any title', () => {
    const long = 'x'.repeat(150);
    const text = ['One', 'Two', 'Three'].map(
      (title) => `## ${title}\n${`- [ ] ${long}\n`.repeat(9)}`,
    );
    const brief = briefRoadmap(parseRoadmap(text.join('')));
    for (const title of ['One', 'Two', 'Three']) expect(brief).toContain(`- ${title}: 0 of 9 done`);
  });

  test('says how many sections there is no room for', () => {
    const sections = parseRoadmap('## A section with a title\n'.repeat(60));
    const shown = briefRoadmap(sections).split('\n');
    expect(shown.at(-1)).toBe(`- ${sections.length - shown.length + 1} more sections`);
  });

  test('stays within 600 and 2,000 characters', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 300 }).map((title) => `- [ ] ${title}`),
      fc.string({ maxLength: 300 }).map((title) => `## ${title}`),
      fc.constantFrom('- [x] done', '```', '<!--', '-->'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), (lines) => {
        const sections = parseRoadmap(lines.join('\n'));
        expect(briefRoadmap(sections).length).toBeLessThanOrEqual(600);
        expect(fullRoadmap(sections).length).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});

test.each([
  ['Tech Lead / Architect', false, true],
  ['Product Manager', false, true],
  ['PM', false, true],
  ['Implementer', true, true],
  ['QA Engineer', false, false],
  ['Pleading Counsel', false, false],
])('%s (leads: %s) sees the whole roadmap: %s', (role, lead, sees) => {
  expect(seesWholeRoadmap({ role, lead })).toBe(sees);
});
