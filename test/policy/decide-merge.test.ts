/** What is decided about a task's pull request, one thing changed at a time. */
import { describe, expect, test } from 'vitest';
import { Config, defaultConfig } from '../../src/domain/config/config.ts';
import type { MergeMove, MergeView, PersonReview } from '../../src/domain/task/merge-view.ts';
import type { PullWord, TaskRun } from '../../src/domain/task/task.ts';
import { decideMerge, readApprovals } from '../../src/policy/decide-merge.ts';
import {
  ANA,
  BASE,
  HEAD,
  mergeView,
  playToPull,
  TOM,
  type MergeViewOver,
} from '../helpers/a-task.ts';

const OLD = 'e'.repeat(40);
const AT = '2026-11-22T09:00:00Z';
const BEN = { id: 13, login: 'Ben', isBot: false };
const opened = playToPull().stream().run;
const config = (merge: object, over: object = {}) => Config.parse({ merge, ...over });

/** The team and Tom agree to the head. */
const agreed: Partial<TaskRun> = {
  review: { headSha: HEAD, verdict: 'APPROVE', asks: [] },
  mergeWanted: { by: TOM, headSha: HEAD, at: AT },
};

function decide(view: MergeViewOver = {}, run: Partial<TaskRun> = {}): MergeMove {
  if (opened === undefined) throw new Error('no pull request was opened');
  const { result } = mergeView(view) as { result: MergeView };
  return decideMerge({ ...opened, ...agreed, ...run }, result);
}

function missing(view: MergeViewOver = {}, run: Partial<TaskRun> = {}): readonly string[] {
  const move = decide(view, run);
  return move.kind === 'wait' ? move.missing : [`not waiting: ${move.kind}`];
}

function of(by: typeof TOM, headSha = HEAD): PullWord {
  return { by, headSha, at: AT };
}

function review(over: Partial<PersonReview> = {}): PersonReview {
  return { by: BEN, permission: 'write', state: 'approved', commitSha: HEAD, ...over };
}

test('it merges where everybody agrees', () => {
  expect(decide()).toEqual({ kind: 'merge', method: 'squash', approvedBy: 'tom' });
});

describe('which approvals of people a head needs', () => {
  const read = (view: MergeViewOver = {}, run: Partial<TaskRun> = {}) => {
    if (opened === undefined) throw new Error('no pull request was opened');
    const { result } = mergeView(view) as { result: MergeView };
    return readApprovals({ ...opened, ...agreed, ...run }, result);
  };
  const other = 'the approval of this head by somebody other than `ana`, who asked for the work';

  test('are not missing where somebody approved it, and whose it was', () => {
    expect(read()).toEqual({ missing: [], by: 'tom' });
    const reviewed = { permissions: {}, reviews: [review()] };
    expect(read(reviewed)).toEqual({ missing: [], by: 'Ben' });
  });

  test('are that of another person, and of everybody who was asked', () => {
    const mergeWanted = { by: ANA, headSha: HEAD, at: AT };
    expect(read({}, { mergeWanted })).toEqual({ missing: [other] });
    const pull = { requestedReviewers: ['ben'] };
    expect(read({ pull }, { mergeWanted })).toEqual({
      missing: ['the review of `ben`', other],
    });
    expect(read({ pull })).toEqual({ missing: ['the review of `ben`'], by: 'tom' });
  });
});

describe('a pull request that leaves nothing to be decided', () => {
  test.each<[string, MergeViewOver, MergeMove]>([
    ['is merged', { pull: { isMerged: true, state: 'closed' } }, { kind: 'over', how: 'merged' }],
    [
      'is merged as a known commit',
      { pull: { isMerged: true, mergeSha: OLD } },
      { kind: 'over', how: 'merged', mergeSha: OLD },
    ],
    ['is closed', { pull: { state: 'closed' } }, { kind: 'over', how: 'closed' }],
    ['has another head', { pull: { headSha: OLD } }, { kind: 'foreign-head', headSha: OLD }],
    ['has another base', { pull: { baseRef: 'dev' } }, { kind: 'foreign-base', baseRef: 'dev' }],
    [
      'is in the queue',
      { pull: { isInQueue: true } },
      { kind: 'leave', says: 'It is in the repository’s merge queue' },
    ],
    ['conflicts', { pull: { isMergeable: false } }, { kind: 'conflict', baseSha: BASE }],
    ['was made on old workflows', { areWorkflowsOld: true }, { kind: 'rebuild', baseSha: BASE }],
    [
      'is merged by GitHub',
      { pull: { isAutoMerge: true } },
      { kind: 'leave', says: 'Ready to merge: auto-merge is on, so GitHub merges it' },
    ],
  ])('%s', (_, view, move) => {
    expect(decide(view)).toEqual(move);
  });

  test('old workflows do not matter where people merge, or GitHub does', () => {
    const never = config({ mode: 'never' });
    expect(decide({ areWorkflowsOld: true, config: never }).kind).toBe('wait');
    expect(decide({ areWorkflowsOld: true, pull: { isAutoMerge: true } }).kind).toBe('leave');
  });
});

