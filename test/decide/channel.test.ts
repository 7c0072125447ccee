/** What waits for a channel: one message at a time, refusals tried again, quiet hours, and nothing without an end. */
import { describe, expect, test } from 'vitest';
import { decideChannels } from '../../src/decide/channel/decide-channels.ts';
import type { Decision } from '../../src/decide/run/decision.ts';
import type { ChannelsState } from '../../src/domain/channel/channels-state.ts';
import type { Effect } from '../../src/domain/event/effect.ts';
import { EVENT_VERSION, type Event, type EventData } from '../../src/domain/event/event.ts';
import type { AnnouncedDelivery } from '../../src/domain/event/result.ts';

const AT = Date.parse('2026-06-01T09:00:00Z');
const repository = { installationId: 1, repositoryId: 7, owner: 'octo', repo: 'shop' };
const KEY = 'channels:7';

function eventOf(id: string, data: EventData, now = AT): Event {
  return { id, key: KEY, version: EVENT_VERSION, at: new Date(now).toISOString(), data };
}

function merged(id: string, number = 1): Event {
  const announced = { event: 'merged', task: 'Task 1' } as const;
  const channels = ['slack'] as const;
  return eventOf(id, { kind: 'announced', run: 'r', repository, number, announced, channels });
}

/** A stream of its own, with what it wanted so far. */
function aStream() {
  let state: unknown;
  const effects: Effect[] = [];
  const take = (event: Event, now = AT): Decision => {
    const decision = decideChannels(state, event, { now });
    ({ state } = decision);
    effects.push(...decision.effects);
    return decision;
  };
  return {
    take,
    effects,
    queue: () => (state as ChannelsState).queues.slack,
    settle: (result: Partial<AnnouncedDelivery>, now = AT) => {
      const last = effects.at(-1);
      const whole = { settled: [], dropped: 0, heads: {}, ...result };
      const effectId = last?.id ?? '';
      const data = {
        kind: 'done',
        effectId,
        run: 'r',
        effectKind: 'announce',
        result: whole,
      } as const;
      return take(eventOf(`${effectId}:done`, data, now), now);
    },
    fail: (code: 'channel-unauthorised' | 'channel-archived' | 'place-closed', now = AT) => {
      const effectId = effects.at(-1)?.id ?? '';
      const failure = { code, message: 'no', retryable: false } as const;
      const data = { kind: 'failed', effectId, run: 'r', effectKind: 'announce', failure } as const;
      return take(eventOf(`${effectId}:failed`, data, now), now);
    },
  };
}

function keysOf(effect: Effect | undefined): string[] {
  return effect?.data.kind === 'announce' ? effect.data.waiting.map(({ key }) => key) : [];
}

test('while one message is under way, the next ones gather and go together', () => {
  const stream = aStream();
  for (const id of ['a', 'b', 'c']) stream.take(merged(id));
  expect(stream.effects.map(keysOf)).toEqual([['a']]);
  stream.settle({ settled: ['a'] });
  expect(stream.effects.map(keysOf)).toEqual([['a'], ['b', 'c']]);
  stream.settle({ settled: ['b', 'c'] });
  expect(stream.queue()?.waiting).toEqual([]);
});

test('what was tried before is looked for before it is sent again', () => {
  const stream = aStream();
  stream.take(merged('a'));
  expect(stream.effects[0]?.data).toMatchObject({ isNew: true });
  const { events } = stream.fail('channel-unauthorised');
  const timer = events[0];
  expect([timer?.delayMs, timer?.data.kind]).toEqual([15 * 60_000, 'timer']);
  stream.take(merged('b'));
  expect(stream.effects).toHaveLength(1);
  if (timer !== undefined) stream.take(timer, AT + 15 * 60_000);
  expect(keysOf(stream.effects[1])).toEqual(['a']);
  expect(stream.effects[1]?.data).not.toHaveProperty('isNew');
  stream.settle({ settled: ['a'] });
  expect(keysOf(stream.effects[2])).toEqual(['b']);
  expect(stream.effects[2]?.data).toMatchObject({ isNew: true });
});

test('a repository that is gone leaves nothing to be tried again', () => {
  const stream = aStream();
  stream.take(merged('a'));
  expect(stream.fail('place-closed').events).toEqual([]);
  expect(stream.queue()?.waiting).toEqual([]);
});

