/** A plan that waits for approval is looked at again, at ever longer intervals. */
import { expect, test } from 'vitest';
import { decideThread } from '../../../src/decide/thread.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import { aPlanView } from '../../helpers/a-plan.ts';
import { ANA, PLAN } from '../../helpers/a-task.ts';

const ACTOR = { ...ANA, isBot: false };
const VIEW = aPlanView({ author: { id: 5, login: 'eve', isBot: false } });

test('after a minute, then twice as long, at most 15 minutes, and soon again when it is edited', () => {
  let state: unknown;
  let count = 0;
  const send = (data: EventData) => {
    count += 1;
    const event = {
      id: `e${count}`,
      key: threadKey(PLAN),
      version: EVENT_VERSION,
      at: '2026-11-22T08:00:00Z',
      data,
    };
    const decision = decideThread(state, event, { now: count * 1000 });
    state = JSON.parse(JSON.stringify(decision.state));
    return decision;
  };
  const lookAfter = (
    data: EventData,
  ): { delayMs: number | undefined; timer: EventData | undefined } => {
    const look = send(data).effects.find((effect) => effect.data.kind === 'look-plan');
    if (look === undefined) throw new Error('the plan is not read');
    const about = { effectId: look.id, run: look.run };
    const { events } = send({ kind: 'done', effectKind: 'look-plan', result: VIEW, ...about });
    const timer = events.find((event) => event.data.kind === 'timer');
    return { delayMs: timer?.delayMs, timer: timer?.data };
  };
  const labeled = { kind: 'labeled', thread: PLAN, actor: ACTOR, label: 'plan' } as const;
  let last = lookAfter({ kind: 'trigger', trigger: labeled });
  const minutes: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    minutes.push((last.delayMs ?? 0) / 60_000);
    if (last.timer === undefined) throw new Error('it is not looked at again');
    last = lookAfter(last.timer);
  }
  expect(minutes).toEqual([1, 2, 4, 8, 15, 15]);
  const edited = { kind: 'edited', thread: PLAN, actor: ACTOR } as const;
  expect(lookAfter({ kind: 'trigger', trigger: edited }).delayMs).toBe(60_000);
});
