/** Buttons of a plan in a channel: kept until somebody answers the plan, wherever that is, and then replaced by who it was. */
import type { ChannelsState, PlanAsked } from '../../../domain/channel/channels-state.ts';
import { describePlanAnswer, type PlanAnswer } from '../../../domain/channel/plan-click.ts';
import type { PlanState } from '../../../domain/plan/plan-view.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../../run/decision.ts';

/** Plans of which this is kept; older ones keep their buttons, and a press is refused where the plan has moved on. */
const MOST_PLANS = 100;

/** How somebody answered the plan in this step; undefined where nobody did. */
export function planAnswerOf(
  before: PlanState | undefined,
  after: PlanState | undefined,
): PlanAnswer | undefined {
  if (after === undefined) return undefined;
  const { approval, rejected } = after;
  if (approval !== undefined && approval.digest !== before?.approval?.digest)
    return { verb: 'approve', by: approval.by.login, digest: approval.digest };
  if (rejected !== undefined && rejected.digest !== before?.rejected?.digest)
    return { verb: 'reject', ...rejected };
  return undefined;
}

interface Settling {
  state: ChannelsState;
  step: Step;
  repository: RepositoryRef;
}

/** A plan waits for approval again: an answer of before is not about that. */
export function forgetAnswer(state: ChannelsState, subject: string): void {
  delete state.answers?.[subject];
}

/** The buttons are there now. Somebody may have answered while they were sent. */
export function rememberAsked(
  settling: Settling,
  asked: Readonly<Record<string, PlanAsked>>,
): void {
  const { state } = settling;
  for (const [subject, each] of Object.entries(asked)) {
    state.asked = keepNewest({ ...state.asked, [subject]: each });
    settle(settling, subject);
  }
}

export function onPlanAnswered(settling: Settling, subject: string, answer: PlanAnswer): void {
  const { state } = settling;
  state.answers = keepNewest({ ...state.answers, [subject]: answer });
  settle(settling, subject);
}

/** An answer to another text leaves the buttons: they are refused by themselves. */
function settle({ state, step, repository }: Settling, subject: string): void {
  const [asked, answer] = [state.asked?.[subject], state.answers?.[subject]];
  if (asked === undefined || answer === undefined || asked.digest !== answer.digest) return;
  delete state.asked?.[subject];
  const { chat } = asked;
  const markdown = describePlanAnswer(answer);
  emitEffect(
    step,
    { kind: 'chat-reply', repository, chat, markdown, isInstead: true },
    { lane: `channel:${chat.channel}:${repository.repositoryId}` },
  );
}

function keepNewest<T>(all: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).slice(-MOST_PLANS));
}
