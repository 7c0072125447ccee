/** When channels show that a head waits for approval, and when they take that back. */
import { describe, expect, test } from 'vitest';
import { decideChannels } from '../../../src/decide/channel/decide-channels.ts';
import { headAnswerOf, headAskedOf } from '../../../src/decide/channel/head-approvals.ts';
import { withAnnouncements } from '../../../src/decide/channel/with-announcements.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../../src/domain/event/event.ts';
import type { ChannelsState } from '../../../src/domain/channel/channels-state.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import { taskKey } from '../../../src/domain/task/task.ts';
import { HEAD, ORDER, playToPull } from '../../helpers/a-task.ts';

const OTHER = 'e'.repeat(40);
const AT = '2026-11-22T09:00:00Z';
const opened = playToPull().stream().run;

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
    const answer = { headSha: HEAD, by: 'ben' };
    expect(reduce(waits, approved)).toMatchObject([{ data: { kind: 'head-answered', answer } }]);
  });
});

describe('channels learn that no question of a thread is open', () => {
  const thread = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop', number: 3 };
  const task = (number: number, state: 'claimed' | 'blocked') => ({
    [number]: { task: number, state, persona: 'dev', attempt: 1, at: '', reason: 'red' },
  });
  const state = (tasks: object) => ({
    v: 1,
    runs: {},
    plan: { id: 'plan-1', step: 0, thread, tasks },
  });
  const reduce = (before: object, after: object) =>
    withAnnouncements(() => ({ state: state(after), effects: [], events: [] }), ['slack'])(
      state(before),
      {
        id: 'e1',
        key: threadKey(thread),
        version: EVENT_VERSION,
        at: AT,
        data: { kind: 'timer', timer: 't', run: 'r' },
      },
      { now: 0 },
    ).events.map(({ data }) => data);
  const both = { ...task(1, 'blocked'), ...task(2, 'blocked') };

  test('once the last is settled, after what else is new, and not while another is open', () => {
    expect(reduce(both, { ...task(1, 'blocked'), ...task(2, 'claimed') })).toMatchObject([
      { kind: 'announced', announced: { event: 'task-claimed' } },
    ]);
    expect(reduce({ ...task(1, 'blocked') }, {})).toMatchObject([
      { kind: 'need-over', run: 'plan-1', number: 3, repository: { repositoryId: 7 } },
    ]);
    expect(reduce(both, task(1, 'claimed'))).toMatchObject([
      { kind: 'announced', announced: { event: 'task-claimed' } },
      { kind: 'need-over' },
    ]);
  });
});

describe('that nobody is needed any more', () => {
  const SUBJECT = 'thread/7/9';
  const repository = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop' };
  const post = { channel: 'slack', place: 'C1', thread: '1.0', message: '1.0' } as const;
  const aQueue = { waiting: [], dropped: 0, heads: { [SUBJECT]: post } };
  const answer = { headSha: HEAD, by: 'ben' };
  const now = Date.parse(AT);
  const decide = (state: object, id: string, data: EventData) =>
    decideChannels(
      { v: 1, id: 'r', step: 0, ...state },
      { id, key: 'channels:7', version: EVENT_VERSION, at: AT, data },
      { now },
    );
  /** After somebody asked for it, and that was sent. */
  const asked = (state: object, headSha = HEAD) => {
    const announced = { event: 'needs-human', question: '', headSha } as const;
    const about = { run: 'r', repository, number: 9 };
    const came = decide(state, 'q1', { kind: 'announced', ...about, announced, channels: [] });
    return came.state as object;
  };
  const settled = (state: object, by = answer) =>
    decide(state, 'e1', { kind: 'head-answered', run: 'r', repository, number: 9, answer: by });
  const wanted = (state: object) => settled(state).effects.map(({ data }) => data);

  test('is shown in the message that asked, once', () => {
    const state = asked({ queues: { slack: aQueue } });
    const shown = settled(state);
    expect(shown.effects.map(({ data }) => data)).toMatchObject([
      {
        kind: 'announce',
        channel: 'slack',
        heads: { [SUBJECT]: post },
        waiting: [{ announcement: { event: 'head-settled', answer, request: 'q1' } }],
      },
    ]);
    expect(
      (settled(shown.state as object).state as ChannelsState).queues.slack?.waiting,
    ).toHaveLength(1);
  });

  test('is shown there also where people talk below it', () => {
    const threads = { slack: { [SUBJECT]: { channel: 'slack', place: 'C1', thread: '1.0' } } };
    const [shown] = wanted(asked({ queues: { slack: aQueue }, threads }));
    expect(shown).toMatchObject({ kind: 'announce', heads: { [SUBJECT]: post } });
    expect(shown).toHaveProperty('threads', {});
  });

  describe('for a question', () => {
    const about = { run: 'r', repository, number: 9 };
    const ask = (state: object, { id = 'q1', question = 'Which?', headSha = '' } = {}) =>
      decide(state, id, {
        kind: 'announced',
        ...about,
        announced: { event: 'needs-human', question, ...(headSha !== '' && { headSha }) },
        channels: [],
      }).state as object;
    const over = (state: object) => decide(state, 'e1', { kind: 'need-over', ...about });
    const inSlack = { queues: { slack: aQueue } };

    test('is shown in the message that asked it, once', () => {
      const { effects, state } = over(ask(inSlack));
      expect(effects.map(({ data }) => data)).toMatchObject([
        {
          kind: 'announce',
          channel: 'slack',
          waiting: [{ announcement: { event: 'need-settled', request: 'q1', question: 'Which?' } }],
        },
      ]);
      expect(over(state as object)).toMatchObject({ ignored: expect.any(String), effects: [] });
    });

    test('is shown in the message of the latest question, which is the one that people see', () => {
      const state = ask(ask(inSlack), { id: 'q2', question: 'When?' });
      const latest = { event: 'need-settled', request: 'q2', question: 'When?' };
      expect(over(state).effects.map(({ data }) => data)).toMatchObject([
        { waiting: [{ announcement: latest }] },
      ]);
    });

    test('is not shown while a head waits for approval, and then it is', () => {
      for (const state of [
        ask(ask(inSlack, { headSha: HEAD }), { id: 'q2' }),
        ask(ask(inSlack, { id: 'q2' }), { headSha: HEAD }),
      ]) {
        const waits = over(state);
        expect(waits.effects).toEqual([]);
        const { queues } = settled(waits.state as object).state as ChannelsState;
        expect(queues.slack?.waiting.map(({ announcement }) => announcement)).toMatchObject([
          { event: 'head-settled', request: 'q1' },
          { event: 'need-settled', request: 'q2' },
        ]);
      }
    });

    test('is not shown after the head either where the question came again', () => {
      const state = ask(over(ask(ask(inSlack, { headSha: HEAD }), { id: 'q2' })).state as object);
      const { queues } = settled(state).state as ChannelsState;
      expect(queues.slack?.waiting.map(({ announcement }) => announcement.event)).toEqual([
        'head-settled',
      ]);
    });

    test('is not shown without a message, or in a post', () => {
      for (const state of [ask({ queues: {} }), ask({ queues: { bluesky: aQueue } })])
        expect(over(state).effects).toEqual([]);
    });
  });

  test('is no message of its own: not where none asked, not of another head, not in a post', () => {
    expect(wanted(asked({ queues: {} }))).toEqual([]);
    expect(wanted({ queues: { slack: aQueue } })).toEqual([]);
    expect(wanted(asked({ queues: { slack: aQueue } }, OTHER))).toEqual([]);
    expect(wanted(asked({ queues: { bluesky: aQueue } }))).toEqual([]);
  });
});
