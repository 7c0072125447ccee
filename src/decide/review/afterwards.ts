/** A pull request that is over: what people said to its findings is heard once more, because nothing tells of a thumb. */
import type { FeedbackLook } from '../../domain/result.ts';
import { EMPTY_LEDGER } from '../../domain/review.ts';
import type { ThreadRef } from '../../domain/thread.ts';
import { createStep, want, type Decision } from '../decision.ts';
import type { Occasion } from '../scene.ts';
import { tellJudged } from './judge.ts';
import { heedAll } from './ledger.ts';

/** Wants that look, where there was anything to say something to. */
export function lookBack({ state, event, now }: Occasion, thread: ThreadRef): Decision {
  const step = createStep(event.key, { id: `feedback:${event.id}`, step: 0 }, now);
  const hasFindings = (state.ledger?.findings.length ?? 0) > 0;
  if (hasFindings) want(step, { kind: 'look-feedback', thread });
  const { effects, events } = step;
  return { state, effects, events, ...(hasFindings ? {} : { ignored: 'nothing was found here' }) };
}

export function takeFeedback(
  { state, event, now }: Occasion,
  { run, result }: { run: string; result: FeedbackLook },
): Decision {
  const { thread, ...hearing } = result;
  state.ledger = heedAll(state.ledger ?? EMPTY_LEDGER, hearing.replies);
  const step = createStep(event.key, { id: run, step: 1 }, now);
  tellJudged({ state, step, thread }, state.ledger.findings, hearing);
  return { state, effects: [], events: step.events };
}
