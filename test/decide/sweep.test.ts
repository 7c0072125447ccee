/** The reconcile pass: since when it looks, for what, and what becomes of an installation that fails. */
import { describe, expect, test } from 'vitest';
import { decideTick } from '../../src/decide/decide-tick.ts';
import type { Effect } from '../../src/domain/event/effect.ts';
import type { Event, NewEvent } from '../../src/domain/event/event.ts';
import type { EffectResults } from '../../src/domain/event/result.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-11-23T10:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

function tick(now: number): Event {
  const trigger = { kind: 'tick', loop: 'reconcile' } as const;
  const data = { kind: 'trigger', trigger } as const;
  return { id: `tick:${now}`, key: 'tick:reconcile', version: 1, at: iso(now), data };
}

type Pass = Extract<Effect['data'], { kind: 'reconcile' }>;

function passOf(effect: Effect | undefined): Pass {
  if (effect?.data.kind !== 'reconcile') throw new Error('no pass began');
  return effect.data;
}

function done(effect: Effect, over: Partial<EffectResults['reconcile']> = {}): Event {
  const result = { redelivered: 0, started: 0, ...over };
  const { id: effectId, run, key } = effect;
  const data = { kind: 'done', effectKind: 'reconcile', result, effectId, run } as const;
  return { id: `${effectId}:done`, key, version: 1, at: effect.at, data };
}

function failed(effect: Effect): Event {
  const { id: effectId, run, key } = effect;
  const failure = { code: 'github-forbidden', message: 'no', retryable: false } as const;
  const data = { kind: 'failed', effectKind: 'reconcile', failure, effectId, run } as const;
  return { id: `${effectId}:failed`, key, version: 1, at: effect.at, data };
}

function begin(before: unknown, now: number) {
  const { state, effects } = decideTick(before, tick(now), { now });
  const [deliveries, listing] = effects;
  if (deliveries === undefined || listing === undefined) throw new Error('no pass began');
  return { state, deliveries, listing, foundSince: passOf(listing).foundSince };
}

/** One pass of the App that ends well at once: since when it looked, its ticks, and the state after it. */
function pass(before: unknown, now: number, installations = [7]) {
  const begun = begin(before, now);
  const asked = decideTick(begun.state, done(begun.deliveries), { now });
  const { state, events } = decideTick(asked.state, done(begun.listing, { installations }), {
    now,
  });
  return { ...begun, state, ticks: events };
}

/** One pass of an installation. */
function look(
  before: unknown,
  event: NewEvent | undefined,
  { now, ...result }: { now: number } & Partial<EffectResults['reconcile']>,
) {
  if (event === undefined) throw new Error('no tick');
  const begun = decideTick(before, event, { now });
  const [effect] = begun.effects;
  const data = passOf(effect);
  if (effect === undefined) throw new Error('no pass began');
  return { effect, data, state: decideTick(begun.state, done(effect, result), { now }).state };
}

test('looks for nothing that happened before the first pass', () => {
  const first = pass(undefined, START);
  expect(first.foundSince).toBe(iso(START));
  const second = pass(first.state, START + 5 * MINUTE);
  expect(second.foundSince).toBe(iso(START));
});

test('looks an hour back behind the last pass that ended well, and three days at most', () => {
  const first = pass(undefined, START);
  const second = pass(first.state, START + 6 * HOUR);
  expect(second.foundSince).toBe(iso(START));
  const third = pass(second.state, START + 7 * HOUR);
  expect(third.foundSince).toBe(iso(START + 5 * HOUR));
  const late = pass(third.state, START + 24 * 10 * HOUR);
  expect(late.foundSince).toBe(iso(START + 24 * 7 * HOUR));
});

test('goes on from the last pass of a version that looked for labels only', () => {
  const { foundSince } = pass({ v: 1, doneSince: iso(START) }, START + 5 * MINUTE);
  expect(foundSince).toBe(iso(START));
});

test('takes the end of a pass that an older version wanted as one whole', () => {
  const now = START + HOUR;
  const run = `reconcile:${iso(now)}:abc`;
  const data = { kind: 'reconcile', since: iso(START) } as const;
  const older: Effect = {
    id: `${run}/1-reconcile`,
    key: 'tick:reconcile',
    run,
    at: iso(now),
    data,
  };
  const { state } = decideTick({ v: 1, running: run }, done(older), { now });
  expect(state).toEqual({ v: 1, doneSince: iso(now) });
});

test('begins again while GitHub does not list deliveries', () => {
  const now = START;
  const first = begin(undefined, now);
  const listed = decideTick(first.state, done(first.listing, { installations: [7] }), { now });
  const second = begin(listed.state, now + 5 * MINUTE);
  const late = decideTick(second.state, done(first.deliveries), { now });
  expect(late.state).toMatchObject({ doneSince: iso(START), listing: second.listing.id });
});

describe('an installation', () => {
  test('has a stream and an effect of its own, the same however often it is decided', () => {
    const { ticks } = pass(undefined, START, [7, 8]);
    expect(ticks.map(({ key }) => key)).toEqual(['tick:reconcile/7', 'tick:reconcile/8']);
    const now = START + 1;
    const [one, again] = [1, 2].map(() => look(undefined, ticks[0], { now }).effect);
    expect(one).toEqual(again);
    expect(one).toMatchObject({
      key: 'tick:reconcile/7',
      slot: 'reconcile:7',
      data: { foundSince: iso(START), part: { installationId: 7, owed: [] } },
    });
  });

  test('looks at a repository that failed since it was last looked at, other ones since the last pass', () => {
    const { ticks } = pass(undefined, START);
    const owed = [
      { repositoryId: 1, name: 'a/b', code: 'github-forbidden' as const, since: iso(START) },
    ];
    const first = look(undefined, ticks[0], { now: START, owed });
    const later = pass(undefined, START + 9 * HOUR).ticks[0];
    const second = look(first.state, later, { now: START + 9 * HOUR });
    expect(second.data).toMatchObject({ foundSince: iso(START - HOUR), part: { owed } });
    expect(second.state).toMatchObject({ owed: [] });
  });

  test('looks since the last pass that could list its repositories', () => {
    const { ticks } = pass(undefined, START);
    const first = look(undefined, ticks[0], { now: START });
    const now = START + 9 * HOUR;
    const next = pass(undefined, now).ticks[0];
    const broken = look(first.state, next, { now, owed: [], failure: 'github-unavailable' });
    expect(broken.state).toMatchObject({ doneSince: iso(START), failure: 'github-unavailable' });
    const refused = decideTick(
      { ...(first.state as object), running: broken.effect.run },
      failed(broken.effect),
      { now },
    );
    expect(refused.state).toMatchObject({ doneSince: iso(START), failure: 'github-forbidden' });
  });
});

test('a day ends with one pass that erases what is past its time, and its result changes nothing', () => {
  const trigger = { kind: 'tick', loop: 'purge' } as const;
  const event = { ...tick(START), key: 'tick:purge', data: { kind: 'trigger', trigger } as const };
  const { state, effects } = decideTick(undefined, event, { now: START });
  expect(effects).toMatchObject([
    { slot: 'purge', data: { kind: 'erase', target: { kind: 'past' } } },
  ]);
  const [effect] = effects;
  const result = { events: 1, effects: 0, states: 0, ledger: 0 };
  const data = {
    kind: 'done',
    effectKind: 'erase',
    result,
    effectId: effect?.id ?? '',
    run: 'r',
  } as const;
  const ended = { ...event, id: 'done', data };
  expect(decideTick(state, ended, { now: START })).toEqual({ state, effects: [], events: [] });
});
