/** What people read during and at the end of planning: one comment, and a reaction on the comment that asked. */
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import { plannerKey } from '../../../domain/github/voice-key.ts';
import type { MarkerStage } from '../../../domain/github/marker.ts';
import { emitEffect } from '../../run/decision.ts';
import { hintRest } from '../../run/idle.ts';
import { writeLane } from '../../run/thread-context.ts';
import { answerAt, reactionAt } from '../../run/answers/where-asked.ts';
import { renderPlanningAnswer, renderQuestions } from './render-planning.ts';
import type { PlanningContext } from './start-planning.ts';

/** Posts the questions and waits. Anyone with write access may answer in a comment. */
export function askQuestions(context: PlanningContext): Outcome {
  const { planning } = context;
  planning.rounds += 1;
  planning.phase = { kind: 'waiting' };
  delete planning.questionsId;
  tell(context, renderQuestions(planning), { isPlanner: true });
  settle(context, true);
  return HANDLED;
}

export function refuse(context: PlanningContext, why: string): Outcome {
  // Nobody asked for a follow-up, so its failure is not reported.
  if (context.planning.followsUp === true) return dropPlanning(context);
  return end(context, { text: why, isDone: false });
}

export function end(
  context: PlanningContext,
  { text, isDone }: { text: string; isDone: boolean },
): Outcome {
  const { state, planning, step } = context;
  const body = isDone ? renderPlanningAnswer(planning, text, step.now) : text;
  tell(context, body, { isPlanner: isDone, stage: 'ended' });
  settle(context, isDone);
  delete state.planning;
  endLoop(context);
  return HANDLED;
}

/** Ends planning without a comment. */
export function dropPlanning(context: PlanningContext): Outcome {
  delete context.state.planning;
  endLoop(context);
  return HANDLED;
}

/** The quality loop has ended. If it found nothing to do, the project may be done. */
function endLoop({ planning, step }: PlanningContext): void {
  if (planning.followsUp === true) hintRest(step, planning.thread, 'loop-ended');
}

/** `isPlanner`: these are the words of the product manager, not of Quorum about it. */
function tell(
  { planning, step }: PlanningContext,
  body: string,
  { isPlanner, stage }: { isPlanner: boolean; stage?: MarkerStage },
): void {
  const { thread, id, askedIn, rounds } = planning;
  const number = step.run.step;
  const key = isPlanner ? plannerKey(rounds, number) : `said-${rounds}-${number}`;
  const marker = { kind: 'proposal' as const, run: id, key, ...(stage && { stage }) };
  // What is said below questions may be the answer, so their comment is waited for.
  const isUnheard = stage === 'ended' ? { isUnheard: true as const } : {};
  emitEffect(step, answerAt(askedIn, { thread, marker, body }), {
    lane: writeLane(thread),
    ...isUnheard,
  });
}

/** Removes the trigger label, whatever the result. Setting it again asks again. */
function settle({ planning, step }: PlanningContext, isDone: boolean): void {
  const { thread, askedIn, label } = planning;
  const lane = { lane: writeLane(thread) };
  if (askedIn !== undefined || label !== undefined)
    emitEffect(
      step,
      reactionAt(askedIn, { thread, add: isDone ? '+1' : 'confused', remove: 'eyes' }),
      lane,
    );
  if (label === undefined) return;
  delete planning.label;
  emitEffect(
    step,
    { kind: 'labels', thread, add: [], remove: [label] },
    { ...lane, isUnheard: true },
  );
}