describe('what a merge waits for', () => {
  test.each<[string, MergeViewOver, Partial<TaskRun>]>([
    ['gate 2', { proved: { unproved: ['gate 2'], isOfBase: true, isRetested: false } }, {}],
    [
      'the team’s review of this head',
      {},
      { review: { headSha: OLD, verdict: 'APPROVE', asks: [], open: ['an old finding'] } },
    ],
    [
      'the team’s review says CHANGES to this head',
      {},
      { review: { headSha: HEAD, verdict: 'CHANGES', asks: [] } },
    ],
    [
      'a finding',
      {},
      { review: { headSha: HEAD, verdict: 'APPROVE', asks: [], open: ['a finding'] } },
    ],
    ['`Ben` asked for changes', { reviews: [review({ state: 'changes-requested' })] }, {}],
    ['the required check `ci` (pending)', { required: [{ name: 'ci', state: 'pending' }] }, {}],
    [
      'the required check `ci` (no check run has this name, and commit statuses cannot be read here. Accept the App’s permission `statuses: read`)',
      { required: [{ name: 'ci', state: 'unreadable' }] },
      {},
    ],
    [
      'Quorum is switched off here (`enabled: false`)',
      { config: config({}, { enabled: false }) },
      {},
    ],
    ['it is a draft', { pull: { isDraft: true } }, {}],
    ['the label `hold` is on', { pull: { labels: ['hold'] } }, {}],
    ['1 conversation has to be resolved', { pull: { unresolved: 1 } }, {}],
    ['2 conversations have to be resolved', { pull: { unresolved: 2 } }, {}],
    [
      'people merge here themselves (`merge.mode: never`)',
      { config: config({ mode: 'never' }) },
      {},
    ],
    [
      '`/pm merge` by somebody with write access',
      { config: config({ mode: 'command' }) },
      {
        mergeWanted: { by: TOM, headSha: OLD, at: AT },
        approved: { by: TOM, headSha: HEAD, at: AT },
      },
    ],
    ['the review of `ben`', { pull: { requestedReviewers: ['ben'] } }, {}],
    ['the repository allows no merge method', { methods: [] }, {}],
  ])('%s', (words, view, run) => {
    expect(decide(view, run)).toEqual({ kind: 'wait', missing: [words] });
  });

  test('the command is not asked for where GitHub merges, or the merge is automatic', () => {
    const spoken = { mergeWanted: { by: TOM, headSha: OLD, at: AT } };
    const run = { ...spoken, approved: { by: TOM, headSha: HEAD, at: AT } };
    const command = config({ mode: 'command' });
    expect(decide({ config: command, pull: { isAutoMerge: true } }, run).kind).toBe('leave');
    expect(decide({ config: config({ mode: 'auto' }) }, run).kind).toBe('merge');
  });

  test('what GitHub does not tell', () => {
    const { result } = mergeView() as { result: MergeView };
    const { isMergeable: _, unresolved: __, ...pull } = result.pull;
    if (opened === undefined) throw new Error('no pull request was opened');
    expect(decideMerge({ ...opened, ...agreed }, { ...result, pull })).toEqual({
      kind: 'wait',
      missing: [
        'GitHub has not decided yet whether it can be merged',
        'GitHub did not report whether all conversations are resolved',
      ],
      isSoon: true,
    });
    const { proved: ___, ...unproved } = result;
    expect(decideMerge({ ...opened, ...agreed }, unproved)).toEqual({
      kind: 'wait',
      missing: ['the gates are checked again'],
    });
  });

  test('a request for changes counts with write access alone', () => {
    const asked = review({ state: 'changes-requested', permission: 'triage' });
    expect(decide({ reviews: [asked] }).kind).toBe('merge');
  });
});

