/**
 * What one channel announces: only what may be shown there now, once, in order, and nothing without
 * a count.
 */
import { describe, expect, test } from 'vitest';
import { announce } from '../../../src/act/channel/announce.ts';
import type { Announced } from '../../../src/domain/channel/announce/announcement.ts';
import type { Waiting } from '../../../src/domain/channel/announce/plan-delivery.ts';
import type { ChannelName } from '../../../src/domain/channel/chat-thread.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';
import type { DataOf } from '../../../src/act/effect-context.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../src/domain/plan/plan-digest.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aPlanBody, aTask } from '../../helpers/a-plan.ts';
import { aChannelWorld, NOW, REPOSITORY, type ChannelWorld } from './a-channel-world.ts';

const MERGED: Announced = { event: 'merged', task: 'Task 1' };
const HOUR = 3_600_000;

function waits(
  key: string,
  more: { number?: number; told?: Announced; at?: number } = {},
): Waiting {
  const { number, told = MERGED, at = NOW } = more;
  const subject = {
    repositoryId: 7,
    repository: 'old/name',
    isPrivate: true,
    url: 'https://old.example',
    ...(number !== undefined && { number }),
  };
  return { key, at, announcement: { ...told, subject } };
}

function announcing(waiting: readonly Waiting[]): DataOf<'announce'> {
  return {
    kind: 'announce',
    repository: REPOSITORY,
    channel: 'slack',
    waiting,
    dropped: 0,
    heads: {},
    threads: {},
  };
}

async function send(
  world: ChannelWorld,
  waiting: readonly Waiting[],
  more: Partial<Omit<DataOf<'announce'>, 'isNew'>> & { isNew?: boolean } = {},
) {
  const { isNew = false, ...over } = more;
  const data = { ...announcing(waiting), ...over, ...(isNew && { isNew: true as const }) };
  const { result, githubCalls } = await announce(data, world.context({ isNew }));
  expect(githubCalls).toEqual({ rest: 2 });
  return result;
}

describe('a plan that was asked for in a channel', () => {
  const PROPOSED: Announced = { event: 'plan-proposed', details: '' };
  const THREAD = { channel: 'slack', place: 'C123', thread: '1.0' } as const;
  const body = aPlanBody({ tasks: [aTask(1)] });
  const propose = async (
    change: (world: ChannelWorld) => void = () => undefined,
    more: Partial<Omit<DataOf<'announce'>, 'isNew'>> = { threads: { 'thread/7/3': THREAD } },
  ) => {
    const world = aChannelWorld();
    world.config.channels.slack.map = { C123: 'octo/shop' };
    world.issues[3] = { title: '[PLAN] Shop', body, isPull: false };
    change(world);
    const result = await send(world, [waits('a', { number: 3, told: PROPOSED })], more);
    return { result, asks: world.sent[0]?.asks };
  };

  test('is asked about there, by the digest of the text that is shown', async () => {
    const digest = planDigest(parsePlan(body));
    const { result, asks } = await propose();
    expect(asks).toEqual({ repositoryId: 7, number: 3, digest, places: ['C123'] });
    const chat = { channel: 'slack', place: 'C1', thread: 'a', message: 'a/ask' };
    expect(result).toMatchObject({ asked: { 'thread/7/3': { chat, digest } } });
  });

  test.each<[string, (world: ChannelWorld) => void]>([
    [
      'where the channel is for no repository',
      ({ config }) => void (config.channels.slack.map = {}),
    ],
    [
      'where channels are for other repositories',
      ({ config }) => void (config.channels.slack.map = { C123: 'octo/other' }),
    ],
    [
      'where the plan cannot be read',
      (world) =>
        void (world.issueFails = new RefusedError({ code: 'github-not-found', message: 'gone' })),
    ],
    [
      'where it has no tasks',
      ({ issues }) => void (issues[3] = { title: 'Plan', body: '', isPull: false }),
    ],
    [
      'where it has problems',
      ({ issues }) =>
        void (issues[3] = {
          title: 'Plan',
          body: aPlanBody({ tasks: [aTask(1), aTask(1)] }),
          isPull: false,
        }),
    ],
  ])('is not asked about %s', async (_, change) => {
    const { result, asks } = await propose(change);
    expect([asks, result.asked]).toEqual([undefined, undefined]);
  });

  test('is not asked about on a channel without buttons', async () => {
    const { asks } = await propose(undefined, { channel: 'bluesky' });
    expect(asks).toBeUndefined();
  });

  test('is asked about below its announcement where nobody asked in a thread', async () => {
    const map = { C123: 'octo/shop', C4: 'Octo/Shop', C5: 'octo/other' };
    const { asks } = await propose(({ config }) => void (config.channels.slack.map = map), {});
    expect(asks).toMatchObject({ number: 3, places: ['C123', 'C4'] });
  });
});

