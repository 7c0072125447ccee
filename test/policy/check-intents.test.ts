/** Where an agent job may write, one part of the address changed at a time. */
import { describe, expect, test } from 'vitest';
import { INTENT_QUOTAS, type Intent, type IntentsFile } from '../../src/domain/actions/intents.ts';
import { checkIntents } from '../../src/policy/check-intents.ts';

const PLACE = { installationId: 1, repositoryId: 7, owner: 'acme', repo: 'tidy' };
const THREAD = { ...PLACE, number: 3 };
const HEAD = 'a'.repeat(40);
const OLD = 'b'.repeat(40);
const FACTS = { claim: 'c', workflowRun: '77', thread: THREAD, headSha: HEAD };

function anIntent(data: object, id = 'i1'): Intent {
  return { id, key: 'thread:7/3', run: 'r', at: '2026-11-26T12:00:00.000Z', data } as Intent;
}

function problems(intents: readonly Intent[], over: object = {}, facts: object = {}) {
  const file = { claim: 'c', workflowRun: '77', intents, ...over } as unknown as IntentsFile;
  return checkIntents(file, { ...FACTS, ...facts });
}

const comment = (over: object = {}): object => ({
  kind: 'comment',
  thread: THREAD,
  marker: { kind: 'run', run: 'r', key: 'live' },
  body: 'Hello',
  ...over,
});
const check = (over: object = {}): object => ({
  kind: 'check',
  repository: PLACE,
  headSha: HEAD,
  checks: [{ name: 'quorum / config', conclusion: 'neutral', title: 'Fine', summary: '' }],
  ...over,
});
const reviewCheck = (over: object = {}): object => ({
  kind: 'review-check',
  repository: PLACE,
  check: { name: 'quorum / review', headSha: HEAD, ...over },
});
const review = (headSha: string): object => ({
  kind: 'review',
  thread: THREAD,
  review: { headSha, body: 'Fine', comments: [] },
});

test.each([comment(), check(), reviewCheck(), review(HEAD)])('%o may be written', (data) => {
  expect(problems([anIntent(data)])).toEqual([]);
});

describe.each(['approval', 'gates', 'merge', 'tests', 'plan', 'review / guardian', 'review ', 'x'])(
  'the check `quorum / %s`, which no agent job writes',
  (ending) => {
    const name = `quorum / ${ending}`;
    const refused = [{ intent: 'i1', why: 'it writes a check run that is not one of this job' }];

    test.each([
      ['beside its own', check({ checks: [{ name: 'quorum / config' }, { name }] })],
      ['as the check of a review', reviewCheck({ name })],
    ])('is refused %s', (_, data) => {
      expect(problems([anIntent(data)])).toEqual(refused);
    });
  },
);

test.each([
  ['the check of a review', check({ checks: [{ name: 'quorum / review' }] })],
  ['the check of the settings', reviewCheck({ name: 'quorum / config' })],
])('%s is refused under the other kind of intent', (_, data) => {
  expect(problems([anIntent(data)])).toHaveLength(1);
});

describe('refused, each by itself', () => {
  test.each<[string, object]>([
    ['it is for another repository', comment({ thread: { ...THREAD, installationId: 2 } })],
    ['it is for another repository', comment({ thread: { ...THREAD, repositoryId: 8 } })],
    ['it is for another repository', comment({ thread: { ...THREAD, owner: 'eve' } })],
    ['it is for another repository', comment({ thread: { ...THREAD, repo: 'other' } })],
    ['it is for another issue or pull request', comment({ thread: { ...THREAD, number: 4 } })],
    ['it is for another repository', check({ repository: { ...PLACE, repo: 'other' } })],
    ['it is for another commit', check({ headSha: OLD })],
    ['it is for another commit', reviewCheck({ headSha: OLD })],
    ['it is for another commit', review(OLD)],
    ['it writes a check run that is not one of this job', reviewCheck({ name: 'build' })],
    ['it writes a check run that is not one of this job', check({ checks: [{ name: 'quorum' }] })],
    [
      'its text holds what looks like a GitHub token',
      comment({ list: [{ deep: `See ${['ghp', 'A'.repeat(36)].join('_')}` }, null, 3] }),
    ],
  ])('%s', (why, data) => {
    expect(problems([anIntent(data)])).toEqual([{ intent: 'i1', why }]);
  });

  test('a commit where the thread has none', () => {
    expect(problems([anIntent(review(HEAD))], {}, { headSha: undefined })).toHaveLength(1);
  });

  test('a file of another claim, and of another run', () => {
    expect(problems([], { claim: 'd' })).toEqual([{ why: 'it is of another claim' }]);
    expect(problems([], { workflowRun: '78' })).toEqual([
      { why: 'it is of another run of the workflow' },
    ]);
  });

  test('one more of a kind than its quota, and not as many as that', () => {
    const comments = (count: number): Intent[] =>
      Array.from({ length: count }, (_, n) => anIntent(comment(), `i${n}`));
    expect(problems(comments(INTENT_QUOTAS.comment))).toEqual([]);
    expect(problems(comments(INTENT_QUOTAS.comment + 1))).toEqual([
      { why: '7 intents of the kind comment; at most 6 are allowed' },
    ]);
  });
});

describe('the verdict of a review', () => {
  const reviewed = (over: object = {}): object => ({
    reviewed: { kind: 'reviewed', headSha: HEAD, verdict: 'APPROVE', asks: [], ...over },
  });

  test('passes for the head that was claimed', () => {
    expect(problems([], reviewed())).toEqual([]);
  });

  test('is refused for another head', () => {
    expect(problems([], reviewed({ headSha: OLD }))).toEqual([
      { why: 'its verdict is of another commit' },
    ]);
  });

  test('is refused with a credential in its words', () => {
    const token = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0', 'k1L2m3N4o5P6q7R8'].join('');
    const [problem] = problems([], reviewed({ asks: [`use ${token}`] }));
    expect(problem?.why).toMatch(/^its verdict holds what looks like/);
  });
});

describe('what the PM proposed', () => {
  const proposed = {
    word: { kind: 'answer', answer: 'In `src/a.ts:1`.', questions: [], risks: [] },
    looked: [],
    calls: [],
  };

  test('is taken where a plan was asked for, and nowhere else', () => {
    expect(problems([], { proposed }, { isPlanning: true })).toEqual([]);
    expect(problems([], { proposed })).toEqual([{ why: 'nobody asked for a plan' }]);
  });

  test('is refused with what looks like a credential', () => {
    const key = ['gh', 'p_', 'a1B2c3D4e5F6g7H8i9J0', 'k1L2m3N4o5P6q7R8'].join('');
    const word = { ...proposed.word, answer: `Use ${key}.` };
    const [problem] = problems([], { proposed: { ...proposed, word } }, { isPlanning: true });
    expect(problem?.why).toMatch(/its proposal holds what looks like a GitHub token/);
  });
});
