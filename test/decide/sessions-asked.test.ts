/** A repository that a task asks for a session of the Coder, and asks again because it heard nothing. */
import { expect, test } from 'vitest';
import { decideRepository } from '../../src/decide/repository.ts';
import { EVENT_VERSION } from '../../src/domain/event/event.ts';
import { ANA, ORDER } from '../helpers/a-task.ts';

const NOW = Date.parse('2026-11-22T08:00:00Z');

test('counts what it is asked twice once, and answers both times', () => {
  let state: unknown;
  const ask = (id: string, number: number): unknown => {
    const session = { by: ANA.id, limits: { perHour: 1, perPersonPerHour: 1 } };
    const data = {
      kind: 'session-wanted',
      run: 'r',
      task: ORDER.ref,
      session,
      ask: number,
    } as const;
    const at = new Date(NOW).toISOString();
    const event = { id, key: 'repository:7', version: EVENT_VERSION, at, data };
    const decision = decideRepository(state, event, { now: NOW });
    state = JSON.parse(JSON.stringify(decision.state));
    return decision.events.map((each) => each.data);
  };
  expect(ask('a', 4)).toEqual([{ kind: 'session-told', run: 'r', ask: 4 }]);
  expect(ask('b', 4)).toEqual([{ kind: 'session-told', run: 'r', ask: 4 }]);
  expect(state).toMatchObject({ sessions: [{ by: ANA.id, ask: 'r/4' }] });
  expect(ask('c', 9)).toMatchObject([{ kind: 'session-told', ask: 9, wait: {} }]);
});
