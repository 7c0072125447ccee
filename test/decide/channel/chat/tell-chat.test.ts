/** What the team writes on an issue that began in a channel is repeated there, and the thread follows to the plan. */
import { describe, expect, test } from 'vitest';
import { onChatEvent, tellChat } from '../../../../src/decide/channel/chat/tell-chat.ts';
import {
  EMPTY_CHANNELS,
  type ChannelsState,
} from '../../../../src/domain/channel/channels-state.ts';
import type { ChatThread } from '../../../../src/domain/channel/chat-thread.ts';
import type { Effect, EffectData } from '../../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../../../src/domain/event/event.ts';
import type { MarkerKind } from '../../../../src/domain/github/marker.ts';

const NOW = Date.parse('2026-06-01T09:00:00Z');
const AT = new Date(NOW).toISOString();
const repository = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop' };
const SLACK: ChatThread = { channel: 'slack', place: 'C1', thread: '1.0' };
const BLUESKY: ChatThread = { channel: 'bluesky', place: 'did:a', thread: 'at://a/1' };

function eventOf(data: EventData, id = 'e1'): Event {
  return { id, key: 'thread:7/4', version: EVENT_VERSION, at: AT, data };
}

function commentOf(kind: MarkerKind, over: { isWithdrawn?: true } = {}): Effect {
  const data = {
    kind: 'comment',
    thread: { ...repository, number: 4 },
    marker: { kind },
    body: `A ${kind}.`,
    ...over,
  } as unknown as EffectData;
  return { id: `effect-${kind}`, key: 'thread:7/4', run: 'r1', data } as unknown as Effect;
}

const BEGUN = eventOf({ kind: 'chat-moved', run: 'r', repository, from: 1, to: 2 });

describe('what a decision writes', () => {
  test.each<MarkerKind>(['notice', 'proposal'])('a %s goes to the channels', (kind) => {
    expect(tellChat(BEGUN, [commentOf(kind)], { channels: ['slack'] })).toEqual([
      {
        id: `effect-${kind}/told`,
        key: 'channels:7',
        version: EVENT_VERSION,
        at: AT,
        data: {
          kind: 'answered',
          run: 'r1',
          repository,
          number: 4,
          markdown: `A ${kind}.`,
          channels: ['slack'],
        },
      },
    ]);
  });

  test('an answer names the message that asked, where it has one', () => {
    const asked = { ...BLUESKY, message: 'at://b/7' };
    const talk = { address: { relayed: { text: '', run: '', key: '', asked } } };
    const answer = commentOf('notice');
    Object.assign(answer.data, { marker: { kind: 'notice', run: 'talk-1' } });
    const talks = { 'talk-1': talk, 'talk-2': {} } as never;
    const [told] = tellChat(BEGUN, [answer], { channels: ['bluesky'], talks });
    expect(told?.data).toMatchObject({ kind: 'answered', asked });
  });

  test('an answer of a persona is said in its name', () => {
    const { data, ...answer } = commentOf('notice');
    const marker = { kind: 'notice', key: 'voice-maya-12' };
    const [told] = tellChat(
      BEGUN,
      [{ ...answer, data: { ...data, marker } as unknown as EffectData }],
      { channels: ['slack'], talks: {} },
    );
    expect(told?.data).toMatchObject({ kind: 'answered', persona: 'maya' });
    const { last } = takeAll(joined(SLACK), told?.data ?? MOVED);
    expect(last?.effects.map(({ data: wanted }) => wanted)).toMatchObject([
      { kind: 'chat-reply', persona: 'maya', markdown: 'A notice.' },
    ]);
  });

  test('what the product manager asks is said in its name', () => {
    const asks = commentOf('proposal');
    Object.assign(asks.data, { marker: { kind: 'proposal', key: 'planner-1-2' } });
    const [told] = tellChat(BEGUN, [asks], { channels: ['slack'] });
    expect(told?.data).toMatchObject({ kind: 'answered', persona: 'product manager' });
  });

  test('a live comment, a withdrawn one and another effect go nowhere', () => {
    const effects = [
      commentOf('live' as MarkerKind),
      commentOf('notice', { isWithdrawn: true }),
      { ...commentOf('notice'), data: { kind: 'react' } } as unknown as Effect,
    ];
    expect(tellChat(BEGUN, effects, { channels: ['slack'] })).toEqual([]);
  });

  test('a plan takes the threads of the issue that it grew from, after what was written', () => {
    const thread = { ...repository, number: 9 };
    const proposed = eventOf({ kind: 'proposed', run: 'r2', thread, from: 4 });
    const events = tellChat(proposed, [commentOf('proposal')], { channels: ['slack'] });
    expect(events.map(({ id }) => id)).toEqual(['effect-proposal/told', 'e1/chat-moved']);
    expect(events[1]).toMatchObject({
      key: 'channels:7',
      data: { kind: 'chat-moved', run: 'r2', repository, from: 4, to: 9 },
    });
  });
});

