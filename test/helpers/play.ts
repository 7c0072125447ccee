/**
 * Plays a thread's reducer without a world: effects are answered from a script, and timers fire when the test says
 * so.
 */
import { decide } from '../../src/decide/route.ts';
import type { ThreadState } from '../../src/decide/run/thread-context.ts';
import type { Run } from '../../src/domain/run/state/run-record.ts';
import type { RunBase } from '../../src/domain/run/state/run-base.ts';
import type { DiscussionState } from '../../src/domain/run/state/discussion-state.ts';
import type { TeamState } from '../../src/domain/run/state/team-state.ts';
import type {
  BuildRunState,
  ReviewRunState,
  WatchRunState,
} from '../../src/domain/run/state/kind-state.ts';
import type { Position, Verdict } from '../../src/domain/run/council.ts';
import type { Effect, EffectData } from '../../src/domain/event/effect.ts';
import type { Failure } from '../../src/domain/event/errors.ts';
import {
  EVENT_VERSION,
  type Event,
  type EventData,
  type NewEvent,
} from '../../src/domain/event/event.ts';
import type { ModelCall } from '../../src/domain/run/ledger.ts';
import {
  NO_PRECISION,
  precisionKey,
  tallyOf,
  toPrecisionState,
  type Tally,
} from '../../src/domain/review/precision.ts';
import type { PullLookResult, FeedbackLook, Result } from '../../src/domain/event/result.ts';
import type { IssueOutcome } from '../../src/domain/github/issue-outcome.ts';
import type { PullView } from '../../src/domain/review/review.ts';
import type { Actor, ThreadRef } from '../../src/domain/run/thread-ref.ts';
import type { Trigger } from '../../src/domain/event/trigger.ts';
import type { IssueView } from '../../src/domain/run/view.ts';
import type { CodeView } from '../../src/domain/repository/watched-code.ts';

type Ask = Extract<EffectData, { kind: 'ask' }>;

export interface Script {
  look: () => IssueView | Failure;
  ask: (ask: Ask) => Position | Verdict | Failure;
  /** Which model answered it; the scripted one by default. */
  answeredBy?: (ask: Ask) => Partial<ModelCall>;
  stopped?: () => string | undefined;
  /** What a review reads. */
  pull?: (look: Extract<EffectData, { kind: 'look-pull' }>) => PullView | Failure;
  /** What became of the scan of its change; the reducer makes it, as for older workers, by default. */
  scan?: () => PullLookResult['scan'];
  /** What people said, once the pull request is over. */
  feedback?: () => FeedbackLook;
  /** What the code watch finds; nothing by default. */
  code?: () => CodeView | Failure;
  /** What becomes of an issue that is wanted; it is opened by default. */
  issue?: (issue: Extract<EffectData, { kind: 'issue' }>) => IssueOutcome | Failure;
  /** What keeps a write from happening; nothing does by default. */
  refuse?: (data: EffectData) => Failure | undefined;
}

/** A run with what any kind keeps, so that a test of one kind need not ask which it is. */
type PlayedRun = { trigger: Run['trigger'] } & RunBase &
  TeamState &
  DiscussionState &
  ReviewRunState &
  BuildRunState &
  WatchRunState;

export interface Play {
  readonly state: ThreadState;
  readonly effects: Effect[];
  readonly ignored: string[];
  now: number;
  /** The run that was started last. */
  run(): PlayedRun;
  /** Reduces a trigger and everything that follows from it. */
  send(trigger: Trigger, at?: number): void;
  /** Reduces the trigger, but leaves the effects waiting. */
  hold(trigger: Trigger, at?: number): void;
  /** Answers what waits; `only` picks which effects. */
  settle(only?: (effect: Effect) => boolean): void;
  /** Fires every timer that is due by then. */
  passTime(ms: number): void;
  bodies(): string[];
  /** What is counted in the repository of who was found right. */
  tally(): Tally;
  of<K extends EffectData['kind']>(kind: K): Extract<EffectData, { kind: K }>[];
}

export const THREAD: ThreadRef = {
  installationId: 1,
  repositoryId: 7,
  owner: 'acme',
  repo: 'tidy',
  number: 12,
};
export const ANA: Actor = { id: 100, login: 'ana', isBot: false };

/** A guard against hangs only: a loop that awaits nothing is ended by no limit of a test. */
const MOST_EFFECTS = 10_000;
const START = Date.parse('2026-03-02T09:00:00Z');

function isFailure(value: object): value is Failure {
  return 'code' in value && 'retryable' in value;
}

