/** A plan is read again before anything is decided about it. */
import type { EffectData } from '../../domain/event/effect.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../run/decision.ts';
import { busyOf } from './advance.ts';
import { asking } from './answers.ts';
import { expectedWords } from './approval/expected-words.ts';

/** With what the look must find out: whether a label or a thumbs-up approves it. */
export function lookAgain(step: Step, plan: PlanState): void {
  const { thread, labelledBy: actor, isWaiting, commentId, shown } = plan;
  const held = busyOf(plan).map(({ task }) => task);
  const expected = expectedWords(plan);
  const look: EffectData = {
    kind: 'look-plan',
    thread,
    ...(held.length === 0 ? {} : { held }),
    ...(expected.length === 0 ? {} : { expected }),
    ...(actor === undefined ? {} : { actor: { id: actor.id, login: actor.login } }),
    ...(isWaiting === true && commentId !== undefined && shown !== undefined
      ? { thumbs: { commentId, since: shown.at } }
      : {}),
    ...(asking(plan).length > 0 ? { hasQuestions: true } : {}),
    // No task is known here yet, so GitHub may know tasks that this store does not.
    ...(plan.tasks === undefined ? { isUnknown: true } : {}),
  };
  // After what is still to be written there: it is read as it will be.
  plan.looking = emitEffect(step, look, { lane: `plan:${threadKey(thread)}` });
}
