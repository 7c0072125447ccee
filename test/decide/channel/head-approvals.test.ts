/** When channels show that a head waits for approval, and when they take that back. */
import { describe, expect, test } from 'vitest';
import { headAnswerOf, headAskedOf } from '../../../src/decide/channel/head-approvals.ts';
import { withAnnouncements } from '../../../src/decide/channel/with-announcements.ts';
import { EVENT_VERSION, type Event } from '../../../src/domain/event/event.ts';
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
  });
});