test('what the channel for announcements refused is sent again by itself, as what was first tried then', () => {
  const stream = aStream();
  stream.take(merged('a'));
  for (const id of ['b', 'c']) stream.take(merged(id));
  stream.settle({ settled: ['a'] });
  stream.take(merged('d'));
  stream.settle({ settled: ['b'], isRefused: true }, AT + 60_000);
  expect(keysOf(stream.effects[2])).toEqual(['c']);
  expect(stream.effects.map(({ data }) => data)).toMatchObject([
    { firstAt: AT },
    { firstAt: AT },
    { firstAt: AT },
  ]);
  stream.settle({ settled: ['c'] }, AT + 120_000);
  expect(stream.effects[3]?.data).toMatchObject({ firstAt: AT + 120_000, isNew: true });
});

test('a thread that is gone is named no more, unless another one took its place', () => {
  const thread = { channel: 'slack', place: 'C9', thread: '9.0' } as const;
  const other = { ...thread, thread: '9.5' };
  const joined = (to: typeof thread | typeof other): EventData => {
    return { kind: 'chat-joined', run: 'r', repository, number: 1, thread: to };
  };
  const gone = { 'thread/7/1': thread };
  const stream = aStream();
  stream.take(eventOf('j', joined(thread)));
  stream.take(merged('a'));
  expect(stream.effects[0]?.data).toMatchObject({ threads: gone });
  stream.settle({ settled: ['a'], gone });
  stream.take(merged('b'));
  expect(stream.effects[1]?.data).toMatchObject({ threads: {} });
  stream.take(eventOf('k', joined(other)));
  stream.settle({ settled: ['b'], gone });
  stream.take(merged('c'));
  expect(stream.effects[2]?.data).toMatchObject({ threads: { 'thread/7/1': other } });
});