describe('a head that waits for approval', () => {
  const HEAD = 'ab12'.repeat(10);
  const WAITS: Announced = { event: 'needs-human', question: 'it waits', headSha: HEAD };
  const waitFor = async (change: (world: ChannelWorld) => void = () => undefined) => {
    const world = aChannelWorld();
    world.config.channels.slack.map = { C123: 'octo/shop' };
    world.issues[9] = { title: 'Task 1', body: '', isPull: true };
    world.heads[9] = { state: 'open', headSha: HEAD };
    change(world);
    const result = await send(world, [waits('a', { number: 9, told: WAITS })]);
    return { result, sent: world.sent };
  };

  test('is asked about where it is still the newest one', async () => {
    const { result, sent } = await waitFor();
    const asks = { repositoryId: 7, number: 9, digest: HEAD, of: 'head', places: ['C123'] };
    expect(sent[0]?.asks).toEqual(asks);
    expect(result.asked).toMatchObject({ 'thread/7/9': { digest: HEAD, of: 'head' } });
  });

  test('is announced without a button where the pull request is in no mapped channel', async () => {
    const { result, sent } = await waitFor(({ config }) => void (config.channels.slack.map = {}));
    expect([sent.length, sent[0]?.asks, result.asked]).toEqual([1, undefined, undefined]);
  });

  test.each<[string, (world: ChannelWorld) => void]>([
    ['has a newer one', ({ heads }) => void (heads[9] = { state: 'open', headSha: 'newer' })],
    ['is closed', ({ heads }) => void (heads[9] = { state: 'closed', headSha: HEAD })],
  ])(
    'is not announced where the pull request %s, and what was left out is still told',
    async (_, change) => {
      const world = aChannelWorld();
      world.issues[9] = { title: 'Task 1', body: '', isPull: true };
      change(world);
      const asked = waits('a', { number: 9, told: WAITS });
      const result = await send(world, [asked], { dropped: 3 });
      expect([world.sent, result.settled, result.dropped]).toEqual([[], ['a'], 3]);
    },
  );
});

describe('a head that waits no longer', () => {
  const answer = { headSha: 'ab12'.repeat(10), by: 'ana' };
  const over = waits('a', { number: 9, told: { event: 'head-settled', request: 'q', answer } });
  const place = { channel: 'slack', place: 'C123', thread: '1.0' } as const;
  const heads = { 'thread/7/9': { ...place, message: '1.0' } };
  const aPull = (): ChannelWorld => {
    const world = aChannelWorld();
    world.config.channels.slack.map = { C123: 'octo/shop' };
    world.issues[9] = { title: 'Task 1', body: '', isPull: true };
    return world;
  };

  test('is shown in the message that asked, without a button, also after the merge', async () => {
    const world = aPull();
    await send(world, [over], { heads });
    expect(world.sent).toMatchObject([{ head: heads['thread/7/9'], announcements: [{ answer }] }]);
    expect(world.sent[0]).not.toHaveProperty('asks');
    expect(world.sent[0]).not.toHaveProperty('as');
  });

  test('is shown there also where people talk below it, and not in their thread', async () => {
    const world = aPull();
    await send(world, [over], { heads, threads: { 'thread/7/9': place } });
    expect(world.sent).toMatchObject([{ head: heads['thread/7/9'] }]);
    expect(world.sent[0]).not.toHaveProperty('thread');
  });

  test('is no message where none asked', async () => {
    const world = aPull();
    const { settled } = await send(world, [over], { threads: { 'thread/7/9': place } });
    expect([world.sent, settled]).toEqual([[], ['a']]);
  });

  test('keeps the count of dropped messages for one that says it, and adds nothing to it', async () => {
    const world = aPull();
    const late = waits('b', { number: 9, told: over.announcement, at: NOW - 25 * HOUR });
    const result = await send(world, [late, over], { heads, dropped: 2 });
    expect(result).toMatchObject({ settled: ['b', 'a'], dropped: 2, heads: {} });
  });

  test('holds nothing back where its message cannot be changed any more', async () => {
    const world = aPull();
    world.refuses['a'] = new RefusedError({ code: 'channel-not-found', message: 'gone' });
    const result = await send(world, [over, waits('b')], { heads });
    expect([keysOf(world), result.settled]).toEqual([['b'], ['a', 'b']]);
    expect(result).not.toHaveProperty('isRefused');
  });
});