describe('personas whose approval is asked for', () => {
  const required = Config.parse({ review: { requiredPersonas: ['maya', 'tom'] } });
  const said = (voices: NonNullable<TaskRun['review']>['voices']) =>
    missing(
      { config: required },
      { review: { headSha: HEAD, verdict: 'APPROVE', asks: [], ...(voices && { voices }) } },
    );

  test('have to say so to this head', () => {
    expect(said(undefined)).toEqual([
      'the approval of maya, who says nothing to this head',
      'the approval of tom, who says nothing to this head',
    ]);
    expect(
      said([
        { handle: 'maya', vote: 'CHANGES' },
        { handle: 'tom', vote: 'APPROVE' },
      ]),
    ).toEqual(['the approval of maya, who says CHANGES to this head']);
    expect(
      said([
        { handle: 'maya', vote: 'APPROVE' },
        { handle: 'tom', vote: 'APPROVE' },
      ]),
    ).toEqual(['not waiting: merge']);
  });
});

describe('people who were asked', () => {
  test('have approved by a review of this head, or by a word', () => {
    const asked = { requestedReviewers: ['ben', 'TOM'] };
    expect(missing({ pull: asked })).toEqual(['the review of `ben`']);
    expect(missing({ pull: asked, reviews: [review()] })).toEqual(['not waiting: merge']);
    for (const other of [review({ commitSha: OLD }), review({ state: 'commented' })])
      expect(missing({ pull: asked, reviews: [other] })).toEqual(['the review of `ben`']);
  });

  test('have approved by a command, and not by one for another head', () => {
    const pull = { requestedReviewers: ['Ana'] };
    const by = (headSha: string) => missing({ pull }, { approved: { by: ANA, headSha, at: AT } });
    expect(by(HEAD)).toEqual(['not waiting: merge']);
    expect(by(OLD)).toEqual(['the review of `Ana`']);
  });

  test.each<[string, Partial<TaskRun>, string[]]>([
    ['two of them, one after the other', { approvals: [of(ANA), of(TOM)] }, []],
    ['one of them', { approvals: [of(ANA)] }, ['the review of `Tom`']],
    ['one for another head', { approvals: [of(ANA), of(TOM, OLD)] }, ['the review of `Tom`']],
    ['one as older stores hold it', { approved: of(ANA), approvals: [of(TOM)] }, []],
    ['one with `/pm merge`', { mergeWanted: of(ANA), approvals: [of(TOM)] }, []],
  ])('have approved by words: %s', (_, words, open) => {
    const pull = { requestedReviewers: ['Ana', 'Tom'] };
    const auto = config({ mode: 'auto', requesterMayApprove: true });
    const run = { mergeWanted: undefined, ...words } as never;
    expect(missing({ pull, config: auto }, run)).toEqual(
      open.length > 0 ? open : ['not waiting: merge'],
    );
  });

  test('are waited for after GitHub took them off the list because they spoke', () => {
    const reviews = [review({ state: 'commented' })];
    expect(missing({ reviews }, { reviewers: ['ben'] })).toEqual(['the review of `ben`']);
    expect(missing({}, { reviewers: ['ben'] })).toEqual(['not waiting: merge']);
  });

  test('are named once', () => {
    const reviews = [review({ state: 'commented' })];
    const pull = { requestedReviewers: ['Ben'] };
    expect(missing({ reviews, pull }, { reviewers: ['ben'] })).toHaveLength(1);
  });

  test('are not waited for where they were excused, unless they were asked again', () => {
    const pull = { requestedReviewers: ['ben'] };
    expect(missing({ pull }, { excused: 'ben' })).toEqual(['not waiting: merge']);
    expect(missing({ pull }, { excused: 'amy' })).toEqual(['the review of `ben`']);
    expect(missing({ pull }, { excused: 'ben', reviewers: ['ben'] })).toEqual([
      'the review of `ben`',
    ]);
  });
});

