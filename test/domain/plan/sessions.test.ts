/** How many sessions the Coder has in an hour, here and on one person's word. */
import { describe, expect, test } from 'vitest';
import { sessionRefusalReason, type Session } from '../../../src/domain/plan/sessions.ts';

const NOW = Date.parse('2026-11-22T09:00:00Z');
const MINUTE = 60_000;

function ago(minutes: number, by = 1): Session {
  return { by, at: new Date(NOW - minutes * MINUTE).toISOString() };
}

function ask(sessions: Session[], [perHour, perPersonPerHour]: [number, number], by = 1) {
  return sessionRefusalReason(sessions, { by, limits: { perHour, perPersonPerHour } }, NOW);
}

describe('a session of the Coder', () => {
  test('waits until one of the last hour is an hour old, and says when that is', () => {
    const wait = ask([ago(50), ago(40)], [2, 9]);
    expect(wait).toEqual({
      until: '2026-11-22T09:10:00.000Z',
      why: 'the Coder has at most 2 sessions in an hour here (`access.codeRunsPerHour`): the next may begin at 09:10 UTC',
    });
    expect(ask([ago(60), ago(40)], [2, 9])).toBeUndefined();
  });

  test('counts for the person who approved it, and for nobody else', () => {
    const sessions = [ago(30, 1), ago(20, 2)];
    expect(ask(sessions, [9, 1])?.until).toBe('2026-11-22T09:30:00.000Z');
    expect(ask(sessions, [9, 1])?.why).toContain(
      'on one person’s word (`access.codeRunsPerUserPerHour`)',
    );
    expect(ask(sessions, [9, 1], 3)).toBeUndefined();
  });

  test('waits for the later of the two', () => {
    expect(ask([ago(50, 2), ago(20, 1)], [2, 1])?.until).toBe('2026-11-22T09:40:00.000Z');
  });

  test('waits for as many as a lower limit leaves out', () => {
    expect(ask([ago(50), ago(40), ago(30)], [1, 9])?.until).toBe('2026-11-22T09:30:00.000Z');
  });

  test('is named to a whole minute that has come by then', () => {
    expect(ask([ago(30.5)], [1, 9])?.until).toBe('2026-11-22T09:30:00.000Z');
  });

  test('is not allowed at all where none is', () => {
    expect(ask([], [0, 9])?.why).toBe(
      'no session of the Coder is allowed here (`access.codeRunsPerHour: 0`)',
    );
  });
});
