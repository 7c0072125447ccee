/**
 * Plays one look at a plan through its thread's reducer, and returns the outcome as plain values.
 */
import { expect } from 'vitest';
import { decide } from '../../../src/decide/route.ts';
import type { Decision } from '../../../src/decide/run/decision.ts';
import type { ThreadState } from '../../../src/decide/run/thread-context.ts';
import type { EffectData } from '../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../../src/domain/event/event.ts';
import { editPlan, type PlanEdit } from '../../../src/domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../../src/domain/plan/body/parse-plan.ts';
import { planDigest, taskDigest } from '../../../src/domain/plan/plan-digest.ts';
import type { PlanTask, TaskStatus } from '../../../src/domain/plan/plan.ts';
import type { PlanState, PlanView } from '../../../src/domain/plan/plan-view.ts';
import type { TaskNews } from '../../../src/domain/task/task.ts';
import { threadKey } from '../../../src/domain/run/thread-ref.ts';
import { aPersona } from '../../helpers/a-persona.ts';
import { aPlanBody, aPlanView, aTask } from '../../helpers/a-plan.ts';
import { ANA, PLAN } from '../../helpers/a-task.ts';

export const AT = '2026-11-22T08:00:00.000Z';
export const NOW = Date.parse(AT);
export const BEFORE = '2026-11-22T07:00:00.000Z';
export const LANE = 'plan:thread:7/4';

/** Three tasks; the second one waits for the first. */
export const BODY = aPlanBody({ tasks: [aTask(1), aTask(2, { dependencies: [1] }), aTask(3)] });
export const DIGEST = planDigest(parsePlan(BODY));
export const YES = { by: ANA, digest: DIGEST, how: 'command', at: BEFORE } as const;
export const PLAN_STATE = { id: 'p', step: 0, thread: PLAN } as const;

/** The plan with words of its tasks set. */
export function saying(words: Record<number, [TaskStatus, string?, string?]>): string {
  const edits = Object.entries(words).flatMap(([key, [status, assignee = '', reason = '']]) => {
    const task = Number(key);
    const both: PlanEdit[] = [
      { kind: 'status', task, status, reason },
      { kind: 'assignee', task, assignee },
    ];
    return both;
  });
  return editPlan(parsePlan(BODY), edits);
}

export function taskOf(number: number): PlanTask {
  const found = parsePlan(BODY).tasks.find((task) => task.number === number);
  if (found === undefined) throw new Error('no such task');
  return found;
}

export function digestOf(number: number): string {
  return taskDigest(taskOf(number));
}

export function newsOf(task: number, over: Partial<TaskNews>): TaskNews {
  return { task, state: 'in_progress', persona: 'dev', attempt: 1, at: BEFORE, ...over };
}

export function viewOf(
  body = BODY,
  over: Partial<Omit<PlanView, 'issue'>> = {},
  issue: Partial<PlanView['issue']> = {},
): PlanView {
  const author = { ...ANA, isBot: false };
  const personas = [aPersona({ handle: 'dev' })];
  return aPlanView({ body, author, labels: ['plan'], ...issue }, { personas, ...over });
}

export interface Shown {
  state: ThreadState;
  plan: PlanState;
  effects: EffectData[];
  /** In short: each kind with its lane, and whether its result is waited for. */
  wants: string[];
  told: { key: string; id: string; data: EventData; delayMs?: number }[];
  ignored: string | undefined;
  /** Our comment below the plan. */
  comment: string;
}

export function reduce(state: object, data: EventData): Decision {
  const event = { id: 'e1', key: threadKey(PLAN), version: EVENT_VERSION, at: AT, data };
  const was = JSON.stringify(state);
  const decision = decide(state, event, { now: NOW });
  expect(JSON.stringify(state)).toBe(was);
  return { ...decision, state: JSON.parse(JSON.stringify(decision.state)) as unknown };
}

/** What an event does to a thread that has this plan. */
export function tell(plan: Partial<PlanState>, data: EventData, rest: object = {}): Shown {
  const before = { v: 1, runs: {}, plan: { ...PLAN_STATE, ...plan }, ...rest };
  const { state, effects, events, ignored } = reduce(before, data);
  const after = state as ThreadState;
  const comments = effects.flatMap((each) =>
    each.data.kind === 'comment' && each.data.marker.kind === 'plan' ? [each.data.body] : [],
  );
  return {
    state: after,
    plan: after.plan ?? PLAN_STATE,
    effects: effects.map((each) => each.data),
    wants: effects.map(({ data: { kind }, lane = 'no lane', isUnheard }) =>
      isUnheard === true ? `${kind} in ${lane}` : `${kind} in ${lane}, waits`,
    ),
    told: events.map(({ key, id, data: each, delayMs }) => ({
      key,
      id,
      data: each,
      ...(delayMs === undefined ? {} : { delayMs }),
    })),
    ignored,
    comment: comments.join('\n'),
  };
}

/** The look that was waited for brings this. */
export function show(plan: Partial<PlanState>, view: PlanView): Shown {
  const about = { effectId: 'p/look', run: 'p' };
  const seen = { kind: 'done', effectKind: 'look-plan', result: view, ...about } as const;
  return tell({ looking: 'p/look', ...plan }, seen);
}

/** The words to tasks, without whose run they are. */
export function wordsIn({ told }: Shown): object[] {
  return told.flatMap(({ key, data }) => {
    if (data.kind !== 'task-word') return [];
    const { kind: _, run: __, ...word } = data;
    return [{ key, ...word }];
  });
}

export function ofKind<K extends EffectData['kind']>(
  { effects }: Shown,
  kind: K,
): Extract<EffectData, { kind: K }>[] {
  return effects.filter((data) => data.kind === kind) as never;
}