describe('the approval of one person', () => {
  const auto = defaultConfig();
  const nobody = (reviews: PersonReview[], over: Partial<MergeView['config']['merge']> = {}) =>
    decide({ reviews, config: { ...auto, merge: { ...auto.merge, mode: 'auto', ...over } } }, {
      mergeWanted: undefined,
    } as never);

  test('may be a review of this head with write access', () => {
    expect(nobody([review()])).toMatchObject({ kind: 'merge', approvedBy: 'Ben' });
  });

  test.each<[string, Partial<PersonReview>]>([
    ['of another head', { commitSha: OLD }],
    ['that only comments', { state: 'commented' }],
    ['by a bot', { by: { ...BEN, isBot: true } }],
    ['by the author', { by: { ...BEN, id: 99 } }],
    ['without write access', { permission: 'triage' }],
    ['by who asked for the work', { by: { ...ANA, isBot: false } }],
  ])('is no review %s', (_, over) => {
    expect(nobody([review(over)])).toEqual({
      kind: 'wait',
      missing: ['the approval of this head by somebody other than `ana`, who asked for the work'],
    });
  });

  test('may come from who asked for the work where that is said', () => {
    const own = review({ by: { ...ANA, isBot: false } });
    expect(nobody([own], { requesterMayApprove: true })).toMatchObject({ approvedBy: 'ana' });
    expect(nobody([], { requesterMayApprove: true })).toEqual({
      kind: 'wait',
      missing: ['one person’s approval of this head'],
    });
  });

  test('may come from who asked for the work in a repository of their own', () => {
    if (opened === undefined) throw new Error('no pull request was opened');
    const { order } = opened;
    const plan = { ...order.ref.plan, owner: 'Ana' };
    const own = { order: { ...order, ref: { ...order.ref, plan } } };
    const word = { mergeWanted: { by: ANA, headSha: HEAD, at: AT } };
    expect(decide({}, { ...own, ...word })).toMatchObject({ approvedBy: 'ana' });
    expect(decide({}, word)).toMatchObject({ kind: 'wait' });
  });

  test('counts also where who asked for the work spoke later', () => {
    const view = { config: config({ mode: 'auto' }) };
    const run = { mergeWanted: undefined, approved: of(ANA), approvals: [of(TOM), of(ANA)] };
    expect(decide(view, run as never)).toMatchObject({ kind: 'merge', approvedBy: 'tom' });
  });

  test.each<[string, MergeViewOver, string]>([
    ['of another head', {}, OLD],
    ['of somebody who may not write now', { permissions: { [TOM.id]: 'triage' } }, HEAD],
    ['of somebody about whom nothing is known', { permissions: {} }, HEAD],
  ])('does not count %s', (_, view, headSha) => {
    const move = decide(
      { ...view, config: { ...auto, merge: { ...auto.merge, mode: 'auto' } } },
      { mergeWanted: { by: TOM, headSha, at: AT } },
    );
    expect(move).toEqual({
      kind: 'wait',
      missing: ['the approval of this head by somebody other than `ana`, who asked for the work'],
    });
  });
});

describe('what was tested', () => {
  const proof = (isOfBase: boolean, isRetested: boolean) => ({
    proved: { unproved: [], isOfBase, isRetested },
  });
  const again = { kind: 'retest', baseSha: BASE };

  test('is what is merged: a head on this base that was tested on it, or tests of the merge', () => {
    expect(decide({ isUpToDate: false })).toEqual(again);
    expect(decide(proof(false, false))).toEqual(again);
    expect(decide({ ...proof(false, true), isUpToDate: false }).kind).toBe('merge');
  });

  test.each([
    [
      { passed: false, baseSha: BASE, headSha: HEAD },
      { kind: 'wait', missing: ['2 failed'] },
    ],
    [{ passed: true, baseSha: BASE, headSha: HEAD }, again],
    [{ passed: false, baseSha: OLD, headSha: HEAD }, again],
    [{ passed: false, baseSha: BASE, headSha: OLD }, again],
  ])('is tested again unless the tests of these two failed: %j', (tested, move) => {
    const retested = { ...tested, sentence: '2 failed' };
    expect(decide({ isUpToDate: false }, { retested })).toEqual(move);
  });
});

describe('the way of merging', () => {
  test('is the configured one, or the first that the repository allows', () => {
    expect(decide({ methods: ['merge', 'squash'] })).toMatchObject({ method: 'squash' });
    expect(decide({ methods: ['rebase', 'merge'] })).toMatchObject({ method: 'rebase' });
  });

  test('is the queue where there is one, once for a head', () => {
    const hasMergeQueue = true;
    expect(decide({ hasMergeQueue })).toEqual({
      kind: 'merge',
      method: 'squash',
      approvedBy: 'tom',
      isQueued: true,
    });
    expect(decide({ hasMergeQueue }, { queued: HEAD })).toEqual({ kind: 'given-back' });
    expect(decide({ hasMergeQueue }, { queued: OLD }).kind).toBe('merge');
  });
});
