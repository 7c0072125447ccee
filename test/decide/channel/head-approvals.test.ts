/** When channels show that a head waits for approval, and when they take that back. */
import { describe, expect, test } from 'vitest';
import { headAnswerOf, headAskedOf } from '../../../src/decide/channel/head-approvals.ts';
import { withAnnouncements } from '../../../src/decide/channel/with-announcements.ts';
import { noteApprovals } from '../../../src/decide/task/await-approval.ts';
import { EVENT_VERSION, type Event } from '../../../src/domain/event/event.ts';
import type { MergeView } from '../../../src/domain/task/merge-view.ts';
import { taskKey, type TaskRun } from '../../../src/domain/task/task.ts';
import { decideMerge } from '../../../src/policy/decide-merge.ts';
import { Config } from '../../../src/domain/config/config.ts';
import {
  HEAD,
  mergeView,
  ORDER,
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

describe('channels learn', () => {
  const waits = { awaits: { headSha: HEAD, missing: ['the review of `ben`'] } };
  const approved = { awaits: { headSha: HEAD, missing: [], by: 'ben' } };
  const newer = { awaits: { headSha: OTHER, missing: ['the review of `ben`'] } };

  test('of each head once, and again where its approval was taken back', () => {
    const asked = {
      event: 'needs-human',
      question: 'it waits for the review of `ben`',
      headSha: HEAD,
    };
    expect(headAskedOf(undefined, waits)).toEqual(asked);
    expect(headAskedOf({}, waits)).toEqual(asked);
    expect(headAskedOf(approved, waits)).toEqual(asked);
    expect(headAskedOf(newer, waits)).toEqual(asked);
    expect(headAskedOf(waits, waits)).toBeUndefined();
    expect(headAskedOf(waits, approved)).toBeUndefined();
    expect(headAskedOf(waits, {})).toBeUndefined();
  });

  test('who approved it, or that it is over', () => {
    expect(headAnswerOf(waits, approved)).toEqual({ headSha: HEAD, by: 'ben' });
    expect(headAnswerOf(waits, {})).toEqual({ headSha: HEAD });
    expect(headAnswerOf(waits, undefined)).toEqual({ headSha: HEAD });
    expect(headAnswerOf(waits, newer)).toEqual({ headSha: HEAD });
    expect(headAnswerOf(waits, waits)).toBeUndefined();
    expect(headAnswerOf(approved, {})).toBeUndefined();
    expect(headAnswerOf(undefined, waits)).toBeUndefined();
  });

  test('what is over before what is new, and nothing where there are no news', () => {
    const state = (run: object) => ({ v: 1, failures: 0, run: { ...opened, ...run } });
    const event: Event = {
      id: 'e1',
      key: taskKey(ORDER.ref),
      version: EVENT_VERSION,
      at: AT,
      data: { kind: 'timer', timer: 't', run: 'r' },
    };
    const reduce = (before: object, after: object) =>
      withAnnouncements(() => ({ state: state(after), effects: [], events: [] }), ['slack'])(
        state(before),
        event,
        { now: 0 },
      ).events;
    expect(reduce(waits, newer)).toMatchObject([
      { key: 'channels:7', data: { kind: 'head-answered', answer: { headSha: HEAD } } },
      { key: 'channels:7', data: { kind: 'announced', channels: ['slack'] } },
    ]);
    expect(reduce(waits, waits)).toEqual([]);
  });
});
