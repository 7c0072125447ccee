/**
 * The PM's work on a plan, one result at a time: the state says what is waited for, and the outcome
 * is returned.
 */
import { expect } from 'vitest';
import { decide } from '../../../../src/decide/route.ts';
import type { ThreadState } from '../../../../src/decide/run/thread-context.ts';
import type { EffectData } from '../../../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../../../src/domain/event/event.ts';
import type { Planning } from '../../../../src/domain/plan/planning.ts';
import type { PlanDraft, PmProposal } from '../../../../src/domain/plan/draft.ts';
import type { Result } from '../../../../src/domain/event/result.ts';
import type { IssueView } from '../../../../src/domain/run/view.ts';
import { threadKey } from '../../../../src/domain/run/thread-ref.ts';
import { aView } from '../../../helpers/an-issue.ts';
import { ANA, THREAD } from '../../../helpers/play.ts';

export const AT = '2026-03-02T09:00:00.000Z';
export const CALL = {
  provider: 'anthropic',
  pool: 'haiku',
  model: 'claude-haiku',
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: 0.02,
  latencyMs: 5,
  outcome: 'ok' as const,
  retries: 0,
};

const PHASES = {
  'look-plan': 'checking',
  look: 'looking',
  propose: 'thinking',
  issue: 'opening',
  'plan-edit': 'rewriting',
} as const;

export interface Setup {
  planning?: Partial<Planning>;
  state?: Partial<ThreadState>;
}

export interface Came {
  state: ThreadState;
  planning: Planning | undefined;
  effects: EffectData[];
  wants: string[];
  told: { key: string; id: string; data: EventData }[];
  ignored: string | undefined;
  /** What people read. */
  said: string;
  reaction: string | undefined;
}

function planningOf(kind: keyof typeof PHASES, over: Partial<Planning>): Planning {
  return {
    id: 'q',
    step: 0,
    thread: THREAD,
    actor: ANA,
    wish: '',
    askedIn: { id: 900, place: 'thread' },
    phase: { kind: PHASES[kind], effectId: 'q/0' },
    rounds: 0,
    startedAt: '2026-03-02T08:59:30.000Z',
    ...over,
  };
}

export function send({ planning, state }: { planning: Planning; state?: object }, data: EventData) {
  const before = { v: 1, runs: {}, ...state, planning };
  const event = { id: 'e1', key: threadKey(THREAD), version: EVENT_VERSION, at: AT, data };
  const was = JSON.stringify(before);
  const decision = decide(before, event, { now: Date.parse(AT) });
  expect(JSON.stringify(before)).toBe(was);
  const after = JSON.parse(JSON.stringify(decision.state)) as ThreadState;
  const effects = decision.effects.map((each) => each.data);
  const came: Came = {
    state: after,
    planning: after.planning,
    effects,
    wants: decision.effects.map(({ data: { kind }, lane = 'no lane', isUnheard }) =>
      isUnheard === true ? `${kind} in ${lane}` : `${kind} in ${lane}, waits`,
    ),
    told: decision.events.map(({ key, id, data: told }) => ({ key, id, data: told })),
    ignored: decision.ignored,
    said: effects.flatMap((each) => (each.kind === 'comment' ? [each.body] : [])).join('\n'),
    reaction: effects.flatMap((each) => (each.kind === 'react' ? [each.add] : [])).at(-1),
  };
  return came;
}

/** What was waited for comes. */
export function bring(result: Result, { planning = {}, state = {} }: Setup = {}): Came {
  const kind = result.effectKind as keyof typeof PHASES;
  const data = { kind: 'done', effectId: 'q/0', run: 'q', ...result } as EventData;
  return send({ planning: planningOf(kind, planning), state }, data);
}

/** What was waited for failed for good. */
export function fail(
  kind: keyof typeof PHASES,
  failure: { code: string; message?: string },
  { planning = {}, state = {} }: Setup = {},
): Came {
  const about = { effectId: 'q/0', run: 'q', effectKind: kind };
  const whole = { message: '', retryable: false, ...failure };
  const data = { kind: 'failed', ...about, failure: whole } as EventData;
  return send({ planning: planningOf(kind, planning), state }, data);
}

/** The thread was read. */
export function look(view: Partial<IssueView>, world: Setup = {}, over: object = {}): Came {
  const base = aView();
  const issue = { ...base.issue, ...view.issue };
  const result = {
    view: { ...base, ...view, issue },
    nonce: 'a1b2c3d4e5f6a7b8c9d0e1f2',
    unchangedRuns: 0,
    githubCalls: 1,
    ...over,
  };
  return bring({ effectKind: 'look', result }, world);
}

/** The PM has thought. */
export function propose(word: Partial<PmProposal>, world: Setup = {}, over: object = {}): Came {
  const whole: PmProposal = { kind: 'plan', questions: [], risks: [], answer: '', ...word };
  const result = { word: whole, looked: [], calls: [CALL], ...over };
  return bring({ effectKind: 'propose', result }, world);
}

export function aDraft(count = 2): PlanDraft {
  return {
    title: 'A quiet flag',
    goal: 'Only errors are printed.',
    verification: [],
    context: 'See #6.',
    tasks: Array.from({ length: count }, (_, n) => ({
      number: n + 1,
      title: `Do thing ${n + 1}`,
      dependencies: n === 0 ? [] : [n],
      estimate: '2-5 min',
      files: [{ path: `src/thing-${n + 1}.ts`, note: 'new' }],
      description: `Thing ${n + 1} does what it should.`,
    })),
  };
}
