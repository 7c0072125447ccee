/** Plays a comment through a thread's reducer, and returns the outcome as a few plain values. */
import { expect } from 'vitest';
import { decide } from '../../../../src/decide/route.ts';
import type { Decision } from '../../../../src/decide/run/decision.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import type { EffectData } from '../../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../../../src/domain/event/event.ts';
import { editPlan, type PlanEdit } from '../../../../src/domain/plan/body/edit-plan.ts';
import { parsePlan } from '../../../../src/domain/plan/body/parse-plan.ts';
import type { TaskStatus } from '../../../../src/domain/plan/plan.ts';
import type { CommentAddress, TalkView } from '../../../../src/domain/run/talk.ts';
import type { TaskNews } from '../../../../src/domain/task/task.ts';
import { threadKey, type Actor } from '../../../../src/domain/run/thread-ref.ts';
import { aPlanBody, aTask } from '../../../helpers/a-plan.ts';
import { aTalkView } from '../../../helpers/a-talk.ts';
import { aPosition, aVerdict, aView } from '../../../helpers/an-issue.ts';
import { ANA, play, THREAD } from '../../../helpers/play.ts';

export const AT = '2026-03-02T09:00:00Z';
export const NOW = Date.parse(AT);
/** As the reducers write that moment. */
export const NOW_ISO = new Date(NOW).toISOString();
export const BEFORE = '2026-03-02T08:59:00Z';

/** What a comment meets. */
export interface Setup {
  state?: Partial<ThreadState>;
  issue?: Partial<TalkView['issue']>;
  view?: Partial<TalkView>;
  address?: Partial<CommentAddress>;
  actor?: Actor;
  /** Of the comment. */
  id?: number;
}

export interface Came {
  state: ThreadState;
  /** Our answer without the quote of the command; empty where a reaction says it all. */
  said: string;
  reaction: string | undefined;
  /** What is wanted besides. */
  effects: EffectData[];
  /** In short: each kind with its lane, and whether its result is waited for. */
  wants: string[];
  told: { key: string; data: EventData }[];
  /** How the id of each sent event ends. */
  suffixes: (string | undefined)[];
}

export function reduce(before: unknown, id: string, data: EventData): Decision {
  const event = { id, key: threadKey(THREAD), version: EVENT_VERSION, at: AT, data };
  const was = JSON.stringify(before);
  const decision = decide(before, event, { now: NOW });
  expect(JSON.stringify(before)).toBe(was);
  return { ...decision, state: JSON.parse(JSON.stringify(decision.state)) as unknown };
}

/** The comment comes in, is read, and is done. */
export function say(body: string, context: Setup = {}): Came {
  const { actor = ANA, id = 900 } = context;
  const place = { place: 'thread', updatedAt: AT, digest: 'd', isOnlyCommands: true } as const;
  const address = { ...place, ...context.address };
  const said = { thread: THREAD, actor, commentId: id, isByBot: actor.isBot, address };
  const trigger = { kind: 'commented', ...said } as const;
  const before = { v: 1, runs: {}, ...context.state };
  const begun = reduce(before, `comment-${id}`, { kind: 'trigger', trigger });
  const look = begun.effects.find(({ data }) => data.kind === 'look-comment');
  if (look === undefined) throw new Error('the comment was not read');
  const base = aTalkView(body, context.view);
  const comment = { id, author: actor, body, createdAt: AT };
  const view = { ...base, comment, issue: { ...base.issue, ...context.issue } };
  return toCame(
    reduce(begun.state, `read-${id}`, {
      kind: 'done',
      effectKind: 'look-comment',
      result: { kind: 'read', view },
      effectId: look.id,
      run: look.run,
    }),
  );
}

export function toCame({ state, effects, events }: Decision): Came {
  const isOurs = ({ data }: { data: EffectData }): boolean =>
    data.kind === 'react' || (data.kind === 'comment' && data.marker.kind === 'notice');
  const others = effects.filter((effect) => !isOurs(effect));
  const bodies = effects.filter(isOurs).flatMap(({ data }) => ('body' in data ? [data.body] : []));
  const nods = effects.flatMap(({ data }) => (data.kind === 'react' ? [data.add] : []));
  return {
    state: state as ThreadState,
    said: bodies.join('\n').replace(/^> `\/pm [^\n]*`\n\n/, ''),
    reaction: nods.at(-1),
    effects: others.map(({ data }) => data),
    wants: others.map(({ data, lane = 'no lane', isUnheard }) =>
      isUnheard === true ? `${data.kind} in ${lane}` : `${data.kind} in ${lane}, waits`,
    ),
    told: events.map(({ key, data }) => ({ key, data })),
    suffixes: events.map(({ id }) => id.split('/').at(-1)),
  };
}

/** A plan of three tasks; the second one waits for the first. */
export const BODY = aPlanBody({ tasks: [aTask(1), aTask(2, { dependencies: [1] }), aTask(3)] });

/** The plan with words of its tasks set. */
export function saying(words: Record<number, [TaskStatus, string?, string?]>, body = BODY): string {
  const edits = Object.entries(words).flatMap(([key, [status, assignee = '', reason = '']]) => {
    const task = Number(key);
    const edit: PlanEdit[] = [
      { kind: 'status', task, status, reason },
      { kind: 'assignee', task, assignee },
    ];
    return edit;
  });
  return editPlan(parsePlan(body), edits);
}

export function newsOf(task: number, over: Partial<TaskNews>): TaskNews {
  return { task, state: 'claimed', persona: 'dev', attempt: 1, at: BEFORE, ...over };
}

export const PLAN_STATE = { id: 'p', step: 0, thread: THREAD } as const;

/** What the reducer wants of a plan and tells its tasks, beside what is said. */
export function sumUp({ said, reaction, effects, wants, told }: Came) {
  return {
    said,
    reaction,
    wants,
    edits: effects.flatMap((each) => (each.kind === 'plan-edit' ? each.edits : [])),
    told: told.flatMap(({ key, data }) => {
      if (data.kind !== 'task-word') return [];
      const { kind: _, run: __, ...word } = data;
      return [{ key, ...word }];
    }),
  };
}

export function refusal(said: string) {
  return { said, reaction: 'confused', wants: [], edits: [], told: [] };
}

/** A discussion that waits for a person's answer. */
export function waitingDiscussion(): ThreadState {
  const played = play({
    look: () => aView(),
    ask: ({ purpose }) =>
      purpose === 'verdict'
        ? aVerdict({ verdict: 'HUMAN', question: 'Keep the old flag?' })
        : aPosition(),
  });
  played.send({ kind: 'labeled', thread: THREAD, actor: ANA, label: 'deliberate' });
  return played.state;
}
