/** People hold, pause and stop the team, and let it go on: what is wanted for that, and what is left as it is. */
import { verifies } from '../../../verifies.ts';
import { describe, expect, test } from 'vitest';
import { defaultConfig } from '../../../../src/domain/config/config.ts';
import { LABEL_LOOKS } from '../../../../src/domain/repository/labels.ts';
import type { Talk, TalkView } from '../../../../src/domain/run/talk.ts';
import type { Planning } from '../../../../src/domain/plan/planning.ts';
import type { TaskState } from '../../../../src/domain/plan/task-state.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';
import { aRunHere } from './run-here.ts';
import { BEFORE, BODY, newsOf, NOW_ISO, PLAN_STATE, refusal, say, sumUp } from './say-on-thread.ts';

const BY = { id: 100, login: 'ana' };
const ON_HOLD = 'On hold: no new work starts here until `/pm unhold`.';

function named(name: string): Partial<TalkView> {
  const config = defaultConfig();
  return { config: { ...config, labels: { ...config.labels, hold: name } } };
}

describe('/pm hold and /pm unhold', () => {
  test.each([
    ['hold', {}],
    ['stopp', { view: named('stopp') }],
  ])('put the label %s on and take it off', (name, context) => {
    const order = { thread: THREAD, authority: { user: BY, needed: 'write' }, evenPaused: true };
    const held = say('/pm hold', context);
    expect(held).toMatchObject({ said: ON_HOLD, reaction: '+1' });
    expect(held.wants).toEqual(['labels in talk:thread:7/12']);
    expect(held.effects).toEqual([
      { kind: 'labels', ...order, add: [{ name, ...LABEL_LOOKS.hold }], remove: [] },
    ]);
    const off = say('/pm unhold', { ...context, issue: { labels: [name] } });
    expect(off).toMatchObject({ said: 'The hold is removed.', reaction: '+1' });
    expect(off.effects).toEqual([{ kind: 'labels', ...order, add: [], remove: [name] }]);
    expect(off.state.undos).toMatchObject([{ kind: 'unhold' }]);
  });

  test.each([
    ['/pm hold', ['hold'], 'This thread is on hold already.'],
    ['/pm unhold', ['other'], 'This thread was not on hold.'],
  ])('%s changes nothing that is so already', (words, labels, said) => {
    const came = say(words, { issue: { labels } });
    expect(sumUp(came)).toEqual({ ...refusal(said), reaction: '+1' });
    expect(came.state.undos).toBeUndefined();
  });

  test.each([
    ['active', true],
    ['blocked', true],
    ['consensus', false],
    ['closed', false],
  ])('tells that a discussion which is %s comes to its end: %s', (status, isTold) => {
    const { said } = say('/pm hold', {
      state: { runs: { issue_review: aRunHere({ status }) } },
    });
    const more = ' Running work finishes; `/pm stop` ends it now.';
    expect(said).toBe(isTold ? `${ON_HOLD}${more}` : ON_HOLD);
  });

  test('ask for the role that the repository wants', () => {
    const config = defaultConfig();
    const access = { ...config.access, commands: { hold: 'maintain' as const } };
    const view = { config: { ...config, access }, permission: 'admin' as const };
    expect(say('/pm hold', { view }).effects).toMatchObject([
      { authority: { needed: 'maintain' } },
    ]);
  });

  test('rest on no role for a listed App', () => {
    const config = defaultConfig();
    const access = { ...config.access, allowedApps: [77] };
    const actor = { id: 55, login: 'robot[bot]', isBot: true };
    const view = { config: { ...config, access } };
    const came = say('/pm hold', { actor, address: { appId: 77 }, view });
    expect(came.effects).toHaveLength(1);
    expect(came.effects[0]).not.toHaveProperty('authority');
  });
});

