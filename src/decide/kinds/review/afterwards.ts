/**
 * After a pull request is closed or merged, people's replies to its findings are read once more, because GitHub sends
 * no event for a reaction.
 */
import type { FeedbackLook } from '../../../domain/event/result.ts';
import { EMPTY_LEDGER } from '../../../domain/review/review.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import { createStep, emitEffect, type Decision } from '../../run/decision.ts';
import type { ThreadContext } from '../../run/thread-context.ts';
import { recordJudgements } from './ledger/record-judgements.ts';
import { heedAll } from './ledger/reconcile-ledger.ts';

/** Wants that look, where there was anything to say something to. */
export function lookBack({ state, event, now }: ThreadContext, thread: ThreadRef): Decision {
  const step = createStep(event.key, { id: `feedback:${event.id}`, step: 0 }, now);
  const hasFindings = (state.ledger?.findings.length ?? 0) > 0;
  if (hasFindings) emitEffect(step, { kind: 'look-feedback', thread });
  const { effects, events } = step;
  return { state, effects, events, ...(hasFindings ? {} : { ignored: 'nothing was found here' }) };
}

export function onFeedbackRead(
  { state, event, now }: ThreadContext,
  { run, result }: { run: string; result: FeedbackLook },
): Decision {
  const { thread, ...hearing } = result;
  state.ledger = heedAll(state.ledger ?? EMPTY_LEDGER, hearing.replies);
  const step = createStep(event.key, { id: run, step: 1 }, now);
  recordJudgements({ state, step, thread }, state.ledger.findings, hearing);
  return { state, effects: step.effects, events: step.events };
}
