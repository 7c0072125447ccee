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

  test.each([
    'actor',
    'asker',
    'author',
    'by',
    'login',
    'user',
    'writer',
    'acceptsNoTests',
    'excused',
    'settledBy',
    'source',
  ])('is replaced in the field `%s`, whether it is a code span or not', (field) => {
    expect(redact({ [field]: 'ana', at: 1 }, person)).toEqual({ [field]: 'ghost', at: 1 });
    expect(redact({ [field]: '`Ana`', at: 1 }, person)).toEqual({ [field]: 'ghost', at: 1 });
  });

  test.each([
    ['@ana', '@ghost'],
    ['author=ana', 'author=ghost'],
    ['author="ana"', 'author="ghost"'],
    ['approved by ana', 'approved by ghost'],
    ['asked for by `ana`', 'asked for by `ghost`'],
    ['given back by ana', 'given back by ghost'],
    ['stopped by ana', 'stopped by ghost'],
    ['**Declined** by ana', '**Declined** by ghost'],
    ['**Refuted** by ana', '**Refuted** by ghost'],
    ['the review of `ana`', 'the review of `ghost`'],
    ['somebody other than `ana`', 'somebody other than `ghost`'],
    ['- ana (maintainer): no', '- ghost (maintainer): no'],
    ['- ana answered', '- ghost answered'],
    ['- ana: no', '- ghost: no'],
    ['ana said no', 'ana said no'],
  ])('is replaced in text where it names somebody: %j', (text, erased) => {
    expect(redact([text], person)).toEqual([erased]);
  });

  test('is replaced in lists of logins alone', () => {
    const lists = { reviewers: ['ana'], requestedReviewers: ['ana'], assignees: ['ana'] };
    expect(redact(lists, person)).toEqual({
      reviewers: ['ghost'],
      requestedReviewers: ['ghost'],
      assignees: ['ghost'],
    });
    expect(redact({ branches: ['ana'], reviewers: 3 }, person)).toEqual({
      branches: ['ana'],
      reviewers: 3,
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

test.each(['actor', 'asker', 'author', 'by', 'login', 'user', 'writer'])(
  'what somebody wrote goes where `%s` names them',
  (key) => {
    expect(redact({ [key]: 'ana', text: 'words', at: 'now' }, person)).toEqual({
      [key]: 'ghost',
      text: ERASED,
      at: 'now',
    });
  },
);

test.each([
  'answer',
  'body',
  'command',
  'description',
  'message',
  'questions',
  'text',
  'title',
  'why',
  'words',
])('`%s` is text that a person wrote', (key) => {
  const value = { author: ana, [key]: { one: 'said', none: '', list: ['said', 3, null] } };
  expect(redact(value, person)).toMatchObject({
    [key]: { one: ERASED, none: '', list: [ERASED, 3, null] },
  });
  expect(textsOf(value, person)).toEqual(['said', '', 'said']);
});

test('a comment is named by its own id, by a reference to it, or by what it is the comment of', () => {
  const matter = commentMatter(7);
  for (const of of [{ id: 7 }, { commentId: 7 }, { comment: { id: 7 } }])
    expect(redact({ ...of, body: 'said' }, matter)).toEqual({ ...of, body: ERASED });
  for (const of of [{ id: 8 }, { commentId: 8 }, { comment: { id: 8 } }, { comment: null }])
    expect(redact({ ...of, body: 'said' }, matter)).toEqual({ ...of, body: 'said' });
});

test('lines are erased wherever they are quoted, from eight characters on', () => {
  const clean = toCleaner(['> 1234567\n- [ ] 12345678\n# 12345678 and more']);
  expect(clean?.('a 12345678 and more, 12345678, 1234567')).toBe(`a ${ERASED}, ${ERASED}, 1234567`);
  expect(toCleaner(['1234567', ERASED])).toBeUndefined();
});

test('a repository has no texts of its own', () => {
  const value = { repositoryId: 7, name: 'acme/open', body: 'said' };
  expect(textsOf(value, repositoryMatter(7))).toEqual([]);
  expect(redact(value, repositoryMatter(7))).toMatchObject({ name: 'erased', body: 'said' });
});