describe('/pm pause and /pm resume', () => {
  const paused = { by: 'tom', why: '', at: BEFORE };

  test('the repository records by whom, why, when and where', () => {
    const why = 'no key '.repeat(40).trim();
    const came = say(`/pm pause ${why}`);
    expect(came).toMatchObject({
      said: 'Paused: all work in this repository waits, and Quorum only answers commands. `/pm resume` continues it.',
      reaction: '+1',
      effects: [],
    });
    expect(came.told).toMatchObject([
      {
        key: 'repository:7',
        data: {
          kind: 'paused',
          pause: { by: 'ana', why: why.slice(0, 200), at: NOW_ISO, comment: 900 },
        },
      },
    ]);
    expect(came.suffixes).toEqual(['paused']);
    const onDiff = say('/pm pause', { address: { place: 'review' } });
    expect(onDiff.told).toMatchObject([{ data: { pause: { by: 'ana', why: '', at: NOW_ISO } } }]);
    expect(JSON.stringify(onDiff.told)).not.toContain('"comment"');
  });

  verifies(
    'CMD-11: pause and resume at once',
    'a pause that was written after the first is given again, and what ends the first leaves it',
    () => {
      const again = say('/pm pause still', { view: { paused } });
      expect(again).toMatchObject({ said: '`tom` paused it already.', reaction: '+1' });
      expect(again.told).toMatchObject([
        { data: { kind: 'paused', pause: { by: 'ana', why: 'still', comment: 900 } } },
      ]);
      expect(again.state.undos).toBeUndefined();
      const ended = say('/pm resume', { view: { paused } });
      expect(ended.told).toMatchObject([{ data: { kind: 'paused', ends: paused.at } }]);
    },
  );

  test('work goes on, and that can be taken back', () => {
    const came = say('/pm resume', { view: { paused } });
    expect(came).toMatchObject({ said: 'Work resumes within a minute.', reaction: '+1' });
    expect(came.told).toMatchObject([{ key: 'repository:7', data: { kind: 'paused' } }]);
    expect(came.suffixes).toEqual(['resumed']);
    expect(came.told[0]?.data).not.toHaveProperty('pause');
    expect(came.state.undos).toMatchObject([{ kind: 'pause', pause: paused }]);
  });

  test.each([
    [
      '/pm pause',
      { view: { paused: { ...paused, comment: 901 } } },
      '`tom` paused it already.',
      '+1',
    ],
    ['/pm resume', {}, 'Nothing was paused.', '+1'],
    [
      '/pm resume',
      { view: { paused: { ...paused, comment: 901 } } },
      '`tom` paused it after you wrote this. To resume work, repeat `/pm resume`.',
      'confused',
    ],
  ])('%s tells the repository nothing: case %#', (...[words, context, said, reaction]) => {
    const came = say(words, context);
    expect(sumUp(came)).toEqual({ ...refusal(said), reaction });
    expect(came.told).toEqual([]);
    expect(came.state.undos).toBeUndefined();
  });
});

const PLANNING: Planning = {
  id: 'q',
  step: 0,
  thread: THREAD,
  actor: ANA,
  wish: '',
  rounds: 0,
  phase: { kind: 'waiting' },
  startedAt: NOW_ISO,
};

function talk(id: string): Talk {
  return { id, phase: { kind: 'asking', effectId: `${id}/1` } } as unknown as Talk;
}

describe('/pm stop', () => {
  test('is refused where nothing goes on', () => {
    const over = { issue_review: aRunHere({ status: 'consensus' }) } as never;
    const came = say('/pm stop', { state: { runs: over } });
    expect(sumUp(came)).toEqual(refusal('Nothing was running here.'));
    expect(came.state.runs.issue_review?.status).toBe('consensus');
    expect(came.state.undos).toBeUndefined();
  });

  test.each([
    ['/pm stop', '`ana` stopped it'],
    ['/pm stop it is done', '`ana` stopped it: `it is done`'],
  ])('%s ends a discussion', (words, endReason) => {
    const runs = { issue_review: aRunHere() } as never;
    const came = say(words, { state: { runs } });
    expect(came).toMatchObject({ said: 'Stopped: the running work here.', reaction: '+1' });
    expect(came.state.runs.issue_review).toMatchObject({ status: 'closed', endReason });
    expect(came.effects).not.toEqual([]);
    expect(came.state.undos).toMatchObject([
      { kind: 'never', why: 'stopped work starts again when you ask for it' },
    ]);
  });

  test.each([
    [{ planning: PLANNING }, 'the running work'],
    [{ talks: { a: talk('a') } }, 'the running work'],
    [{ talks: { a: talk('a'), b: talk('b') }, planning: PLANNING }, '3 things'],
  ])('throws away answers and plans that are being prepared: case %#', (state, what) => {
    const came = say('/pm stop', { state });
    expect(came).toMatchObject({ said: `Stopped: ${what} here.`, reaction: '+1' });
    expect(came.state.talks).toEqual({});
    expect(came.state).not.toHaveProperty('planning');
  });

  const tasks = (state: TaskState) => ({
    1: newsOf(1, { state }),
    2: newsOf(2, { state: 'blocked' }),
    3: newsOf(3, { state: 'in_review' }),
  });

  test.each([
    ['/pm stop', 'stopped'],
    ['/pm stop too hot', 'too hot'],
  ])('%s blocks the tasks that agents work on', (words, why) => {
    const plan = { ...PLAN_STATE, tasks: tasks('in_progress') };
    const came = say(words, { issue: { body: BODY }, state: { plan } });
    const word = { word: 'block', by: BY, why };
    expect(sumUp(came)).toEqual({
      said: 'Stopped: 2 things here.',
      reaction: '+1',
      wants: [],
      edits: [],
      told: [
        { key: 'task:7/12-1', ...word },
        { key: 'task:7/12-3', ...word },
      ],
    });
  });
});
