/** A person asks the PM for a plan, or for another version of it, or answers no. */
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../../src/domain/plan/plan-digest.ts';
import type { Planning } from '../../../../../src/domain/plan/planning.ts';
import type { PlanState } from '../../../../../src/domain/plan/plan-view.ts';
import type { TaskState } from '../../../../../src/domain/plan/task-state.ts';
import type { CommentAddress, TalkView } from '../../../../../src/domain/run/talk.ts';
import { ANA, THREAD } from '../../../../helpers/play.ts';
import {
  BODY,
  newsOf,
  NOW_ISO,
  PLAN_STATE,
  refusal,
  say,
  saying,
  sumUp,
  type Setup,
} from '../say-on-thread.ts';

const HELD =
  'This thread is on hold (label `hold`): no new work starts here. `/pm unhold` removes the hold.';
const BUSY = 'The PM is already working on it.';
const WAITS = { said: '', reaction: 'eyes', edits: [], told: [] };

function planning(phase: Planning['phase']): Planning {
  const base = { id: 'q', step: 4, thread: THREAD, actor: ANA, wish: 'old', rounds: 1 };
  return { ...base, phase, startedAt: NOW_ISO };
}

interface Told {
  body?: string;
  plan?: Partial<PlanState>;
  issue?: Partial<TalkView['issue']>;
  address?: Partial<CommentAddress>;
  state?: Setup['state'];
}

function onPlan({ body = BODY, plan = {}, issue, state, address = {} }: Told): Setup {
  return {
    issue: { body, ...issue },
    state: { plan: { ...PLAN_STATE, ...plan }, ...state },
    address,
  };
}

describe('/pm plan', () => {
  test.each([
    ['/pm plan', '', {}],
    ['/pm plan only the parser', 'only the parser', { about: 'only the parser' }],
  ])('%s has the thread read', (words, wish, about) => {
    const came = say(words);
    expect(sumUp(came)).toEqual({ ...WAITS, wants: ['look in no lane, waits'] });
    expect(came.effects).toEqual([
      {
        kind: 'look',
        thread: THREAD,
        actor: { id: 100, login: 'ana' },
        ...about,
        isForPlan: true,
      },
    ]);
    const id = came.state.planning?.id ?? '';
    expect(came.state.planning).toEqual({
      id,
      step: 1,
      thread: THREAD,
      actor: ANA,
      wish,
      askedIn: { id: 900, place: 'thread' },
      phase: { kind: 'looking', effectId: `${id}/1-look` },
      rounds: 0,
      startedAt: NOW_ISO,
    });
    expect(came.state.undos).toMatchObject([
      { kind: 'never', why: '`/pm reject` rejects the proposal' },
    ]);
  });

  test('looks at the plan first that grew from here before', () => {
    const came = say('/pm plan', { state: { proposed: { number: 40, title: 'Old' } } });
    expect(came.effects).toEqual([{ kind: 'look-plan', thread: { ...THREAD, number: 40 } }]);
    expect(came.state.planning?.phase.kind).toBe('checking');
  });

  test('takes the place of one that waits for answers', () => {
    const came = say('/pm plan new', { state: { planning: planning({ kind: 'waiting' }) } });
    expect(came.reaction).toBe('eyes');
    expect(came.state.planning).toMatchObject({ wish: 'new', rounds: 0 });
    expect(came.state.planning?.id).not.toBe('q');
  });

  test('is refused while the PM is at it', () => {
    const at = planning({ kind: 'thinking', effectId: 'q/4' });
    const came = say('/pm plan new', { state: { planning: at } });
    expect(sumUp(came)).toEqual(refusal(BUSY));
    expect(came.state.planning).toEqual(at);
    expect(came.state.undos).toBeUndefined();
  });

  test.each([
    ['on hold', { issue: { labels: ['hold'] } }, HELD],
    ['in a plan', onPlan({}), 'This is already a plan: `/pm revise …` has the PM make it again.'],
  ])('is refused %s', (_, context, words) => {
    const came = say('/pm plan', context);
    expect(sumUp(came)).toEqual(refusal(words));
    expect(came.state.planning).toBeUndefined();
  });

  test('needs a role that may change something', () => {
    const came = say('/pm plan', { view: { permission: 'triage' } });
    expect(came.wants).toEqual([]);
    expect(came.state.planning).toBeUndefined();
  });
});