const keysOf = ({ sent }: ChannelWorld): string[] => sent.map(({ key }) => key);

describe('what is shown', () => {
  test('is of the repository as GitHub has it now, with the title of the thread', async () => {
    const world = aChannelWorld();
    world.issues[3] = { title: 'Lost discount', body: '', isPull: false };
    world.issues[9] = { title: 'Keep it', body: '', isPull: true };
    await send(world, [waits('a', { number: 3 }), waits('b', { number: 9 }), waits('c')]);
    expect(world.sent.map(({ announcements: [{ subject }] }) => subject)).toEqual([
      expect.objectContaining({
        repository: 'octo/shop',
        isPrivate: false,
        title: 'Lost discount',
        url: 'https://github.com/octo/shop/issues/3',
      }),
      expect.objectContaining({ title: 'Keep it', url: 'https://github.com/octo/shop/pull/9' }),
      expect.objectContaining({ url: 'https://github.com/octo/shop' }),
    ]);
    expect(world.sent[0]).toMatchObject({
      key: 'a',
      at: new Date(NOW).toISOString(),
      isPrivate: false,
      dropped: 0,
      place: '#team',
    });
  });

  test('is said by the persona that did the task, where the plan still has it', async () => {
    const world = aChannelWorld();
    world.personas = [aPersona({ handle: 'dev', name: 'Dev' })];
    world.issues[3] = { title: 'Plan', body: aPlanBody(), isPull: false };
    const speaks = { phrase: 'complete', persona: 'dev', task: 2 } as const;
    const told: Announced = { event: 'merged', task: 'Task 2', speaks };
    await send(world, [waits('a', { number: 3, told }), waits('b', { told })]);
    expect(world.sent.map(({ announcements: [{ said }] }) => said)).toEqual([
      { by: 'Dev', text: 'Task 2 is done: https://github.com/octo/shop/issues/3' },
      undefined,
    ]);
  });

  test('is posted under the name of the persona that did it; a digest is not', async () => {
    const world = aChannelWorld();
    const avatar = 'https://example.com/carlos.png';
    world.personas = [aPersona({ handle: 'carlos', name: 'Carlos', lead: true, avatar })];
    const told: Announced = { event: 'verdict', verdict: 'ready', details: '' };
    await send(world, [waits('a', { number: 3, told }), waits('b', { number: 4 })]);
    expect(world.sent.map(({ as }) => as)).toEqual([
      { name: 'Carlos', role: 'Reviewer', avatarUrl: avatar },
      undefined,
    ]);
    const many = ['c', 'd', 'e', 'f', 'g'].map((key, n) => waits(key, { number: n + 1, told }));
    await send(world, many);
    expect(world.sent.slice(2)).toMatchObject([{ isDigest: true }]);
    expect(world.sent[2]).not.toHaveProperty('as');
  });

  test('leads to the server that the repository is on', async () => {
    const world = aChannelWorld();
    world.facts.host = 'git.example.com';
    await send(world, [waits('a')]);
    expect(world.sent[0]?.announcements[0].subject.url).toBe('https://git.example.com/octo/shop');
  });

  test('of a plan that waits is its tasks; where its text has none, nothing more', async () => {
    const world = aChannelWorld();
    const told: Announced = { event: 'plan-proposed', details: 'old' };
    world.issues[3] = {
      title: 'Plan',
      body: aPlanBody({ tasks: [aTask(1), aTask(2)] }),
      isPull: false,
    };
    await send(world, [waits('a', { number: 3, told }), waits('b', { number: 4, told })]);
    const [plan, none] = world.sent.map(({ announcements: [first] }) => first);
    expect(plan).toMatchObject({ tasks: 2, details: expect.stringMatching(/^1\. .+\n2\. .+$/) });
    expect(none).toMatchObject({ details: '' });
    expect(none).not.toHaveProperty('tasks');
  });

  test('of a thread that is gone has no title, and is announced all the same', async () => {
    const world = aChannelWorld();
    world.issueFails = new RefusedError({ code: 'github-not-found', message: 'gone' });
    await send(world, [waits('a', { number: 3 })]);
    expect(world.sent[0]?.announcements[0].subject).not.toHaveProperty('title');
    world.issueFails = new TransientError({ code: 'github-unavailable', message: 'later' });
    await expect(send(world, [waits('b', { number: 3 })])).rejects.toBe(world.issueFails);
    expect(keysOf(world)).toEqual(['a']);
  });
});