describe('a message for a thread, while what the channel for announcements refused waits', () => {
  const thread = { channel: 'slack', place: 'C9', thread: '9.0' } as const;
  const threads = { 'thread/7/1': thread };
  const joined = (number: number): EventData => ({
    kind: 'chat-joined',
    run: 'r',
    repository,
    number,
    thread,
  });
  const LATER = AT + 15 * 60_000;

  /** About the issue 2, which the channel for announcements refused; the issue 1 has a thread. */
  function aRefusal() {
    const stream = aStream();
    stream.take(eventOf('j', joined(1)));
    stream.take(merged('main', 2));
    const [timer] = stream.fail('channel-archived').events;
    return { ...stream, timer };
  }

  test('is sent at once, alone', () => {
    const { take, effects } = aRefusal();
    take(merged('threaded', 1), AT + 60_000);
    expect(keysOf(effects[1])).toEqual(['threaded']);
    expect(effects[1]?.data).toMatchObject({ threads, isNew: true, firstAt: AT + 60_000 });
  });

  test('leaves the others to their retry, as what was first tried then', () => {
    const { take, effects, settle, timer } = aRefusal();
    take(merged('threaded', 1), AT + 60_000);
    expect(settle({ settled: ['threaded'] }, AT + 60_000).effects).toEqual([]);
    if (timer !== undefined) take(timer, LATER);
    expect(effects.slice(2).map(keysOf)).toEqual([['main']]);
    expect(effects[2]?.data).toMatchObject({ firstAt: AT });
    expect(effects[2]?.data).not.toHaveProperty('isNew');
  });

  test('comes before them where both are due, and after what waits for its thread', () => {
    const { take, effects, settle, fail, timer } = aRefusal();
    take(merged('threaded', 1));
    fail('channel-unauthorised');
    take(merged('next', 1));
    expect(keysOf(effects[2])).toEqual(['threaded', 'next']);
    expect(effects[2]?.data).not.toHaveProperty('isNew');
    fail('channel-unauthorised');
    expect(effects).toHaveLength(3);
    if (timer !== undefined) take(timer, LATER);
    expect(keysOf(effects[3])).toEqual(['threaded', 'next']);
    expect(effects[3]?.data).not.toHaveProperty('isNew');
    settle({ settled: ['threaded', 'next'] }, LATER);
    expect(keysOf(effects[4])).toEqual(['main']);
  });

  test('of another issue with the same thread does not overtake what waits for it', () => {
    const { take, effects, fail } = aRefusal();
    take(eventOf('k', joined(3)));
    take(merged('threaded', 1));
    fail('channel-unauthorised');
    take(merged('next', 3));
    expect(keysOf(effects[2])).toEqual(['threaded', 'next']);
  });

  test('leaves what was tried for another thread to its retry', () => {
    const { take, effects, fail } = aRefusal();
    const other = { ...thread, thread: '9.5' };
    take(eventOf('k', { kind: 'chat-joined', run: 'r', repository, number: 3, thread: other }));
    take(merged('threaded', 1));
    fail('channel-unauthorised');
    take(merged('next', 3));
    expect(keysOf(effects[2])).toEqual(['next']);
  });

  test('does not overtake what was refused together with them', () => {
    const { take, effects, settle, fail } = aStream();
    take(eventOf('j', joined(1)));
    take(merged('first', 2));
    take(merged('main', 2));
    take(merged('threaded', 1));
    settle({ settled: ['first'] });
    expect(keysOf(effects[1])).toEqual(['main', 'threaded']);
    const [timer] = fail('channel-unauthorised').events;
    take(merged('next', 1), AT + 60_000);
    expect(keysOf(effects[2])).toEqual(['threaded', 'next']);
    expect(effects[2]?.data).not.toHaveProperty('isNew');
    fail('channel-unauthorised');
    if (timer !== undefined) take(timer, LATER);
    expect(keysOf(effects[3])).toEqual(['threaded', 'next']);
  });

  test('that fails when their retry is due does not keep them from it', () => {
    const { take, effects, fail, queue, timer } = aRefusal();
    take(merged('threaded', 1));
    if (timer !== undefined) expect(take(timer, LATER).effects).toEqual([]);
    const failed = fail('channel-unauthorised', LATER);
    expect(failed.effects.map(keysOf)).toEqual([['main']]);
    expect(failed.events).toEqual([]);
    expect(queue()?.batch).toEqual(['main']);
    const [again] = fail('channel-unauthorised', LATER).events;
    expect([again?.data.kind, again?.delayMs]).toEqual(['timer', 15 * 60_000]);
    expect(effects).toHaveLength(3);
  });

  test('that fails for good keeps nothing else from the channel for announcements', () => {
    const { take, effects, settle, fail } = aStream();
    take(eventOf('j', joined(1)));
    take(merged('threaded', 1));
    const [timer] = fail('channel-unauthorised').events;
    expect(take(merged('main', 2)).effects.map(keysOf)).toEqual([['main']]);
    expect(settle({ settled: ['main'] }).effects).toEqual([]);
    if (timer !== undefined) take(timer, LATER);
    expect(keysOf(effects[2])).toEqual(['threaded']);
    const [again] = fail('channel-unauthorised', LATER).events;
    expect([again?.data.kind, again?.delayMs]).toEqual(['timer', 15 * 60_000]);
  });

  test('goes to it again, and not to a newer one of its issue', () => {
    const { take, effects, settle, fail, timer } = aRefusal();
    const other = { ...thread, thread: '9.5' };
    take(merged('threaded', 1));
    fail('channel-unauthorised');
    take(eventOf('k', { kind: 'chat-joined', run: 'r', repository, number: 1, thread: other }));
    take(merged('next', 1));
    expect(keysOf(effects[2])).toEqual(['next']);
    expect(effects[2]?.data).toMatchObject({ threads: { 'thread/7/1': other }, isNew: true });
    fail('channel-unauthorised');
    if (timer !== undefined) take(timer, LATER);
    expect(keysOf(effects[3])).toEqual(['threaded']);
    expect(effects[3]?.data).toMatchObject({ threads });
    settle({ settled: ['threaded'] }, LATER);
    expect(keysOf(effects[4])).toEqual(['next']);
    settle({ settled: ['next'] }, LATER);
    expect(keysOf(effects[5])).toEqual(['main']);
  });
});

