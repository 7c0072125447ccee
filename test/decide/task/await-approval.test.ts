/** Which head people are asked to approve, and for how long. */
import { describe, expect, test } from 'vitest';
import { noteApprovals } from '../../../src/decide/task/await-approval.ts';
import { Config } from '../../../src/domain/config/config.ts';
import type { MergeView } from '../../../src/domain/task/merge-view.ts';
import type { TaskRun } from '../../../src/domain/task/task.ts';
import { decideMerge } from '../../../src/policy/decide-merge.ts';
import {
  HEAD,
  mergeView,
  playToPull,
  REVIEWED as REVIEW,
  TOM,
  type MergeViewOver,
} from '../../helpers/a-task.ts';

const OTHER = 'e'.repeat(40);
const AT = '2026-11-22T09:00:00Z';
const REVIEWED: Partial<TaskRun> = { review: { headSha: HEAD, verdict: 'APPROVE', asks: [] } };
const opened = playToPull().stream().run;

/** What the look makes of the run, which may have been asked for before. */
function look(view: MergeViewOver = {}, over: Partial<TaskRun> = {}): TaskRun['awaits'] {
  if (opened === undefined) throw new Error('no pull request was opened');
  const { result } = mergeView(view) as { result: MergeView };
  const run = structuredClone({ ...opened, ...REVIEWED, ...over });
  noteApprovals(run, result, decideMerge(run, result));
  return run.awaits;
}

describe('a head is waited for', () => {
  const WAITS = {
    headSha: HEAD,
    missing: ['the approval of this head by somebody other than `ana`, who asked for the work'],
  };

  test('once nothing but approvals is missing', () => {
    expect(look()).toEqual(WAITS);
    expect(look({ pull: { requestedReviewers: ['ben'] } })?.missing).toHaveLength(2);
    const config = Config.parse({ merge: { mode: 'command' } });
    expect(look({ config })).toEqual(WAITS);
  });

  test.each<[string, MergeViewOver, Partial<TaskRun>]>([
    ['a check runs', { required: [{ name: 'ci', state: 'pending' }] }, {}],
    ['it is a draft', { pull: { isDraft: true } }, {}],
    ['the team has not reviewed it', {}, { review: { ...review(), headSha: OTHER } }],
    ['people merge themselves', { config: Config.parse({ merge: { mode: 'never' } }) }, {}],
    ['GitHub merges by itself', { pull: { isAutoMerge: true } }, { approved: word() }],
    ['it was approved', {}, { approved: word() }],
    ['it is closed', { pull: { state: 'closed' } }, {}],
    ['somebody pushed', { pull: { headSha: OTHER } }, {}],
  ])('not where %s', (_, view, run) => {
    expect(look(view, run)).toBeUndefined();
  });

  test('until somebody approves it, though a check runs again meanwhile', () => {
    const required = [{ name: 'ci', state: 'pending' as const }];
    expect(look({ required }, { awaits: WAITS })).toEqual(WAITS);
    const approved = { headSha: HEAD, missing: [], by: 'tom' };
    expect(look({ required }, { awaits: WAITS, approved: word() })).toEqual(approved);
    const auto = { pull: { isAutoMerge: true } };
    expect(look(auto, { awaits: WAITS, approved: word() })).toEqual(approved);
  });

  test('not once somebody stops the task', () => {
    const play = playToPull();
    play.send(REVIEW);
    play.answer(mergeView());
    expect(play.stream().run?.awaits).toEqual(WAITS);
    play.send({ kind: 'task-word', run: 't', word: 'block', by: TOM, why: '' });
    expect(play.stream().run).not.toHaveProperty('awaits');
  });

  test('not once it is merged, closed, or replaced', () => {
    const awaits = { ...WAITS };
    expect(look({ pull: { state: 'closed' } }, { awaits })).toBeUndefined();
    expect(look({ pull: { headSha: OTHER } }, { awaits })).toBeUndefined();
    const old = { ...WAITS, headSha: OTHER };
    expect(look({ pull: { isDraft: true } }, { awaits: old })).toBeUndefined();
  });
});

function review() {
  return { headSha: HEAD, verdict: 'APPROVE', asks: [] };
}

function word() {
  return { by: TOM, headSha: HEAD, at: AT };
}
