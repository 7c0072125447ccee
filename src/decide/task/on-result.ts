/** What an attempt makes of a result: by its phase, and by the kind of effect that the phase waits for. */
import { isBudgetCode } from '../../domain/event/budget-codes.ts';
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import type { EventData } from '../../domain/event/event.ts';
import type { EffectKind } from '../../domain/event/effect.ts';
import type { EffectResults } from '../../domain/event/result.ts';
import type { TaskPhase, TaskRun } from '../../domain/task/task.ts';
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import { blockAttempt, dropClaim, failAttempt, finishAttempt, releaseTask } from './end-attempt.ts';
import {
  onMergeResult,
  onMergeView,
  onMergeViewFailed,
  onMergeRefused,
  onRetest,
} from './follow-pull.ts';
import { onProved, onPushed } from './rebase-change.ts';
import { onClaimAgain, onReopened } from './reopened.ts';
import type { TaskContext } from './task-context.ts';
import { enter, type PhaseKind, type TRANSITIONS } from './transitions.ts';
import { onClaim, onCode } from './attempt-work.ts';

type Done = Extract<EventData, { kind: 'done' }>;
type Failed = Extract<EventData, { kind: 'failed' }>;
type OnDone<K extends EffectKind> = (context: TaskContext, result: EffectResults[K]) => Outcome;

/** Of a phase: the kinds of effect that may lead out of it. */
type AwaitedKind<P extends PhaseKind> = keyof (typeof TRANSITIONS)[P] & EffectKind;

/** One for each result in the table of transitions; `closing` is over with any, and `asking` waits for none. */
const ON_DONE: {
  readonly [P in Exclude<PhaseKind, 'closing'>]: { readonly [K in AwaitedKind<P>]: OnDone<K> };
} = {
  claiming: {
    claim: (context, result) =>
      context.run.isShut === true ? onClaimAgain(context, result) : onClaim(context, result),
  },
  asking: {},
  coding: { code: onCode },
  verifying: { verify: onProved },
  publishing: { publish: onPushed },
  reviewing: { 'look-merge': onMergeView, retest: onRetest },
  merging: { merge: onMergeResult },
  ended: { 'look-merge': onReopened },
};

const ON_FAILED: {
  readonly [P in PhaseKind]: (context: TaskContext, sentence: string, data: Failed) => Outcome;
} = {
  claiming: onWorkFailed,
  asking: onWorkFailed,
  coding: onWorkFailed,
  verifying: onWorkFailed,
  publishing: onWorkFailed,
  // An open pull request stays, and is looked at again.
  reviewing: onMergeViewFailed,
  merging: (context, sentence) => {
    enter(context, { kind: 'reviewing' });
    return onMergeRefused(context, sentence);
  },
  closing: () => HANDLED,
  ended: (context) => {
    enter(context, { kind: 'ended' });
    return ignore('whether it was reopened is not known');
  },
};

export function onResult(context: TaskContext, data: Done | Failed): Outcome {
  const { run } = context;
  const { phase } = run;
  const isClaim = data.kind === 'done' && data.effectKind === 'claim';
  if (isClaim && isLate(run, data.effectId)) return dropClaim(context, data.result);
  if (data.run !== run.id) return ignore(`run ${data.run} was replaced by a later one`);
  if (data.effectId !== awaited(phase)) return ignore('nothing waits for it');
  // Its lines in the plan are written, or cannot be: it is over.
  if (phase.kind === 'closing') return finishAttempt(context, phase);
  if (data.kind === 'done') return onDone(context, data.effectKind, data.result);
  return ON_FAILED[phase.kind](context, `${data.effectKind} failed: ${data.failure.message}`, data);
}

type AnyHandlers = { readonly [P in PhaseKind]?: { readonly [K in EffectKind]?: OnDone<K> } };

function onDone<K extends EffectKind>(
  context: TaskContext,
  kind: K,
  result: EffectResults[K],
): Outcome {
  const handlers: AnyHandlers = ON_DONE;
  const on: OnDone<K> | undefined = handlers[context.run.phase.kind]?.[kind];
  return on === undefined ? ignore('nothing waits for it') : on(context, result);
}

/** The effect whose result the phase waits for. */
function awaited(phase: TaskPhase): string | undefined {
  if (phase.kind === 'asking') return undefined;
  return phase.kind === 'reviewing' || phase.kind === 'ended' ? phase.looking : phase.effectId;
}

/** The attempt was ended while the claim was under way. */
function isLate({ phase }: TaskRun, effectId: string): boolean {
  return phase.kind !== 'claiming' || phase.effectId !== effectId;
}

/** What could not be carried out at all. */
function onWorkFailed(
  context: TaskContext,
  sentence: string,
  { failure, effectKind }: Failed,
): Outcome {
  // A lost lease, a missing sandbox or a missing right is no failed attempt at the task.
  if (LOST.has(failure.code)) return releaseTask(context, sentence);
  if (isBudgetCode(failure.code))
    return releaseTask(context, failure.message, { waitsMs: BUDGET_WAIT_MS });
  if (UNABLE.has(failure.code)) return blockAttempt(context, sentence);
  // A session that cannot be resumed would fail each attempt, so the next one gets the answer as text.
  if (effectKind === 'code') delete context.run.resume;
  return failAttempt(context, sentence);
}

/** What the work rested on is gone. */
const LOST: ReadonlySet<ErrorCode> = new Set([
  'lease-lost',
  'task-edited',
  'permission-lost',
  'switched-off',
]);

/** A daily budget recovers little by little. */
const BUDGET_WAIT_MS = 3_600_000;

const UNABLE: ReadonlySet<ErrorCode> = new Set([
  'coder-unavailable',
  'no-sandbox',
  'sandbox-path-refused',
  'no-workshop',
  'github-forbidden',
  'github-unauthorised',
  'git-refused',
  'workflows-refused',
  'signatures-required',
  'disk-full',
]);
