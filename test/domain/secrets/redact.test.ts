/** Text is taken out of stored JSON, and the rest keeps its shape. */
import { array, assert, constantFrom, dictionary, jsonValue, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  commentMatter,
  ERASED,
  personMatter,
  redact,
  repositoryMatter,
  textsOf,
  toCleaner,
} from '../../../src/domain/secrets/redact.ts';

const ana = { id: 5, login: 'ana', isBot: false };
const person = personMatter({ id: 5, logins: ['Ana'] });

describe('a person', () => {
  test('is replaced where the id or the login names them, and nowhere else', () => {
    const value = {
      issue: { number: 5, title: 'T', author: ana, assignees: ['tom', 'ana'] },
      comment: { id: 5, author: { id: 6, login: 'tom' }, body: '@ana, see ana.md and @ana-lena' },
      guidance: { by: 'ANA', text: 'words', at: '2026' },
      authorId: 5,
      branch: 'ana',
    };
    expect(redact(value, person)).toEqual({
      issue: {
        number: 5,
        title: ERASED,
        author: { id: 10_137, login: 'ghost', isBot: false },
        assignees: ['tom', 'ghost'],
      },
      comment: { id: 5, author: { id: 6, login: 'tom' }, body: '@ghost, see ana.md and @ana-lena' },
      guidance: { by: 'ghost', text: ERASED, at: '2026' },
      authorId: 10_137,
      branch: 'ana',
    });
  });

  test('is replaced where we write the login ourselves', () => {
    const value = {
      reviewers: ['ana', 'tom'],
      pull: { requestedReviewers: ['Ana'] },
      settled: [{ settledBy: 'ana' }, { settledBy: 'anabel' }],
      acceptsNoTests: '`ana`',
      access: { owner: 'ana' },
      thread: { owner: 'ana', repo: 'tidy' },
      said: [
        'Plan: #1, task 2, approved by `ana` (digest `a`)',
        '- the review of `ana`\n- the approval of this head by somebody other than `ana`, who asked',
        '- **Declined** by ana: `x`',
        '- ana (maintainer): no\n- ana-lena: yes',
      ],
      code: 'const ana = by(ana);',
    };
    expect(redact(value, person)).toEqual({
      reviewers: ['ghost', 'tom'],
      pull: { requestedReviewers: ['ghost'] },
      settled: [{ settledBy: 'ghost' }, { settledBy: 'anabel' }],
      acceptsNoTests: 'ghost',
      access: { owner: 'ghost' },
      thread: { owner: 'ana', repo: 'tidy' },
      said: [
        'Plan: #1, task 2, approved by `ghost` (digest `a`)',
        '- the review of `ghost`\n- the approval of this head by somebody other than `ghost`, who asked',
        '- **Declined** by ghost: `x`',
        '- ghost (maintainer): no\n- ana-lena: yes',
      ],
      code: 'const ana = by(ana);',
    });
  });

  test('is erased once: a second time changes nothing', () => {
    const value = dictionary(
      constantFrom('author', 'body', 'by', 'text', 'x'),
      constantFrom<unknown>(ana, 'ana', '@ana', 5),
    );
    assert(
      property(array(value), (given) => {
        const once = redact(given, person);
        expect(redact(once, person)).toEqual(once);
      }),
    );
  });
});

test('values that are about somebody else stay as they are', () => {
  assert(
    property(jsonValue(), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      expect(redact(plain, commentMatter(987_654_321))).toEqual(plain);
      expect(redact(plain, repositoryMatter(987_654_321))).toEqual(plain);
    }),
  );
});

test('a comment is found by its id, and where a line of it is quoted', () => {
  const value = {
    comments: [
      { id: 9, body: '- [ ] a telling line\nshort' },
      { id: 8, body: 'b' },
    ],
  };
  const texts = textsOf(value, commentMatter(9));
  expect(texts).toEqual(['- [ ] a telling line\nshort']);
  const clean = toCleaner(texts);
  expect(clean?.('Ana wrote: a telling line. In short, no.')).toBe(
    `Ana wrote: ${ERASED}. In short, no.`,
  );
});

test('no line of an erased text is left, whatever it is', () => {
  assert(
    property(string({ minLength: 8 }), (line) => {
      const text = `x ${line.trim()}`;
      const clean = toCleaner([text]);
      expect(clean?.(`before ${text} after`) ?? '').not.toContain(text.length < 8 ? '\0' : text);
    }),
  );
});

test("a repository's names go wherever its id is beside them", () => {
  const value = [
    { repositoryId: 7, owner: 'acme', repo: 'secret', code: 'x' },
    { repositoryId: 8, name: 'acme/open' },
  ];
  expect(redact(value, repositoryMatter(7))).toEqual([
    { repositoryId: 7, owner: 'erased', repo: 'erased', code: 'x' },
    { repositoryId: 8, name: 'acme/open' },
  ]);
});