test('the pull request of a task joins the conversation about its plan', () => {
  const task = { plan: { ...repository, number: 4 }, task: 1 };
  const thread = { ...repository, number: 12 };
  const adopted = eventOf({ kind: 'adopted', run: 'r', task, thread, headSha: 'a', isNew: true });
  const [shared, ...others] = tellChat(adopted, [], { channels: ['slack'] });
  expect(others).toEqual([]);
  expect(shared).toMatchObject({
    id: 'e1/chat-shared',
    key: 'channels:7',
    data: { kind: 'chat-shared', repository, from: 4, to: 12 },
  });
});

/** The state after these events, and the last decision. */
function takeAll(...all: EventData[]) {
  let state: ChannelsState = structuredClone(EMPTY_CHANNELS);
  let last: ReturnType<typeof onChatEvent>;
  for (const [at, data] of all.entries()) {
    last = onChatEvent(state, { event: eventOf(data, `e${at}`), data, now: NOW });
    state = (last?.state ?? state) as ChannelsState;
  }
  return { state, last };
}

const joined = (thread: ChatThread, number = 4): EventData => ({
  kind: 'chat-joined',
  run: 'r',
  repository,
  number,
  thread,
});
const answered = (number: number): EventData => ({
  kind: 'answered',
  run: 'r',
  repository,
  number,
  markdown: 'Done.',
  channels: ['slack', 'bluesky'],
});
const MOVED: EventData = { kind: 'chat-moved', run: 'r', repository, from: 4, to: 9 };

