/**
 * Buttons of a plan or a pull request in a channel: kept until somebody answers, wherever that is, and then replaced by who
 * it was. When a plan's text changes meanwhile, they follow. After a rejection they return with the next text.
 */
import type { AskedPost, ChannelsState } from '../../../domain/channel/channels-state.ts';
import {
  askForApproval,
  describeHeadAnswer,
  describePlanAnswer,
  type Approvable,
  type HeadAnswer,
  type PlanAnswer,
} from '../../../domain/channel/approval-click.ts';
import type { Announced } from '../../../domain/channel/announce/announcement.ts';
import type { PlanState } from '../../../domain/plan/plan-view.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../../run/decision.ts';

/** Plans and heads of which this is kept; older ones keep their buttons, and a press is refused where the plan has moved on. */
const MOST_ASKED = 100;

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

/** Something waits for approval again: an answer of before, or the text that was shown then, is not about that. */
export function forgetAnswer(state: ChannelsState, subject: string, announced: Announced): void {
  if (announced.event === 'plan-proposed') {
    delete state.answers?.[subject];
    delete state.shown?.[subject];
  }
  if (announced.event === 'needs-human' && announced.headSha !== undefined)
    delete state.headAnswers?.[subject];
}

/** The buttons are there now. Somebody may have answered while they were sent. */
export function rememberAsked(
  settling: Settling,
  asked: Readonly<Record<string, AskedPost>>,
): void {
  const { state } = settling;
  for (const [subject, each] of Object.entries(asked)) {
    state.asked = keepNewest({ ...state.asked, [subject]: each });
    if (each.of === 'head') settleHead(settling, subject);
    else {
      renew(settling, subject);
      settle(settling, subject);
    }
  }
}

export function onPlanAnswered(settling: Settling, subject: string, answer: PlanAnswer): void {
  const { state } = settling;
  state.answers = keepNewest({ ...state.answers, [subject]: answer });
  settle(settling, subject);
}

export function onHeadAnswered(settling: Settling, subject: string, answer: HeadAnswer): void {
  const { state } = settling;
  state.headAnswers = keepNewest({ ...state.headAnswers, [subject]: answer });
  settleHead(settling, subject);
}

export function onPlanShown(settling: Settling, subject: string, digest: string): void {
  const { state } = settling;
  state.shown = keepNewest({ ...state.shown, [subject]: digest });
  renew(settling, subject);
}

/** A press of a button that is about an earlier text would only be refused. */
function renew(settling: Settling, subject: string): void {
  const { state, repository } = settling;
  const [asked, digest] = [state.asked?.[subject], state.shown?.[subject]];
  if (asked === undefined || digest === undefined || asked.digest === digest) return;
  asked.digest = digest;
  delete asked.isRejected;
  const { repositoryId } = repository;
  const shown = { repositoryId, number: Number(subject.split('/').at(-1)), digest };
  replace(settling, asked, {
    markdown: `The plan was edited. ${askForApproval(shown)}`,
    asks: shown,
  });
}

/** An answer to another text leaves the buttons: they are refused by themselves. */
function settle(settling: Settling, subject: string): void {
  const { state } = settling;
  const [asked, answer] = [state.asked?.[subject], state.answers?.[subject]];
  if (asked === undefined || answer === undefined || asked.digest !== answer.digest) return;
  const isRejected = answer.verb === 'reject';
  if (isRejected && asked.isRejected === true) return;
  if (isRejected) asked.isRejected = true;
  else delete state.asked?.[subject];
  replace(settling, asked, { markdown: describePlanAnswer(answer) });
}

function settleHead(settling: Settling, subject: string): void {
  const { state } = settling;
  const [asked, answer] = [state.asked?.[subject], state.headAnswers?.[subject]];
  if (asked === undefined || answer === undefined || asked.digest !== answer.headSha) return;
  delete state.asked?.[subject];
  replace(settling, asked, { markdown: describeHeadAnswer(answer) });
}

/** Without `asks` its buttons go. */
function replace(
  { step, repository }: Settling,
  { chat }: AskedPost,
  by: { markdown: string; asks?: Approvable },
): void {
  emitEffect(
    step,
    { kind: 'chat-reply', repository, chat, isInstead: true, ...by },
    {
      lane: `channel:${chat.channel}:${repository.repositoryId}`,
      // What it shows takes the place of what was shown before, so a newer one is enough.
      slot: `buttons:${chat.channel}/${chat.place}/${chat.message}`,
      isUnheard: true,
    },
  );
}

/** Of the newest subjects only. */
export function keepNewest<T>(all: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(all).slice(-MOST_ASKED));
}
