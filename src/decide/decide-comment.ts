/** Comments on a thread: which runs, plans and conversations they are for. */
import { asking } from './plan/answers.ts';
import type { CommentAddress } from '../domain/run/talk.ts';
import type { ThreadRef } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import { listenTo } from './discussion/listen-to-people.ts';
import { beginTalk } from './talk/commands/take-talk.ts';
import { eraseDeleted } from './erase-deleted.ts';
import { readPlanAgain } from './plan/check-plan.ts';
import { onPlanningAnswer } from './plan/planning/start-planning.ts';
import { isToProposal, isWordForNobody } from './run/answers/proposals.ts';
import { onStandupEvent } from './kinds/standup/follow-up-thread.ts';
import { type Decision, ignored } from './run/decision.ts';
import type { ThreadState, ThreadContext } from './run/thread-context.ts';
import { RUN_KINDS } from './kinds/run-kinds.ts';
import { joinDecisions, ifDiscussion, forRuns } from './for-runs.ts';

export type ThreadTrigger = Extract<Trigger, { thread: ThreadRef }>;

type CommentTrigger = Extract<ThreadTrigger, { commentId: number }>;

export function isOfComment(trigger: ThreadTrigger): trigger is CommentTrigger {
  return 'commentId' in trigger;
}

export function decideComment(threadContext: ThreadContext, trigger: CommentTrigger): Decision {
  if (trigger.kind === 'commented') return onCommented(threadContext, trigger);
  if (trigger.kind === 'comment-deleted')
    return eraseDeleted(threadContext, trigger.thread, trigger.commentId);
  const told = onStandupEvent(threadContext, { kind: 'trigger', trigger }, RUN_KINDS.standup);
  return told ?? ignored(threadContext.state, 'no box is in it');
}

type Said = Extract<ThreadTrigger, { kind: 'commented' }>;

/** A comment is a word in a discussion that goes on, unless it only gives commands; what may be for us is read again. */
function onCommented(threadContext: ThreadContext, said: Said): Decision {
  const { address } = said;
  const isNoWord = address !== undefined && (address.isOnlyCommands || address.place === 'review');
  const inRuns = isNoWord
    ? ignored(threadContext.state, 'commands do not count as comments in a discussion')
    : forRuns(threadContext, (context) => ifDiscussion(context, (heard) => listenTo(heard, said)));
  const heard = said.isByBot
    ? inRuns
    : onPlanTrigger(threadContext, said, { heard: inRuns, isNoWord });
  if (address === undefined || isWordForNobody(threadContext.state, address)) return heard;
  const begun = beginTalk(threadContext, toPlan(threadContext.state, said, address));
  const effects = [...heard.effects, ...begun.effects];
  if (begun.ignored !== undefined)
    return { ...heard, effects, ...(heard.ignored !== undefined && { ignored: begun.ignored }) };
  return { state: begun.state, effects, events: [...heard.events, ...begun.events] };
}

/** A coder may have asked, or the PM, before it plans. */
function onPlanTrigger(
  threadContext: ThreadContext,
  { thread }: Said,
  { heard, isNoWord }: { heard: Decision; isNoWord: boolean },
): Decision {
  const { plan, planning } = threadContext.state;
  const isAsked = plan !== undefined && asking(plan).length > 0;
  const all = isAsked ? joinDecisions(heard, readPlanAgain(threadContext, thread)) : heard;
  if (planning?.phase.kind !== 'waiting' || isNoWord) return all;
  return joinDecisions(all, onPlanningAnswer(threadContext, planning));
}

/** To a plan or a proposal that waits it is a word of its own, whatever name it seems to begin with. */
function toPlan(state: ThreadState, said: Said, address: CommentAddress): Said {
  const isToPlan = address.word !== undefined && state.plan?.isWaiting === true;
  if (!isToPlan && !isToProposal(state, address)) return said;
  const { called: _, ...rest } = address;
  return { ...said, address: rest };
}