describe('nothing is sent', () => {
  test.each<[string, ChannelName, (world: ChannelWorld) => void]>([
    ['where the channel is off', 'slack', (world) => void (world.open = [])],
    ['where Quorum is off', 'slack', ({ config }) => void (config.enabled = false)],
    ['where no place is named', 'slack', ({ config }) => void delete config.channels.slack.channel],
    [
      'of an event that the channel does not list',
      'slack',
      ({ config }) => void (config.channels.slack.events = ['verdict']),
    ],
    ['of what is private, in public', 'bluesky', ({ facts }) => void (facts.isPrivate = true)],
  ])('%s, and what waited is settled', async (_, channel, change) => {
    const world = aChannelWorld();
    change(world);
    const result = await send(world, [waits('a'), waits('b')], { channel });
    expect(result).toEqual({ settled: ['a', 'b'], dropped: 0, heads: {} });
    expect(world.sent).toEqual([]);
  });

  test('what is private is announced where only the team reads', async () => {
    const world = aChannelWorld();
    world.facts.isPrivate = true;
    await send(world, [waits('a')]);
    expect(world.sent).toMatchObject([{ key: 'a', isPrivate: true }]);
  });

  test('a repository that turns private meanwhile is left to the channel, which refuses it uncounted', async () => {
    const world = aChannelWorld();
    world.onRead = () => void (world.facts = { ...world.facts, isPrivate: world.sent.length > 0 });
    world.refuses['b'] = new RefusedError({ code: 'channel-private', message: 'no' });
    const all = [waits('a', { number: 1 }), waits('b', { number: 2 })];
    const result = await send(world, all, { channel: 'bluesky' });
    expect(keysOf(world)).toEqual(['a']);
    expect(result).toMatchObject({ settled: ['a', 'b'], dropped: 0 });
    expect(Object.keys(result.heads)).toEqual(['thread/7/1']);
  });
});

describe('what the service refuses', () => {
  const invalid = new RefusedError({ code: 'channel-invalid', message: 'too odd' });

  test('is counted, and the next message tells how many', async () => {
    const world = aChannelWorld();
    world.refuses['a'] = invalid;
    const all = [waits('a', { number: 1 }), waits('b', { number: 2 }), waits('c', { number: 3 })];
    const result = await send(world, all, { dropped: 4 });
    expect(world.sent.map(({ key, dropped }) => [key, dropped])).toEqual([
      ['b', 5],
      ['c', 0],
    ]);
    expect(result).toMatchObject({ settled: ['a', 'b', 'c'], dropped: 0 });
  });

  test('of a whole digest counts each of it', async () => {
    const world = aChannelWorld();
    world.refuses.digest = invalid;
    const all = ['a', 'b', 'c', 'd', 'e'].map((key, n) => waits(key, { number: n + 1 }));
    expect(await send(world, all)).toMatchObject({ dropped: 5, heads: {} });
  });

  test.each([
    new RefusedError({ code: 'channel-not-found', message: 'no' }),
    new RefusedError({ code: 'channel-owner-unknown', message: 'no' }),
    new TransientError({ code: 'channel-unavailable', message: 'later' }),
    new Error('a fault'),
  ])('for any other reason it ends the effect: %s', async (error) => {
    const world = aChannelWorld();
    world.refuses['a'] = error;
    await expect(send(world, [waits('a')])).rejects.toBe(error);
  });
});

