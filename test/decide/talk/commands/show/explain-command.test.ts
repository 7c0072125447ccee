/** `/pm explain`: what is missing to merge. */
import { describe, expect, test } from 'vitest';
import type { ThreadState } from '../../../../../src/decide/run/thread-context.ts';
import type { MergeStanding } from '../../../../../src/domain/task/merge-view.ts';
import { aVerdict } from '../../../../helpers/an-issue.ts';
import { mergeView, type MergeViewOver } from '../../../../helpers/a-task.ts';
import { onRun } from '../run-here.ts';
import { say } from '../say-on-thread.ts';

function explained(over: MergeViewOver, state: Partial<ThreadState> = {}): string[] {
  const { result } = mergeView(over) as { result: MergeStanding };
  const view = { merge: { pull: result.pull, reviews: result.reviews, required: result.required } };
  return say('/pm explain', { state, view, issue: { isPull: true } }).said.split('\n\n');
}

const HEAD = mergeView().result as unknown as MergeStanding;
const SHORT = HEAD.pull.headSha.slice(0, 12);
const reviewed = (headSha: string): Partial<ThreadState> =>
  onRun({ trigger: 'pr_review', headSha, status: 'consensus', verdict: aVerdict() });

describe('/pm explain', () => {
  test('lists what is missing, and says what the team says', () => {
    expect(explained({ pull: { isDraft: true, requestedReviewers: ['ben'] } })).toEqual([
      `Before \`${SHORT}\` can be merged into \`main\`:`,
      '- it is a draft\n- the review of `ben`',
      'The team has not reviewed it.',
    ]);
  });

  test('says so when nothing is missing, and to which head the team spoke', () => {
    const nothing = `GitHub reports nothing that keeps \`${SHORT}\` from being merged into \`main\`.`;
    expect(explained({}, reviewed(HEAD.pull.headSha))).toEqual([
      nothing,
      'The team says READY to this head; findings open: 0.',
    ]);
    const ledger = { findings: [{ status: 'open' }, { status: 'fixed' }] } as never;
    const task = { headSha: HEAD.pull.headSha } as never;
    expect(explained({}, { ...reviewed('abcdef0123456789'), ledger, task })).toEqual([
      nothing,
      'The team says READY to an earlier head, `abcdef012345`; findings open: 1.',
      'It belongs to a task of a plan: the check `quorum / merge` lists what its gates still need.',
    ]);
  });

  test('of what is merged says that, and refuses where GitHub did not tell', () => {
    expect(explained({ pull: { isMerged: true } })).toEqual(['It is merged.']);
    const came = say('/pm explain', { issue: { isPull: true } });
    expect(came).toMatchObject({ reaction: 'confused' });
    expect(came.said).toContain('GitHub did not report the state of this pull request.');
  });
});