describe('/pm revise', () => {
  test('keeps what the text says and which tasks are completed', () => {
    const body = saying({ 1: ['completed', 'dev', '#9'], 3: ['blocked'] });
    const tasks = {
      1: newsOf(1, { state: 'completed' }),
      3: newsOf(3, { state: 'blocked' }),
    };
    // The plan of this thread is made again, whatever grew from it before.
    const state = { proposed: { number: 40, title: 'Old' } };
    const came = say('/pm revise keep the flag', onPlan({ body, plan: { tasks }, state }));
    expect(sumUp(came)).toEqual({ ...WAITS, wants: ['look in no lane, waits'] });
    expect(came.effects).toMatchObject([{ kind: 'look', about: 'keep the flag' }]);
    expect(came.state.planning).toMatchObject({
      wish: 'keep the flag',
      revises: { digest: planDigest(parsePlan(body)), completed: [1] },
      askedIn: { id: 900, place: 'thread' },
    });
  });

  const NO_PLAN = 'There is no plan here to revise. `/pm plan` asks the PM for one.';
  const busy = (numbers: string) =>
    `Task ${numbers} is being worked on: \`/pm stop\` ends that first.`;
  const heard = (state: TaskState) => ({ plan: { tasks: { 2: newsOf(2, { state }) } } });

  test.each([
    ['where nothing is planned', {}, NO_PLAN],
    ['in a plan that is complete', onPlan({ plan: { isComplete: true } }), NO_PLAN],
    ['on hold', onPlan({ issue: { labels: ['hold'] } }), HELD],
    [
      'where something is to be mended',
      onPlan({ body: BODY.replace('**Dependencies:** Task 1', '**Dependencies:** Task 9') }),
      'The plan has errors. Fix them first; its comment lists them.',
    ],
    [
      'while people are at tasks',
      onPlan({ body: saying({ 1: ['claimed', 'tom'], 3: ['in_progress', 'eve'] }) }),
      busy('1, 3'),
    ],
    ['while a task is claimed', onPlan(heard('claimed')), busy('2')],
    ['while a task is written', onPlan(heard('in_progress')), busy('2')],
    ['while a task is at the gates', onPlan(heard('verifying')), busy('2')],
    ['while a task is in review', onPlan(heard('in_review')), busy('2')],
    [
      'while the PM is at it',
      onPlan({ state: { planning: planning({ kind: 'looking', effectId: 'q/4' }) } }),
      BUSY,
    ],
  ])('is refused %s', (_, context, words) => {
    const came = say('/pm revise another flag', context);
    expect(sumUp(came)).toEqual(refusal(words));
    expect(came.state.planning?.wish).not.toBe('another flag');
  });
});

describe('an answer to a plan that waits for approval', () => {
  const waiting = (address: Partial<CommentAddress>): Setup =>
    onPlan({ plan: { isWaiting: true }, address });
  const NO = {
    said: 'Nothing starts without approval. What should change? `/pm revise …`, or a reply that begins with *yes, but …*, has the PM make the plan again; an edit of its text does as well; `/pm reject` turns it down.',
    reaction: '+1',
    wants: [],
    edits: [],
    told: [],
  };

  test('no: nothing begins, and how it goes on is said', () => {
    const came = say('No, wait.', waiting({ word: 'no' }));
    expect(sumUp(came)).toEqual(NO);
    expect(came.state.planning).toBeUndefined();
    expect(came.state.plan).not.toHaveProperty('rejected');
  });

  test.each([['triage'], ['read'], ['none'], [undefined]] as const)(
    'no by somebody with %s is left alone',
    (permission) => {
      const came = say('No, wait.', { ...waiting({ word: 'no' }), view: { permission } });
      expect(sumUp(came)).toMatchObject({ said: '', reaction: undefined, wants: [] });
    },
  );

  test('yes, but: the whole reply is what the PM is to change', () => {
    const came = say(' Yes, but keep the flag. ', waiting({ word: 'yes-but' }));
    expect(came.reaction).toBe('eyes');
    expect(came.state.planning?.wish).toBe('Yes, but keep the flag.');
    expect(came.state.planning?.revises).toMatchObject({ completed: [] });
  });

  test('neither is a word to a plan that waits for nothing', () => {
    const none = { word: 'no', isForPlan: true } as const;
    expect(() => say('No, wait.', onPlan({ address: none }))).toThrow('the comment was not read');
    const came = say('Yes, but not now.', onPlan({ address: { word: 'yes-but' } }));
    expect(came.state.planning).toBeUndefined();
    expect(came.wants).toEqual([]);
  });
});