describe('a message for a thread that refuses for a while', () => {
  const thread = { channel: 'slack', place: 'C9', thread: '9.0' } as const;
  const other = { ...thread, thread: '9.5' };
  const joined = (to: typeof thread | typeof other): Event =>
    eventOf(`j${to.thread}`, { kind: 'chat-joined', run: 'r', repository, number: 1, thread: to });
  const LATER = AT + 15 * 60_000;

  function aHeldMessage() {
    const stream = aStream();
    stream.take(joined(thread));
    stream.take(merged('threaded', 1));
    const [timer] = stream.settle({ settled: [] }).events;
    return { ...stream, timer };
  }

  test('is tried again after a while, and holds back no other', () => {
    const { take, effects, settle, timer } = aHeldMessage();
    expect(timer?.delayMs).toBe(15 * 60_000);
    take(merged('main', 2));
    expect(keysOf(effects[1])).toEqual(['main']);
    expect(settle({ settled: ['main'] }).effects).toEqual([]);
    if (timer !== undefined) take(timer, LATER);
    expect(keysOf(effects[2])).toEqual(['threaded']);
    expect(effects[2]?.data).not.toHaveProperty('isNew');
    const { events, effects: none } = settle({ settled: ['threaded'] }, LATER);
    expect([events, none]).toEqual([[], []]);
  });

  test('goes there before what is for a newer thread of its issue', () => {
    const { take, effects, settle, timer } = aHeldMessage();
    take(merged('first', 2));
    take(joined(other));
    take(merged('next', 1));
    if (timer !== undefined) take(timer, LATER);
    settle({ settled: ['first'] }, LATER);
    expect(keysOf(effects[2])).toEqual(['threaded']);
    expect(effects[2]?.data).toMatchObject({ threads: { 'thread/7/1': thread } });
    settle({ settled: ['threaded'] }, LATER);
    expect(keysOf(effects[3])).toEqual(['next']);
    expect(effects[3]?.data).toMatchObject({ threads: { 'thread/7/1': other } });
  });

  test('that is due while another is under way is tried once after it', () => {
    const { take, effects, settle, timer } = aHeldMessage();
    take(merged('main', 2));
    if (timer !== undefined) expect(take(timer, LATER).effects).toEqual([]);
    settle({ settled: ['main'] }, LATER);
    expect(keysOf(effects[2])).toEqual(['threaded']);
    const { events, effects: none } = settle({ settled: [] }, LATER);
    expect([events[0]?.delayMs, none]).toEqual([15 * 60_000, []]);
  });

  test('is dropped and counted where more than 200 wait for it', () => {
    const { take, queue, settle, fail } = aHeldMessage();
    take(merged('m0', 1));
    for (let at = 1; at < 201; at += 1) take(merged(`m${at}`, 1));
    settle({ settled: [] });
    expect(queue()?.dropped).toBe(0);
    fail('channel-unauthorised');
    take(merged('last', 2));
    expect(queue()?.dropped).toBe(2);
    expect(queue()?.waiting.map(({ key }) => key)).not.toContain('threaded');
  });

  test('is not among what is dropped when too much waits: it may have arrived', () => {
    const { take, queue } = aHeldMessage();
    for (let at = 0; at < 250; at += 1) take(merged(`m${at}`, at + 2));
    expect(queue()?.waiting.map(({ key }) => key)).toContain('threaded');
    expect(queue()?.dropped).toBe(49);
  });

  test('that an older version tried goes to the thread that it kept', () => {
    const { queue, take, effects, timer } = aHeldMessage();
    const kept = queue();
    if (kept !== undefined) {
      delete kept.triedIn;
      Object.assign(kept, { batch: ['threaded'], batchThreads: { 'thread/7/1': thread } });
    }
    take(joined(other));
    if (timer !== undefined) take(timer, LATER);
    expect(effects[1]?.data).toMatchObject({ threads: { 'thread/7/1': thread } });
    expect(queue()).not.toHaveProperty('batchThreads');
  });
});

test('what was refused is tried again for the same threads, so that its digest keeps its key', () => {
  const thread = { channel: 'slack', place: 'C9', thread: '9.0' } as const;
  const stream = aStream();
  for (const number of [1, 2]) stream.take(merged(`m${number}`, number));
  const [timer] = stream.fail('channel-archived').events;
  const joined = { kind: 'chat-joined', run: 'r', repository, number: 1, thread } as const;
  stream.take(eventOf('j', joined));
  if (timer !== undefined) stream.take(timer, AT + 15 * 60_000);
  expect(keysOf(stream.effects[1])).toEqual(['m1']);
  expect(stream.effects[1]?.data).toMatchObject({ threads: {} });
  stream.settle({ settled: ['m1'] });
  stream.take(merged('m3', 1));
  stream.settle({ settled: ['m2'] });
  expect(stream.effects[3]?.data).toMatchObject({ threads: { 'thread/7/1': thread } });
});

