/** How many people have to approve what an agent wrote, and which approvals count. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isAgentsWork,
  judgeApprovals,
  planOfCommit,
  type GatedPull,
  type GateQuestion,
  type GateReview,
} from '../../src/policy/approval-gate.ts';
import { hasPermission, PERMISSIONS } from '../../src/domain/run/thread-ref.ts';

const HEAD = 'a'.repeat(40);
const OLD = 'b'.repeat(40);
const BOT = { id: 90, login: 'github-actions[bot]', isBot: true };
const person = (id: number) => ({ id, login: `person-${id}`, isBot: false });

const review = (id: number, over: Partial<GateReview> = {}): GateReview => ({
  by: person(id),
  permission: 'write',
  state: 'approved',
  commitSha: HEAD,
  submittedAt: '2026-11-27T10:00:00Z',
  ...over,
});

const aPull = (reviews: readonly GateReview[], over: Partial<GatedPull> = {}): GatedPull => ({
  number: 7,
  author: BOT,
  headSha: HEAD,
  reviews,
  ...over,
});

const judge = (reviews: readonly GateReview[], over: Partial<GateQuestion> = {}) =>
  judgeApprovals({
    pull: aPull(reviews),
    isOfAgent: true,
    checkedSha: HEAD,
    needed: 1,
    siblings: [],
    twins: [],
    unread: [],
    ...over,
  });

describe('the approval gate', () => {
  test.each<[string, GateReview[], boolean]>([
    ['passes with the approval of somebody who may write', [review(1)], true],
    ['fails without a review', [], false],
    ['does not count somebody who may only triage', [review(1, { permission: 'triage' })], false],
    ['does not count a bot', [review(1, { by: { ...person(1), isBot: true } })], false],
    ['does not count the author', [review(1, { by: { ...BOT, isBot: false } })], false],
    ['does not count an older head', [review(1, { commitSha: OLD })], false],
    ['does not count a head that is gone', [aGone()], false],
    ['does not count a dismissed approval', [review(1, { state: 'dismissed' })], false],
    ['does not count a comment', [review(1, { state: 'commented' })], false],
    ['takes a later request for changes as the word', [review(1), asked(1)], false],
    ['takes a later approval as the word', [asked(1), review(1)], true],
    ['keeps an approval after a comment', [review(1), review(1, { state: 'commented' })], true],
  ])('%s', (_, reviews, passed) => {
    expect(judge(reviews).passed).toBe(passed);
  });

  function aGone(): GateReview {
    const { commitSha: _, ...rest } = review(1);
    return rest;
  }

  function asked(id: number): GateReview {
    return review(id, { state: 'changes-requested' });
  }

  test('counts a person once', () => {
    expect(judge([review(1), review(1)], { needed: 2 }).passed).toBe(false);
    expect(judge([review(1), review(2)], { needed: 2 }).passed).toBe(true);
  });

  test('lets pass what no agent wrote', () => {
    expect(judge([], { isOfAgent: false, needed: 6 }).passed).toBe(true);
  });

  test('does not count what was approved before the base branch was changed', () => {
    const at = (second: string) => `2026-11-27T10:00:${second}Z`;
    const withBase = (second: string) =>
      judge([], {
        pull: aPull([review(1, { submittedAt: at(second) })], { retargetedAt: at('30') }),
      }).passed;
    expect([withBase('29'), withBase('30'), withBase('31')]).toEqual([false, false, true]);
  });

  test.each<[string, Partial<GateQuestion>, string]>([
    ['another head than the one of the job', { checkedSha: OLD }, 'a newer head'],
    ['a twin with the same head', { twins: [8] }, '#8'],
    ['a list that cannot be read to its end', { unread: ['too many reviews'] }, 'too many reviews'],
  ])('fails for %s although somebody approved it', (_, over, told) => {
    const verdict = judge([review(1)], over);
    expect(verdict.passed).toBe(false);
    expect(verdict.why).toContain(told);
  });
});

describe('siblings of one plan', () => {
  const sibling = (reviews: readonly GateReview[]) =>
    aPull(
      reviews.map((one) => ({ ...one, commitSha: OLD })),
      { number: 8, headSha: OLD },
    );

  test('are counted together: another person may have approved another task', () => {
    const verdict = judge([review(1)], { needed: 2, siblings: [sibling([review(2)])] });
    expect(verdict.passed).toBe(true);
    expect(verdict.alsoBy.map(({ id }) => id)).toEqual([2]);
  });

  test('give nothing to a head that nobody has approved', () => {
    const siblings = [sibling([review(2), review(3)])];
    expect(judge([], { needed: 1, siblings }).passed).toBe(false);
  });

  test('are approved by nobody who wrote them', () => {
    const own = aPull([review(2, { commitSha: OLD })], {
      number: 8,
      headSha: OLD,
      author: person(2),
    });
    expect(judge([review(1)], { needed: 2, siblings: [own] }).passed).toBe(false);
    const pull = aPull([review(1)], { author: person(2) });
    const siblings = [sibling([review(2)])];
    expect(judge([], { pull, needed: 2, siblings }).passed).toBe(false);
  });

  test('add nobody who approved this head, too', () => {
    expect(judge([review(1)], { needed: 2, siblings: [sibling([review(1)])] }).passed).toBe(false);
  });

  test('count people by the same rules: heads, roles and bots', () => {
    const stale = aPull([review(2)], { number: 8, headSha: OLD });
    const weak = sibling([review(3, { permission: 'read' })]);
    const bot = sibling([review(4, { by: { ...person(4), isBot: true } })]);
    expect(judge([review(1)], { needed: 2, siblings: [stale, weak, bot] }).passed).toBe(false);
  });
});

const anyReview = fc.record({
  by: fc.record({
    id: fc.integer({ min: 1, max: 6 }),
    login: fc.constant('somebody'),
    isBot: fc.boolean(),
  }),
  permission: fc.constantFrom(...PERMISSIONS),
  state: fc.constantFrom('approved', 'changes-requested', 'commented', 'dismissed' as const),
  commitSha: fc.constantFrom(HEAD, OLD),
  submittedAt: fc.constant('2026-11-27T10:00:00Z'),
}) as fc.Arbitrary<GateReview>;

describe('of any reviews', () => {
  test('passes only if so many different people with write access approved this head', () => {
    fc.assert(
      fc.property(fc.array(anyReview), fc.integer({ min: 1, max: 4 }), (reviews, needed) => {
        const counted = new Set(
          reviews
            .filter(
              ({ by, permission, state, commitSha }) =>
                !by.isBot &&
                hasPermission(permission, 'write') &&
                state === 'approved' &&
                commitSha === HEAD,
            )
            .map(({ by }) => by.id),
        );
        if (judge(reviews, { needed }).passed) expect(counted.size).toBeGreaterThanOrEqual(needed);
      }),
    );
  });

  test('more to approve it with never makes a gate pass that failed', () => {
    fc.assert(
      fc.property(fc.array(anyReview), fc.integer({ min: 1, max: 4 }), (reviews, needed) => {
        if (judge(reviews, { needed: needed + 1 }).passed)
          expect(judge(reviews, { needed }).passed).toBe(true);
      }),
    );
  });
});

describe('a pull request is of an agent', () => {
  const by = (over: Partial<Parameters<typeof isAgentsWork>[0]>) =>
    isAgentsWork({
      author: person(1),
      agents: ['github-actions[bot]'],
      hasMarker: false,
      committers: [person(1)],
      areCommitsCut: false,
      ...over,
    });
  const dependabot = { id: 91, login: 'dependabot[bot]', isBot: true };

  test.each<[string, boolean, Parameters<typeof by>[0]]>([
    ['a person with commits of people', false, {}],
    ['a listed bot', true, { author: BOT }],
    ['a bot that is not listed', false, { author: dependabot }],
    ['any bot, where all are listed', true, { author: dependabot, agents: ['*'] }],
    ['a bot whose text has a marker', true, { author: dependabot, hasMarker: true }],
    ['a person who copied a marker', false, { hasMarker: true }],
    ['a person with a commit of a listed bot', true, { committers: [person(1), BOT] }],
    ['a person whose commits are not all listed', true, { areCommitsCut: true }],
    ['a listed account of a person', true, { author: { ...BOT, isBot: false } }],
    [
      'a person with a commit of a listed person',
      true,
      { agents: ['Person-2'], committers: [person(2)] },
    ],
    ['a person, where all automated accounts are listed', false, { agents: ['*'] }],
    ['an account that was deleted', true, { author: undefined }],
    ['a listed bot in other capitals', true, { author: BOT, agents: ['GitHub-Actions[bot]'] }],
  ])('by %s: %s', (_, expected, over) => {
    expect(by(over)).toBe(expected);
  });
});

test.each([
  ['Add it\n\nQuorum-Task: 12/3\nQuorum-Run: r\n', 12],
  ['Add it\n\nQuorum-Task: 12/3\n\nAnother paragraph', undefined],
  ['Quorum-Task: 12', undefined],
  ['', undefined],
])('the plan of the commit %j is %s', (message, plan) => {
  expect(planOfCommit(message)).toBe(plan);
});

test.each<[number[], number, string]>([
  [[], 1, `1 person with write access must approve the head ${HEAD.slice(0, 12)}; so far: 0.`],
  [[1], 2, `2 people with write access must approve the head ${HEAD.slice(0, 12)}; so far: 1.`],
  [[1], 1, 'Approved by 1 person with write access, and 1 is needed.'],
  [[1, 2, 3], 2, 'Approved by 3 people with write access, and 2 are needed.'],
])('approvals of %j where %d are needed read: %s', (ids, needed, why) => {
  expect(
    judge(
      ids.map((id) => review(id)),
      { needed },
    ).why,
  ).toBe(why);
});
