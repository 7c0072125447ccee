/** Files of sections: additions find their place, whatever people made of the file, and branches merge without conflicts. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendLine, hasLine, replaceLine } from '../../../src/domain/memory/role/role-file.ts';
import { ROLE_PATHS, ROLE_SECTIONS } from '../../../src/domain/memory/role/role-memory.ts';
import { findInText } from '../../prose/check-prose.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const shipped = (file: 'pm' | 'artist'): string =>
  readFileSync(path.join(ROOT, ROLE_PATHS[file]), 'utf8');
const SECTION = 'Project Knowledge';

describe('the files that are shipped', () => {
  test.each(['pm', 'artist'] as const)('%s has the sections of its categories', (file) => {
    const titles = [...shipped(file).matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(new Set(titles)).toEqual(new Set(Object.values(ROLE_SECTIONS[file])));
  });

  test('pm has the four workflows, each in numbered steps', () => {
    const parts = shipped('pm').split(/^### /m).slice(1);
    expect(parts.map((part) => part.split('\n')[0])).toEqual([
      'Bugfix',
      'Feature',
      'Implement milestone',
      'Question',
    ]);
    for (const part of parts) expect(part.match(/^\d+\. /gm)?.length).toBeGreaterThan(5);
  });

  test.each(['pm', 'artist'] as const)(
    '%s is plain English, and its entries are sorted',
    (file) => {
      expect(findInText(ROLE_PATHS[file], shipped(file))).toEqual([]);
      for (const section of shipped(file).split(/^#+ /m)) {
        const entries = (section.match(/^- .+$/gm) ?? []).map((line) => line.toLowerCase());
        expect(entries).toEqual(entries.toSorted());
      }
    },
  );
});

describe('adding', () => {
  const added = (source: string, text = 'b'): string => appendLine(source, SECTION, text);

  test.each([
    ['an empty file', '', '## Project Knowledge\n\n- b\n'],
    [
      'a file without the section',
      '# PM\n\nNotes',
      '# PM\n\nNotes\n\n## Project Knowledge\n\n- b\n',
    ],
    [
      'an empty section',
      '## Project Knowledge\n\n## Planning Notes\n',
      '## Project Knowledge\n\n- b\n\n## Planning Notes\n',
    ],
    [
      'an empty section without a blank line',
      '## Project Knowledge\n## Planning Notes\n',
      '## Project Knowledge\n\n- b\n\n## Planning Notes\n',
    ],
    [
      'a section with words',
      '## Project Knowledge\n\nSome words.\n',
      '## Project Knowledge\n\nSome words.\n\n- b\n',
    ],
    [
      'a section with entries',
      '## Project Knowledge\n\n- a\n- c\n',
      '## Project Knowledge\n\n- a\n- b\n- c\n',
    ],
    [
      'an entry of two lines',
      '## Project Knowledge\n\n- a\n  more\n',
      '## Project Knowledge\n\n- a\n  more\n- b\n',
    ],
    [
      'a last line without an end',
      '## Project Knowledge\n\n- a',
      '## Project Knowledge\n\n- a\n- b\n',
    ],
    [
      'another level and case',
      '# PM\n### project knowledge ###\n- a\n\n# More\n',
      '# PM\n### project knowledge ###\n- a\n- b\n\n# More\n',
    ],
    [
      'a heading in code',
      '```\n## Project Knowledge\n```\n',
      '```\n## Project Knowledge\n```\n\n## Project Knowledge\n\n- b\n',
    ],
    [
      'Windows line ends',
      '## Project Knowledge\r\n\r\n- a\r\n',
      '## Project Knowledge\r\n\r\n- a\r\n- b\r\n',
    ],
    ['the same entry elsewhere', '## Other\n\n- **B**\n', '## Other\n\n- **B**\n'],
  ])('to %s', (_name, source, expected) => {
    expect(added(source)).toBe(expected);
  });

  const lines = fc.constantFrom(
    '# A',
    '## Project Knowledge',
    '## B',
    '- x',
    '- f\n  g',
    'words',
    '',
    '```',
    '<!--',
    '1. one',
    '\r',
  );
  const sources = fc.array(lines, { maxLength: 12 }).map((all) => all.join('\n'));
  const texts = fc.uniqueArray(fc.stringMatching(/^[a-z]{3,6}$/), { minLength: 2, maxLength: 4 });

  test('what is added is there, in any file, and no line of it is lost', () => {
    fc.assert(
      fc.property(sources, texts, (source, all) => {
        const result = all.reduce(added, source);
        for (const text of all) expect(hasLine(result, text)).toBe(true);
        const left = result.split(/\r?\n/);
        for (const line of source.split(/\r?\n/))
          expect(left.map((each) => each.trimEnd())).toContain(line.trimEnd());
        expect(all.reduce(added, result)).toBe(result);
      }),
    );
  });

  test('two orders write the same file', () => {
    fc.assert(
      fc.property(sources, texts, (source, all) => {
        expect(all.toReversed().reduce(added, source)).toBe(all.reduce(added, source));
      }),
    );
  });
});

/** What git makes of two branches that both added to a file, with the union merge attribute. */
function gitUnion(base: string, one: string, other: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quorum-union-'));
  try {
    const files = [one, base, other].map((text, at) => {
      const file = path.join(folder, `${at}.md`);
      writeFileSync(file, text);
      return file;
    });
    return execFileSync('git', ['merge-file', '-p', '--union', ...files], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('two branches that add to one section merge with a union, and both entries are in it', () => {
  const base = shipped('pm');
  const [one, other] = ['Tests run on Node 24', 'Releases are on Fridays'].map((text) =>
    appendLine(base, SECTION, text),
  );
  const merged = gitUnion(base, one ?? '', other ?? '');
  expect(merged).not.toContain('<<<<');
  for (const text of ['Tests run on Node 24', 'Releases are on Fridays'])
    expect(merged.split('\n').filter((line) => line === `- ${text}`)).toHaveLength(1);
  expect(appendLine(merged, SECTION, 'Again')).toContain('- Again\n');
});

describe('replacing', () => {
  const SOURCE = '# PM\n\n1. Ask first\n2. Then act\n\n- one\n- two\n- two\n';

  test.each([
    ['an entry', 'one', 'First', '- First\n'],
    ['an entry, named with its mark', '- one', '- First', '- First\n'],
    ['a step', 'Ask first', 'Ask twice', '1. Ask twice\n'],
  ])('%s', (_name, ...[old, text, expected]) => {
    expect(replaceLine(SOURCE, old, text)).toEqual({
      text: expect.stringContaining(expected) as string,
    });
  });

  test.each([
    ['what is not there', 'On', 'the line is not in the file'],
    ['what is there twice', 'two', 'the line is in the file more than once'],
    ['nothing', ' ', 'the line is not in the file'],
  ])('refuses %s', (_name, old, refused) => {
    expect(replaceLine(SOURCE, old, 'x')).toEqual({ refused });
  });
});