describe('messages', () => {
  test('of one subject share a thread: the first is its head, unless it was asked for in one', async () => {
    const world = aChannelWorld();
    const head = { channel: 'slack', place: 'C1', thread: 'h', message: 'h' } as const;
    const thread = { channel: 'slack', place: 'C1', thread: 't' } as const;
    const all = [waits('a', { number: 1 }), waits('b', { number: 2 }), waits('c', { number: 3 })];
    const result = await send(world, all, {
      heads: { 'thread/7/1': head },
      threads: { 'thread/7/2': thread },
    });
    expect(world.sent[0]).toMatchObject({ head });
    expect(world.sent[1]).toMatchObject({ thread });
    expect(world.sent[2]).not.toHaveProperty('head');
    expect(world.sent[2]).not.toHaveProperty('thread');
    expect(result.heads).toEqual({
      'thread/7/1': expect.objectContaining({ message: 'a' }),
      'thread/7/3': expect.objectContaining({ message: 'c' }),
    });
  });

  test('that nothing may be hidden by know the head that was just sent', async () => {
    const world = aChannelWorld();
    const told: Announced = { event: 'failed', reason: 'red' };
    const all = [waits('a', { number: 1, told }), waits('b', { number: 1, told })];
    await send(world, all);
    expect(world.sent[1]).toMatchObject({ key: 'b', head: { message: 'a' } });
  });

  test('of a burst are one digest, which is no head of any thread', async () => {
    const world = aChannelWorld();
    const all = ['a', 'b', 'c', 'd', 'e'].map((key, n) => waits(key, { number: n + 1 }));
    const result = await send(world, all);
    expect(world.sent.map(({ announcements }) => announcements.length)).toEqual([5]);
    expect(result.heads).toEqual({});
  });

  test('of a digest are found as a whole: neither its first one nor a smaller digest is taken for it', async () => {
    const world = aChannelWorld();
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((key, n) => waits(key, { number: n + 1 }));
    for (const some of [all, all, all.slice(0, 5), all.slice(0, 1)]) await send(world, some);
    const [whole, again, ...others] = world.sent.map(({ key }) => key);
    expect(again).toBe(whole);
    expect(new Set([whole, ...others]).size).toBe(3);
  });

  test.each([6, 5])(
    'of a digest are found as a whole after the oldest of %j is a day old',
    async (count) => {
      const world = aChannelWorld();
      const day = 24 * HOUR;
      const all = Array.from({ length: count }, (_, n) =>
        waits(`k${n}`, { number: n + 1, at: NOW - day + n * HOUR }),
      );
      await send(world, all, { isNew: true });
      world.now += HOUR / 2;
      const result = await send(world, all);
      expect(world.sent.map(({ announcements }) => announcements.length)).toEqual([
        count,
        count - 1,
      ]);
      const [first, again] = world.sent.map(({ key, at }) => ({ key, at }));
      expect(again).toEqual(first);
      expect(result.settled).toHaveLength(count);
    },
  );

  test('of a digest at night are not taken for those of the morning: what waited for its end is sent', async () => {
    const world = aChannelWorld();
    world.config.quietHours = { enabled: true, from: 8, to: 18, timeZone: 'UTC' };
    const all = Array.from({ length: 7 }, (_, n) => waits(`k${n}`, { number: n + 1 }));
    const asked = all.slice(0, 5).map((each): Waiting => {
      return { ...each, announcement: { ...each.announcement, isAsked: true } };
    });
    const batch = [...asked, ...all.slice(5)];
    expect((await send(world, batch)).settled).toHaveLength(5);
    world.now = Date.parse('2026-06-01T18:30:00Z');
    expect((await send(world, batch)).settled).toHaveLength(7);
    expect(world.sent.map(({ announcements }) => announcements.length)).toEqual([5, 7]);
    expect(new Set(keysOf(world)).size).toBe(2);
  });

  test('of a digest at night are found in the morning when its answer was lost: the others follow by themselves', async () => {
    const world = aChannelWorld();
    world.config.quietHours = { enabled: true, from: 8, to: 18, timeZone: 'UTC' };
    const all = Array.from({ length: 7 }, (_, n) => waits(`k${n}`, { number: n + 1 }));
    const batch = all.map((each, n): Waiting => {
      return n > 4 ? each : { ...each, announcement: { ...each.announcement, isAsked: true } };
    });
    await send(world, batch, { isNew: true, firstAt: NOW });
    world.now = Date.parse('2026-06-01T18:30:00Z');
    const again = await send(world, batch, { firstAt: NOW });
    expect(world.sent.map(({ announcements }) => announcements.length)).toEqual([5, 5]);
    expect(new Set(keysOf(world)).size).toBe(1);
    expect(again).toMatchObject({
      settled: ['k0', 'k1', 'k2', 'k3', 'k4'],
      laterUntil: world.now,
    });
  });

  test('of a digest in the evening are found at night: what nobody asked for waits', async () => {
    const world = aChannelWorld();
    world.config.quietHours = { enabled: true, from: 10, to: 18, timeZone: 'UTC' };
    const all = Array.from({ length: 7 }, (_, n) => waits(`k${n}`, { number: n + 1 }));
    const batch = all.map((each, n): Waiting => {
      return n > 2 ? each : { ...each, announcement: { ...each.announcement, isAsked: true } };
    });
    await send(world, batch, { isNew: true, firstAt: NOW });
    world.now += 2 * HOUR;
    const again = await send(world, batch, { firstAt: NOW });
    expect(world.sent.map(({ announcements }) => announcements.length)).toEqual([7, 3]);
    expect(new Set(keysOf(world)).size).toBe(1);
    expect(again.settled).toEqual(['k0', 'k1', 'k2']);
  });

  test('of a digest are found as a whole when one of them is left, which is no head of its thread', async () => {
    const world = aChannelWorld();
    const day = 24 * HOUR;
    const all = Array.from({ length: 5 }, (_, n) =>
      waits(`k${n}`, { number: n + 1, at: n < 4 ? NOW - day : NOW }),
    );
    await send(world, all, { isNew: true });
    world.now += HOUR;
    const result = await send(world, all);
    expect(world.sent.map(({ announcements }) => announcements.length)).toEqual([5, 1]);
    expect(world.sent.map(({ isDigest }) => isDigest)).toEqual([true, true]);
    expect(new Set(keysOf(world)).size).toBe(1);
    expect(result.heads).toEqual({});
  });

  test('that are few beside those of days ago are sent each by itself, also when they are tried again', async () => {
    const world = aChannelWorld();
    const old = Array.from({ length: 4 }, (_, n) =>
      waits(`old${n}`, { number: n + 1, at: NOW - 25 * HOUR }),
    );
    const batch = [...old, waits('a', { number: 8 }), waits('b', { number: 9 })];
    await send(world, batch, { isNew: true });
    world.now += HOUR;
    const data = { ...announcing(batch), isNew: true as const };
    await announce(data, world.context({ isNew: false }));
    expect(keysOf(world)).toEqual(['a', 'b', 'a', 'b']);
  });

  test.each([true, false])('say whether they can be there already: new %s', async (isNew) => {
    const world = aChannelWorld();
    await send(world, [waits('a')], { isNew });
    expect(world.sent[0]?.isNew).toBe(isNew ? true : undefined);
  });

  test('older than a day are never sent, and are counted', async () => {
    const world = aChannelWorld();
    const all = [waits('a', { number: 1, at: NOW - 25 * HOUR }), waits('b', { number: 2 })];
    const result = await send(world, all);
    expect(world.sent).toMatchObject([{ key: 'b', dropped: 1 }]);
    expect(result).toMatchObject({ settled: ['a', 'b'], dropped: 0 });
  });

  test('wait for the end of quiet hours, and are not settled before', async () => {
    const world = aChannelWorld();
    world.config.quietHours = { enabled: true, from: 8, to: 18, timeZone: 'UTC' };
    const result = await send(world, [waits('a')]);
    expect(result).toMatchObject({
      settled: [],
      dropped: 0,
      laterUntil: Date.parse('2026-06-01T18:00:00Z'),
    });
    expect(world.sent).toEqual([]);
  });

  test.each([
    ['in the first attempt, cannot be there', { isNew: true as const }, { isNew: true }],
    ['of an effect that is tried again, may be there', { isNew: true as const }, { isNew: false }],
    ['after another effect, may be there', {}, { isNew: true }],
  ])('that quiet hours hold back %s', async (name, effect, attempt) => {
    const world = aChannelWorld();
    world.config.quietHours = { enabled: true, from: 8, to: 18, timeZone: 'UTC' };
    const data = { ...announcing([waits('a')]), ...effect };
    const { result } = await announce(data, world.context(attempt));
    expect(result.unsent).toEqual(name.endsWith('cannot be there') ? ['a'] : undefined);
  });
});