export function play(script: Script): Play {
  const key = `thread:${THREAD.repositoryId}/${THREAD.number}`;
  let state: unknown;
  let precision: unknown;
  const waiting: Effect[] = [];
  const timers: { event: NewEvent; due: number }[] = [];
  const self: Play = {
    get state() {
      return state as ThreadState;
    },
    effects: [],
    ignored: [],
    now: START,
    run: () => {
      const run = Object.values(self.state.runs).at(-1);
      if (run === undefined) throw new Error('no run');
      return run as PlayedRun;
    },
    send: (trigger, at) => {
      reduce({ kind: 'trigger', trigger }, at);
      self.settle();
    },
    hold: (trigger, at) => reduce({ kind: 'trigger', trigger }, at),
    settle: (only = () => true) => {
      for (let n = 0; n < MOST_EFFECTS; n += 1) {
        const index = waiting.findIndex(only);
        const [effect] = index < 0 ? [] : waiting.splice(index, 1);
        if (effect === undefined) return;
        answer(effect);
      }
      throw new Error(
        `There is no end after ${MOST_EFFECTS} effects: ${waiting.map(({ data }) => data.kind).join(', ')}`,
      );
    },
    passTime: (ms) => {
      const until = self.now + ms;
      for (;;) {
        timers.sort((a, b) => a.due - b.due);
        const next = timers[0];
        if (next === undefined || next.due > until) break;
        timers.shift();
        self.now = Math.max(self.now, next.due);
        reduceEvent({ ...next.event, at: new Date(self.now).toISOString() });
        self.settle();
      }
      self.now = until;
    },
    tally: () => tallyOf(toPrecisionState(precision) ?? NO_PRECISION, self.now),
    bodies: () => self.of('comment').map((comment) => comment.body),
    of: (kind) =>
      self.effects.map((effect) => effect.data).filter((data) => data.kind === kind) as never,
  };
  let count = 0;
  const reduce = (data: EventData, at = self.now): void => {
    count += 1;
    reduceEvent({
      id: `event-${count}`,
      key,
      version: EVENT_VERSION,
      at: new Date(at).toISOString(),
      data,
    });
  };
  const reduceEvent = (event: Event): void => {
    const before = JSON.stringify(state);
    const decision = decide(state, event, { now: self.now });
    if (JSON.stringify(state) !== before) throw new Error('the reducer changed its input');
    // What is kept goes through JSON in every store.
    state = JSON.parse(JSON.stringify(decision.state));
    self.effects.push(...decision.effects);
    waiting.push(...decision.effects);
    if (decision.ignored !== undefined) self.ignored.push(decision.ignored);
    for (const next of decision.events)
      if (next.key === precisionKey(THREAD.repositoryId))
        precision = decide(structuredClone(precision), next, { now: self.now }).state;
      else if (next.key === key) timers.push({ event: next, due: self.now + (next.delayMs ?? 0) });
  };
  const answer = (effect: Effect): void => {
    self.now += 100;
    const about = { effectId: effect.id, run: effect.run };
    const told = outcomeOf(effect.data, script, self.tally());
    if (told === undefined) return;
    if ('code' in told)
      reduce({ kind: 'failed', effectKind: effect.data.kind, failure: told, ...about });
    else reduce({ kind: 'done', ...told, ...about });
  };
  return self;
}

const CALL = {
  provider: 'scripted',
  pool: 'standard',
  model: 'scripted-1',
  usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd: 0.01,
  latencyMs: 5,
  outcome: 'ok' as const,
  retries: 0,
};

/** The result of an effect; undefined when nobody waits for it. */
function outcomeOf(data: EffectData, script: Script, tally: Tally): Result | Failure | undefined {
  if (data.kind.startsWith('look')) return sightOf(data, script, tally);
  if (data.kind === 'ask') {
    const value = script.ask(data);
    const call = { ...CALL, ...script.answeredBy?.(data) };
    return isFailure(value) ? value : { effectKind: 'ask', result: { value, calls: [call] } };
  }
  return script.refuse?.(data) ?? writeOf(data, script);
}

function writeOf(data: EffectData, script: Script): Result | Failure | undefined {
  if (data.kind === 'issue') {
    const result = script.issue?.(data) ?? { outcome: 'created', number: 101, url: '' };
    return isFailure(result) ? result : { effectKind: 'issue', result };
  }
  if (data.kind !== 'review') return undefined;
  return {
    effectKind: 'review',
    result: { id: 1, url: '', outcome: 'created', unplaced: [] },
  };
}

function sightOf(data: EffectData, script: Script, tally: Tally): Result | Failure | undefined {
  if (data.kind === 'look') {
    const view = script.look();
    return isFailure(view) ? view : { effectKind: 'look', result: lookOf(view, script) };
  }
  if (data.kind === 'look-pull') {
    const view = script.pull?.(data);
    if (view === undefined || isFailure(view)) return view;
    return {
      effectKind: 'look-pull',
      result: { ...lookOf(view, script), tally, ...scanOf(script) },
    };
  }
  if (data.kind === 'look-feedback') {
    const result = script.feedback?.();
    return result === undefined ? undefined : { effectKind: 'look-feedback', result };
  }
  return data.kind === 'look-code' ? codeOf(script) : undefined;
}

function scanOf({ scan }: Script): Pick<PullLookResult, 'scan'> {
  const scanned = scan?.();
  return scanned === undefined ? {} : { scan: scanned };
}

function codeOf(script: Script): Result | Failure {
  const [view, code] = [script.look(), script.code?.() ?? NO_CODE];
  if (isFailure(code)) return code;
  if (isFailure(view)) return view;
  return { effectKind: 'look-code', result: { ...lookOf(view, script), code } };
}

const NO_CODE: CodeView = {
  candidates: [],
  left: [],
  known: 0,
  notRead: [],
  files: 7,
  asked: 7,
  raised: [],
};

function lookOf<View>(view: View, script: Script) {
  const stopped = script.stopped?.();
  return {
    view,
    nonce: 'a1b2c3d4e5f6a7b8c9d0e1f2',
    unchangedRuns: 0,
    githubCalls: 5,
    ...(stopped === undefined ? {} : { stopped }),
  };
}
