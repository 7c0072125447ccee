/** When announcements are sent, where, and what becomes of those that wait too long. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Announced } from '../../../src/domain/channel/announce/announcement.ts';
import {
  planDelivery,
  STALE_MS,
  type Waiting,
} from '../../../src/domain/channel/announce/plan-delivery.ts';
import {
  isQuietHour,
  endOfQuiet,
  type QuietHours,
} from '../../../src/domain/channel/announce/quiet-hours.ts';
import { routeAnnouncement } from '../../../src/domain/channel/announce/route-announcement.ts';
import {
  describeAnnouncement,
  describeDigest,
} from '../../../src/domain/channel/announce/describe-announcement.ts';
import { toSlackDigest } from '../../../src/domain/channel/slack/slack-announcement.ts';
import { ChannelsConfig } from '../../../src/domain/config/config-limits.ts';
import { ChannelEvent } from '../../../src/domain/config/config-limits.ts';
import { anAnnouncement } from './some-announcement.ts';
import { verifies } from '../../verifies.ts';

const HOURS: QuietHours = { enabled: true, from: 23, to: 7, timeZone: 'Europe/Madrid' };
const at = (time: string): number => Date.parse(time);
const NOON = at('2026-06-01T10:00:00Z');
const NIGHT = at('2026-06-01T22:30:00Z');

function waits(number: number, announced?: Announced, more: Partial<Waiting> = {}): Waiting {
  const announcement = anAnnouncement(announced, { number });
  return {
    key: `${number}-${announcement.event}-${more.at ?? NOON}`,
    at: NOON,
    announcement,
    ...more,
  };
}
const plan = (waiting: Waiting[], now = NOON) => planDelivery(waiting, { now, quietHours: HOURS });
const keys = (waiting: readonly Waiting[]) => waiting.map(({ key }) => key);

describe('quiet hours', () => {
  test.each([
    ['2026-06-01T20:59:00Z', false],
    ['2026-06-01T21:00:00Z', true],
    ['2026-06-02T04:59:00Z', true],
    ['2026-06-02T05:00:00Z', false],
    ['2026-12-01T22:30:00Z', true],
  ])('at %s in Madrid: quiet is %s', (time, expected) => {
    expect(isQuietHour(at(time), HOURS)).toBe(expected);
  });

  test('they end at the hour of the zone, also when the clocks change in that night', () => {
    expect(endOfQuiet(NIGHT, HOURS)).toBe(at('2026-06-02T05:00:00Z'));
    expect(endOfQuiet(at('2026-10-24T22:10:00Z'), HOURS)).toBe(at('2026-10-25T06:00:00Z'));
    expect(endOfQuiet(NOON, HOURS)).toBe(NOON);
  });

  test('equal hours and a switch that is off are never quiet', () => {
    expect(isQuietHour(NIGHT, { ...HOURS, enabled: false })).toBe(false);
    expect(isQuietHour(NIGHT, { ...HOURS, from: 3, to: 3 })).toBe(false);
  });

  test('the end is never before now, and not quiet', () => {
    const hours = fc.record({
      enabled: fc.constant(true),
      from: fc.integer({ min: 0, max: 23 }),
      to: fc.integer({ min: 0, max: 23 }),
      timeZone: fc.constantFrom('UTC', 'Europe/Madrid', 'Asia/Kathmandu', 'America/St_Johns'),
    });
    fc.assert(
      fc.property(hours, fc.integer({ min: 0, max: at('2100-01-01') }), (setting, now) => {
        const until = endOfQuiet(now, setting);
        expect(until).toBeGreaterThanOrEqual(now);
        expect(isQuietHour(until, setting)).toBe(false);
      }),
    );
  });

  test('hold back what nobody asked for', () => {
    const asked = { ...waits(1), announcement: anAnnouncement(undefined, { isAsked: true }) };
    const found = plan([asked, waits(2, undefined, { at: NIGHT })], NIGHT);
    expect(keys(found.single)).toEqual([asked.key]);
    expect(found.later.map((each) => each.announcement.subject.number)).toEqual([2]);
    expect(found.laterUntil).toBe(at('2026-06-02T05:00:00Z'));
  });
});

function task(number: number, event: 'merged' | 'task-claimed'): Announced {
  const speaks = { phrase: 'claim', task: number } as const;
  const name = `Task ${number}`;
  return event === 'merged'
    ? { event, task: name, speaks }
    : { event, task: name, by: 'Omar', speaks };
}

describe('a queue', () => {
  test('of a few is sent one by one, oldest first', () => {
    const [a, b] = [waits(1, undefined, { at: NOON - 5 }), waits(2, undefined, { at: NOON - 9 })];
    expect(keys(plan([a, b]).single)).toEqual([b.key, a.key]);
  });

  test('of one subject is its newest state, and what people must see', () => {
    const first = waits(1, { event: 'plan-proposed', tasks: 2, details: '' }, { at: NOON - 9 });
    const asks = waits(1, { event: 'needs-human', question: 'Which?' }, { at: NOON - 8 });
    const last = waits(1, { event: 'plan-approved', by: 'ann' }, { at: NOON - 7 });
    const found = plan([first, last, asks]);
    expect(keys(found.single)).toEqual([asks.key, last.key]);
    expect(keys(found.collapsed)).toEqual([first.key]);
  });

  test.each<Announced>([
    { event: 'needs-human', question: 'it waits for an approval' },
    { event: 'standup', date: '2026-06-01', details: '' },
    { event: 'weekly', week: '2026-W23', details: '' },
  ])('tells the newest state of a subject even if a $event came after it', (beside) => {
    const started = waits(1, { event: 'plan-approved', by: 'ann' }, { at: NOON - 9 });
    const state = waits(1, { event: 'merged' }, { at: NOON - 8 });
    const newer = waits(1, beside, { at: NOON - 7 });
    const found = plan([started, state, newer]);
    expect(keys(found.single)).toEqual([state.key, newer.key]);
    expect(keys(found.collapsed)).toEqual([started.key]);
  });

  test.each<[string, Announced, Announced]>([
    ['a task', task(1, 'merged'), task(2, 'task-claimed')],
    ['a plan', { event: 'plan-approved', by: 'ann' }, task(1, 'task-claimed')],
    [
      'a verdict',
      { event: 'verdict', verdict: 'accept', details: '' },
      { event: 'run-started', run: 'look into the failed build', personas: [] },
    ],
    [
      'a plan that waits',
      { event: 'plan-proposed', details: '' },
      { event: 'verdict', verdict: 'accept', details: '' },
    ],
  ])('does not lose %s to news of the same thread that are about something else', (_, ...both) => {
    const all = both.map((each, order) => waits(1, each, { at: NOON - 9 + order }));
    expect(keys(plan(all).single)).toEqual(keys(all));
  });

  test.each<[string, Announced, Announced]>([
    ['task', task(1, 'task-claimed'), task(1, 'merged')],
    [
      'run',
      { event: 'run-started', run: 'review', personas: [] },
      { event: 'verdict', verdict: 'accept', details: '' },
    ],
  ])('tells the newest state of one %s', (_, ...both) => {
    const all = both.map((each, order) => waits(1, each, { at: NOON - 9 + order }));
    expect(keys(plan(all).single)).toEqual(keys(all.slice(1)));
  });

  verifies('OUT-05: many become a digest', 'of many is one digest', () => {
    const found = plan([1, 2, 3, 4, 5].map((number) => waits(number)));
    expect(found.single).toEqual([]);
    expect(found.digest).toHaveLength(5);
    const text = toSlackDigest(
      found.digest.map(({ announcement }) => announcement),
      2,
    );
    expect(text).toContain('*5 updates:*');
    expect(text.match(/octo\/shop#\d/g)).toHaveLength(5);
    expect(text).toContain('2 older messages were dropped');
  });

  test('of many leaves what people can approve in messages of their own, which have buttons', () => {
    const plans = waits(6, { event: 'plan-proposed', details: '' });
    const head = waits(7, { event: 'needs-human', question: 'it waits', headSha: 'a'.repeat(40) });
    const question = waits(8, { event: 'needs-human', question: 'Which?' });
    const many = [1, 2, 3, 4].map((number) => waits(number));
    const found = plan([...many, plans, head, question]);
    expect(keys(found.single)).toEqual(keys([plans, head]));
    expect(keys(found.digest)).toEqual(keys([...many, question]));
    expect(plan([...many, plans, head]).digest).toEqual([]);
  });

  test('of few beside many too old ones is no burst, unless those may have been in a digest before', () => {
    const old = [1, 2, 3, 4].map((number) => waits(number, undefined, { at: NOON - STALE_MS - 1 }));
    const fresh = [waits(5), waits(6)];
    const context = { now: NOON, quietHours: HOURS };
    const first = planDelivery([...old, ...fresh], { ...context, firstTriedAt: NOON });
    expect([keys(first.single), keys(first.digest)]).toEqual([keys(fresh), []]);
    for (const more of [{}, { firstTriedAt: NOON - 1 }]) {
      const again = planDelivery([...old, ...fresh], { ...context, ...more });
      expect([keys(again.single), keys(again.digest)]).toEqual([[], keys(fresh)]);
      expect(keys(again.burst)).toEqual(keys([...old, ...fresh]));
    }
  });

  verifies(
    'OUT-07: what waited for too long',
    'loses what waited longer than a day, and counts it',
    () => {
      const old = waits(1, undefined, { at: NOON - STALE_MS - 1 });
      const young = waits(2, undefined, { at: NOON - STALE_MS });
      const found = plan([old, young]);
      expect([keys(found.dropped), keys(found.single)]).toEqual([[old.key], [young.key]]);
    },
  );

  test('puts each into exactly one of the lists', () => {
    const some = fc.record({
      number: fc.nat(4),
      age: fc.nat(2 * STALE_MS),
      isAsked: fc.boolean(),
      asks: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 30 }), fc.nat(STALE_MS), (list, shift) => {
        const now = NOON + shift;
        const waiting = list.map(({ number, age, isAsked, asks }, place): Waiting => {
          const announced: Announced = asks
            ? { event: 'failed', reason: 'x' }
            : { event: 'merged' };
          const more = { number, ...(isAsked && { isAsked: true as const }) };
          return {
            key: String(place),
            at: now - age,
            announcement: anAnnouncement(announced, more),
          };
        });
        const { single, digest, dropped, collapsed, later } = plan(waiting, now);
        const all = keys([...single, ...digest, ...dropped, ...collapsed, ...later]);
        expect(all.toSorted()).toEqual(keys(waiting).toSorted());
      }),
    );
  });
});

describe('a route', () => {
  const config = ChannelsConfig.parse({ slack: { channel: 'C1' } });
  const route = (announced: Announced, more: { isPrivate?: boolean; now?: boolean } = {}) =>
    routeAnnouncement(anAnnouncement(announced, { isPrivate: more.isPrivate ?? false }), {
      config,
      available: ['slack', 'bluesky'],
      isPrivate: more.now ?? false,
    });

  test('goes by the lists of the configuration', () => {
    expect(route({ event: 'merged' })).toEqual(['slack', 'bluesky']);
    expect(route({ event: 'failed', reason: 'x' })).toEqual(['slack']);
    expect(route({ event: 'run-started', run: 'review', personas: [] })).toEqual([]);
    expect(route({ event: 'need-settled', request: 'a', question: 'x' })).toEqual(
      route({ event: 'needs-human', question: 'x' }),
    );
  });

  verifies(
    'OUT-04: private then or now',
    'never leads a private repository to a public channel, whether it was private then or is now',
    () => {
      expect(route({ event: 'merged' }, { isPrivate: true })).toEqual(['slack']);
      expect(route({ event: 'merged' }, { now: true })).toEqual(['slack']);
    },
  );

  test('needs a channel of Slack', () => {
    const none = {
      config: ChannelsConfig.parse({}),
      available: ['slack'] as const,
      isPrivate: false,
    };
    expect(routeAnnouncement(anAnnouncement({ event: 'merged' }), none)).toEqual([]);
  });
});

const ALL: Announced[] = [
  { event: 'run-started', run: 'discussion', personas: ['Maya', 'Omar'] },
  { event: 'verdict', verdict: 'accept', details: 'x' },
  { event: 'plan-proposed', tasks: 1, details: '' },
  { event: 'plan-approved', by: 'ann' },
  { event: 'plan-complete', tasks: 3 },
  { event: 'task-claimed', task: 'Add a test', by: 'Omar' },
  { event: 'task-released', task: 'Add a test', reason: 'the lease was lost' },
  { event: 'pr-opened', task: 'Add a test', by: 'Omar' },
  { event: 'merged', by: 'ann' },
  { event: 'failed', task: 'Add a test', reason: 'tests fail' },
  { event: 'standup', date: '2026-06-01', details: 'x' },
  { event: 'weekly', week: '2026-W23', details: 'x' },
  { event: 'needs-human', question: 'Which one?' },
];

test('every event has its own line', () => {
  expect(ALL.map(({ event }) => event).toSorted()).toEqual([...ChannelEvent.options].toSorted());
  const lines = ALL.map((each) => describeAnnouncement(anAnnouncement(each)).card.text);
  expect(new Set(lines).size).toBe(ALL.length);
  expect(lines).toMatchSnapshot();
});

test('a digest shows so many lines and counts the others', () => {
  const many = Array.from({ length: 20 }, (_, number) =>
    anAnnouncement({ event: 'merged' }, { number }),
  );
  const text = describeDigest(many, 0).map((block) =>
    block.kind === 'text' ? block.spans.map((span) => span.text).join('') : '',
  );
  expect(text).toHaveLength(17);
  expect(text.at(-1)).toBe('5 more in GitHub. ');
});