test('on Bluesky each announcement names the post before it', () => {
  const stream = aStream();
  const post = (message: string) =>
    ({ channel: 'bluesky', place: 'did:a', thread: 'at://1', message }) as const;
  const tell = (id: string, number: number): Decision => {
    const event = merged(id, number);
    if (event.data.kind === 'announced') event.data = { ...event.data, channels: ['bluesky'] };
    return stream.take(event);
  };
  tell('a', 1);
  expect(stream.effects[0]?.data).not.toHaveProperty('latest');
  stream.settle({ settled: ['a'], heads: { 'thread/7/1': post('at://1') } });
  tell('b', 2);
  stream.settle({ settled: ['b'], heads: { 'thread/7/2': post('at://2') } });
  tell('c', 1);
  expect(stream.effects[2]?.data).toMatchObject({ latest: post('at://2') });
  stream.settle({ settled: ['c'], heads: { 'thread/7/1': post('at://3') } });
  tell('d', 2);
  expect(stream.effects[3]?.data).toMatchObject({ latest: post('at://3') });
});

describe('in quiet hours', () => {
  test('what is left waits for their end', () => {
    const stream = aStream();
    stream.take(merged('a'));
    const { events } = stream.settle({ laterUntil: AT + 3_600_000 });
    expect(events[0]?.delayMs).toBe(3_600_000);
    stream.take(merged('b'));
    expect(stream.effects).toHaveLength(1);
  });

  test('what was held back counts as never sent: the oldest of too many are dropped, and the rest is new', () => {
    const stream = aStream();
    stream.take(merged('a'));
    const [timer] = stream.settle({ laterUntil: AT + 3_600_000, unsent: ['a'] }).events;
    for (let at = 0; at < 200; at += 1) stream.take(merged(`m${at}`, at + 2));
    expect(stream.queue()).toMatchObject({ dropped: 1, tried: [] });
    if (timer !== undefined) stream.take(timer, AT + 3_600_000);
    expect(stream.effects[1]?.data).toMatchObject({ isNew: true });
    expect(keysOf(stream.effects[1])).toHaveLength(200);
  });

  test('what was held back goes to the thread of its issue in the morning', () => {
    const stream = aStream();
    const joined = (thread: string): Event => {
      const to = { channel: 'slack', place: 'C9', thread } as const;
      return eventOf(thread, { kind: 'chat-joined', run: 'r', repository, number: 1, thread: to });
    };
    stream.take(joined('9.0'));
    stream.take(merged('a'));
    const [timer] = stream.settle({ laterUntil: AT + 3_600_000, unsent: ['a'] }).events;
    stream.take(joined('9.5'));
    if (timer !== undefined) stream.take(timer, AT + 3_600_000);
    expect(stream.effects[1]?.data).toMatchObject({ threads: { 'thread/7/1': { thread: '9.5' } } });
  });

  test('what somebody asks for just now does not wait', () => {
    const stream = aStream();
    stream.take(merged('a'));
    stream.settle({ laterUntil: AT + 3_600_000 });
    const asked = merged('b');
    if (asked.data.kind === 'announced') asked.data = { ...asked.data, isAsked: true };
    stream.take(asked);
    expect(keysOf(stream.effects[1])).toEqual(['a', 'b']);
  });
});

test('of more than 200 that wait, the oldest are dropped and counted, but none that is being sent', () => {
  const stream = aStream();
  stream.take(merged('first'));
  for (let at = 0; at < 250; at += 1) stream.take(merged(`m${at}`, at));
  expect(stream.queue()).toMatchObject({ dropped: 50, sending: stream.effects[0]?.id });
  expect(keysOf(stream.effects[0])).toEqual(['first']);
  // The effect began when nothing was dropped.
  stream.settle({ settled: ['first'], dropped: 0 });
  expect(stream.effects[1]?.data).toMatchObject({ dropped: 50 });
  expect(keysOf(stream.effects[1])).toEqual(Array.from({ length: 200 }, (_, at) => `m${at + 50}`));
  stream.take(merged('last'));
  stream.settle({ settled: keysOf(stream.effects[1]), dropped: 0 });
  expect(stream.effects[2]?.data).toMatchObject({ dropped: 0 });
});