describe('the channels of a repository', () => {
  test('repeat an answer in each thread that is about its issue, in a lane of the thread', () => {
    const { last } = takeAll(joined(SLACK), joined(BLUESKY), joined(SLACK, 5), answered(4));
    expect(last?.effects.map(({ data, lane }) => [lane, data])).toEqual(
      [SLACK, BLUESKY].map((thread) => [
        // Announcements, which wait in a pause, have another one.
        `replies:${thread.channel}/${thread.place}/${thread.thread}`,
        {
          kind: 'chat-reply',
          repository,
          chat: { ...thread, message: thread.thread },
          markdown: 'Done.',
        },
      ]),
    );
    expect(new Set(last?.effects.map(({ id }) => id)).size).toBe(2);
  });

  describe('on Bluesky', () => {
    const chatOf = (...all: EventData[]) => takeAll(...all).last?.effects[0]?.data;
    const asked = { ...BLUESKY, message: 'at://b/7' };

    test('answer the message that asked', () => {
      const data = { ...answered(4), asked } as EventData;
      expect(chatOf(joined(BLUESKY), data)).toMatchObject({ chat: asked });
    });

    test('answer what began the thread for them, where nobody asked just now', () => {
      const began = { ...joined(BLUESKY), asked: 'at://b/2' } as EventData;
      const chat = { ...BLUESKY, message: 'at://b/2' };
      expect(chatOf(began, answered(4))).toEqual(expect.objectContaining({ chat }));
      expect(chatOf(began, MOVED, answered(9))).toEqual(expect.objectContaining({ chat }));
    });

    test('answer no message of another thread', () => {
      const data = { ...answered(4), asked: { ...asked, thread: 'at://a/9' } } as EventData;
      expect(chatOf(joined(BLUESKY), data)).toMatchObject({ chat: { message: BLUESKY.thread } });
    });
  });

  test('say nothing of an issue that no thread is about', () => {
    expect(takeAll(joined(SLACK), answered(5)).last?.effects).toEqual([]);
  });

  test('follow an issue to its plan, and each thread learns of it', () => {
    const { last } = takeAll(joined(SLACK), joined(BLUESKY), MOVED);
    expect(last?.events.map(({ key, data }) => [key, data])).toEqual([
      ['chat:slack/C1/1.0', MOVED],
      ['chat:bluesky/did:a/at://a/1', MOVED],
    ]);
    expect(new Set(last?.events.map(({ id }) => id)).size).toBe(2);
    expect(takeAll(joined(SLACK), MOVED, answered(9)).last?.effects).toHaveLength(1);
    expect(takeAll(joined(SLACK), MOVED, answered(4)).last?.effects).toHaveLength(1);
  });

  test('tell of what belongs to an issue in its thread, which stays about the issue', () => {
    const shared: EventData = { ...MOVED, kind: 'chat-shared' };
    const { last } = takeAll(joined(SLACK), shared);
    expect([last?.events, last?.effects]).toEqual([[], []]);
    expect(takeAll(joined(SLACK), shared, answered(9)).last?.effects).toHaveLength(1);
    expect(takeAll(joined(SLACK), shared, answered(4)).last?.effects).toHaveLength(1);
    expect(takeAll(joined(SLACK, 5), shared, answered(9)).last?.effects).toEqual([]);
  });

  test('remember the newest 500 threads', () => {
    const all = Array.from({ length: 501 }, (_, n) =>
      joined({ ...SLACK, thread: `${n}.0` }, n + 1),
    );
    expect(Object.keys(takeAll(...all.slice(0, 500)).state.threads?.slack ?? {})).toHaveLength(500);
    const { state } = takeAll(...all);
    const kept = Object.values(state.threads?.slack ?? {}).map(({ thread }) => thread);
    expect(kept).toHaveLength(500);
    expect(kept).not.toContain('0.0');
    expect(kept).toContain('500.0');
  });

  test('say a number of lost answers once, and count again what was not sent with it', () => {
    const unsent: EventData = { kind: 'chat-unsent', run: 'r', repository, channel: 'slack' };
    const first = takeAll(joined(SLACK), unsent, unsent, answered(4));
    const [reply] = first.last?.effects ?? [];
    expect(reply?.data).toMatchObject({ markdown: expect.stringContaining('2 older') as string });
    expect(first.state.queues.slack?.dropped).toBe(0);
    const end = (code: string) => {
      const failure = { code, message: '', retryable: false };
      const failed = { kind: 'failed', run: 'r', effectId: reply?.id, effectKind: 'chat-reply' };
      const data = { ...failed, failure } as EventData;
      return takeAll(joined(SLACK), unsent, unsent, answered(4), data).state;
    };
    expect(end('channel-too-late')).toMatchObject({
      replies: {},
      queues: { slack: { dropped: 3 } },
    });
    // What must not be said there is no loss.
    expect(end('channel-private').queues.slack?.dropped).toBe(2);
  });

  test('leave the number to an announcement that is under way and says it', () => {
    const unsent: EventData = { kind: 'chat-unsent', run: 'r', repository, channel: 'slack' };
    const { state } = takeAll(joined(SLACK), unsent);
    if (state.queues.slack) state.queues.slack.sending = 'an effect';
    const data = answered(4);
    const last = onChatEvent(state, { event: eventOf(data, 'e9'), data, now: NOW });
    expect(last?.effects.map((each) => each.data)).toMatchObject([{ markdown: 'Done.' }]);
    expect(state.queues.slack?.dropped).toBe(1);
  });

  test('forget an answer that arrived, and leave the result of another effect to others', () => {
    const { last } = takeAll(joined(SLACK), answered(4));
    const effectId = last?.effects[0]?.id ?? '';
    const done = { kind: 'done', run: 'r', effectKind: 'chat-reply', result: {} } as const;
    const { state } = takeAll(joined(SLACK), answered(4), { ...done, effectId });
    expect(state.replies).toEqual({});
    expect(takeAll(joined(SLACK), { ...done, effectId: 'another' }).last).toBeUndefined();
  });

  test('leave every other event to others', () => {
    const data = { kind: 'heard-until', run: 'r', cursor: 'c' } as const;
    expect(takeAll(data).last).toBeUndefined();
  });
});
