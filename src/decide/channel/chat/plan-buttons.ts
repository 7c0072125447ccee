/**
 * Buttons of a plan in a channel: kept until somebody answers the plan, wherever that is, and then replaced by who it was.
 * When the plan's text changes meanwhile, they follow.
 */
import type { ChannelsState, PlanAsked } from '../../../domain/channel/channels-state.ts';
import {
  askForApproval,
  describePlanAnswer,
  type PlanAnswer,
} from '../../../domain/channel/plan-click.ts';
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

/** The text that our comment on GitHub asks approval for since this step; undefined where it asks for what it did before. */
export function planShownOf(
  before: PlanState | undefined,
  after: PlanState | undefined,
): string | undefined {
  if (after?.isWaiting !== true || after.shown === undefined) return undefined;
  return after.shown.digest === before?.shown?.digest ? undefined : after.shown.digest;
}

interface Settling {
  state: ChannelsState;
  step: Step;
  repository: RepositoryRef;
}

/** A plan waits for approval again: an answer of before, or the text that was shown then, is not about that. */
export function forgetAnswer(state: ChannelsState, subject: string): void {
  delete state.answers?.[subject];
  delete state.shown?.[subject];
}

/** The buttons are there now. Somebody may have answered while they were sent. */
export function rememberAsked(
  settling: Settling,
  asked: Readonly<Record<string, PlanAsked>>,
): void {
  const { state } = settling;
  for (const [subject, each] of Object.entries(asked)) {
    state.asked = keepNewest({ ...state.asked, [subject]: each });
    renew(settling, subject);
    settle(settling, subject);
  }
}

export function onPlanAnswered(settling: Settling, subject: string, answer: PlanAnswer): void {
  const { state } = settling;
  state.answers = keepNewest({ ...state.answers, [subject]: answer });
  settle(settling, subject);
}

export function onPlanShown(settling: Settling, subject: string, digest: string): void {
  const { state } = settling;
  state.shown = keepNewest({ ...state.shown, [subject]: digest });
  renew(settling, subject);
}

/** A press of a button that is about an earlier text would only be refused. */
function renew({ state, step, repository }: Settling, subject: string): void {
  const [asked, digest] = [state.asked?.[subject], state.shown?.[subject]];
  if (asked === undefined || digest === undefined || asked.digest === digest) return;
  asked.digest = digest;
  const { chat } = asked;
  const { repositoryId } = repository;
  const shown = { repositoryId, number: Number(subject.split('/').at(-1)), digest };
  const markdown = `The plan was edited. ${askForApproval(shown)}`;
  emitEffect(
    step,
    { kind: 'chat-reply', repository, chat, markdown, isInstead: true, asks: shown },
    { lane: `channel:${chat.channel}:${repositoryId}` },
  );
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
