/** One thread: which runs it has, and which of them an event is for. */
import { ignore, toIgnored, type Outcome } from './run/outcome.ts';
import type { Event, EventData } from '../domain/event/event.ts';
import { asking } from './plan/answers.ts';
import type { PlanState } from '../domain/plan/plan-view.ts';
import type { CommentAddress } from '../domain/run/talk.ts';
import type { ThreadRef } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import { cancelRun, listenTo, lookWhetherOver } from './discussion/listen-to-people.ts';
import { afterBuild, onBuilt } from './kinds/build/news.ts';
import { onOwnResult } from './own-results.ts';
import { beginTalk, onTalk } from './talk/commands/take-talk.ts';
import { eraseDeleted } from './erase-deleted.ts';
import { startFor } from './label-starts.ts';
import { noteWrite } from './run/unwritten.ts';
import {
  onTaskUpdate,
  readPlanAgain,
  onPlanFailure,
  onPlanTimer,
  onPlanView,
} from './plan/check-plan.ts';
import { onSlots } from './plan/plan-slots.ts';
import { journalMarks, wantJournal } from './plan/want-journal.ts';
import { noteShown } from './plan/note-shown.ts';
import { reportQueued, onPullLinked, notifyHeadMoved, notifyVerdict } from './plan/task-pull.ts';
import { findOvertaken, onOvertakenRun } from './discussion/on-overtaken.ts';
import { onPlanningAnswer } from './plan/planning/start-planning.ts';
import { onPlanning } from './plan/planning/on-planning.ts';
import { lookBack } from './kinds/review/afterwards.ts';
import { isToProposal, isWordForNobody } from './kinds/role-memory/proposals.ts';
import { onMerged } from './kinds/role-memory/start.ts';
import { reflectOn } from './kinds/reflection/start-reflection.ts';
import { reviewPushed, startReview } from './kinds/review/heads.ts';
import {
  createStep,
  readState,
  type Decision,
  type DecisionContext,
  ignored,
} from './run/decision.ts';
import {
  isDiscussionContext,
  isOfKind,
  isOpen,
  type DiscussionContext,
  THREAD_STATE_VERSION,
  type RunContext,
  type ThreadState,
  type ResultData,
  type ThreadContext,
} from './run/thread-context.ts';
import { RUN_KINDS, runKindOf, toRunContext } from './kinds/run-kinds.ts';

/** There is nothing left to write on. */
const UNREACHABLE = new Set(['deleted', 'transferred']);

type ThreadTrigger = Extract<Trigger, { thread: ThreadRef }>;

/** Reduces one event of a thread. */
export function decideThread(before: unknown, event: Event, { now }: DecisionContext): Decision {
  const state = readState<ThreadState>(before, { v: THREAD_STATE_VERSION, runs: {} });
  const context: ThreadContext = { state, event, now };
  const marks = journalMarks(state.plan);
  return wantJournal(reduceThread(context), { ...context, marks });
}

function reduceThread(threadContext: ThreadContext): Decision {
  const { state, event, now } = threadContext;
  const { data } = event;
  if (data.kind === 'trigger')
    return 'thread' in data.trigger
      ? decideTrigger(threadContext, data.trigger)
      : ignored(state, 'not for a thread');
  if (!isResult(data)) return onStreamEvent(threadContext, data);
  const own = onOwnResult(threadContext, data);
  if (own !== undefined) return own;
  if (state.plan?.id === data.run) return onPlanResult(threadContext, state.plan, data);
  if (state.planning?.id === data.run) return onPlanning(threadContext, state.planning, data);
  const talk = state.talks?.[data.run];
  if (talk !== undefined) return onTalk(threadContext, talk, data);
  const run = Object.values(state.runs).find((each) => each.id === data.run);
  if (run === undefined) return ignored(state, `run ${data.run} was replaced by a later one`);
  const context = toRunContext(state, run, createStep(event.key, run, now));
  noteWrite(run, data);
  const outcome = onRunResult(context, data);
  afterStep(context, event);
  return close(context, outcome);
}

/** What follows from a step of a run, whatever it did. */
function afterStep(context: RunContext, event: Event): void {
  if (isOfKind(context, 'pr_review')) {
    reviewPushed(context, event);
    notifyVerdict(context);
  }
  if (isOfKind(context, 'build_failure')) afterBuild(context, event);
  if (isDiscussionContext(context)) reflectOn(context, event, RUN_KINDS.reflection);
}

/** A task tells its plan where it stands, or its pull request that there is a new head. */
function onStreamEvent(threadContext: ThreadContext, data: EventData): Decision {
  const { state } = threadContext;
  if (data.kind === 'adopted') return onPullLinked(threadContext, data, RUN_KINDS.pr_review);
  if (data.kind === 'merged') return onMerged(threadContext, data, RUN_KINDS.role_memory);
  if (data.kind === 'proposed') return onProposed(threadContext, data);
  if (data.kind !== 'task-told' && data.kind !== 'places-given')
    return ignored(state, 'not for a thread');
  const { plan } = state;
  if (plan === undefined) return ignored(state, 'there is no plan here');
  return data.kind === 'task-told'
    ? onTaskUpdate(threadContext, plan, data.news)
    : onSlots(threadContext, plan, data);
}

/** Our own issue: nobody else tells us of it. */
function onProposed(
  threadContext: ThreadContext,
  { thread, isFollowUp }: Extract<EventData, { kind: 'proposed' }>,
): Decision {
  const read = readPlanAgain(threadContext, thread);
  if (isFollowUp === true && threadContext.state.plan !== undefined)
    threadContext.state.plan.isFollowUp = true;
  return read;
}

/** What came back to the thread's plan. */
function onPlanResult(threadContext: ThreadContext, plan: PlanState, data: ResultData): Decision {
  if (data.kind === 'done' && data.effectKind === 'look-plan')
    return onPlanView(threadContext, plan, { effectId: data.effectId, view: data.result });
  if (data.kind === 'failed' && data.effectKind === 'look-plan')
    return onPlanFailure(threadContext, plan, data.failure);
  if (data.kind === 'timer') return onPlanTimer(threadContext, plan, data.timer);
  if (data.kind === 'done' && data.effectKind === 'comment') {
    plan.commentId ??= data.result.id;
    noteShown(plan, data.effectId, data.result);
    return { state: threadContext.state, effects: [], events: [] };
  }
  return ignored(threadContext.state, 'nothing waits for it');
}

function close(context: RunContext, outcome: Outcome): Decision {
  return {
    state: context.state,
    effects: context.step.effects,
    events: context.step.events,
    ...toIgnored(outcome),
  };
}

function isResult(data: EventData): data is ResultData {
  return data.kind === 'done' || data.kind === 'failed' || data.kind === 'timer';
}

function onRunResult(context: RunContext, data: ResultData): Outcome {
  const overtaken = findOvertaken(data);
  return overtaken === undefined
    ? runKindOf(context.run).onEvent(context, data)
    : onOvertakenRun(context, overtaken);
}

type PullTrigger = Extract<ThreadTrigger, { kind: 'pull' | 'pull-changed' | 'queued' }>;

function isOfPull(trigger: ThreadTrigger): trigger is PullTrigger {
  return ['pull', 'pull-changed', 'queued'].includes(trigger.kind);
}

function decideTrigger(threadContext: ThreadContext, trigger: ThreadTrigger): Decision {
  if (isOfPull(trigger)) return decidePull(threadContext, trigger);
  switch (trigger.kind) {
    case 'labeled':
    case 'requested':
      return startFor(threadContext, { trigger, labels: [trigger.label] });
    case 'opened':
      return startFor(threadContext, { trigger, labels: trigger.labels });
    case 'unlabeled':
      return andPlan(
        threadContext,
        notifyHeadMoved(threadContext, unlabel(threadContext, trigger.label)),
      );
    case 'ended':
      return endThere(threadContext, trigger);
    case 'commented':
      return onCommented(threadContext, trigger);
    case 'comment-deleted':
      return eraseDeleted(threadContext, trigger.thread, trigger.commentId);
    case 'built':
      return onBuilt(threadContext, trigger, RUN_KINDS.build_failure);
    case 'edited':
    case 'reopened':
      return onEdited(threadContext, trigger.thread);
  }
}

function decidePull(threadContext: ThreadContext, trigger: PullTrigger): Decision {
  if (trigger.kind === 'queued') return reportQueued(threadContext, trigger);
  const decision =
    trigger.kind === 'pull'
      ? startReview(threadContext, trigger, RUN_KINDS.pr_review)
      : ignored(threadContext.state, 'no task waits for a merge here');
  return notifyHeadMoved(threadContext, decision);
}

function unlabel(threadContext: ThreadContext, label: string): Decision {
  return forRuns(threadContext, (context) =>
    context.run.label === label ? ifDiscussion(context, lookWhetherOver) : ignore('another label'),
  );
}

/** A plan lives in its words; every other run reads them before each step. */
function onEdited(threadContext: ThreadContext, thread: ThreadRef): Decision {
  return threadContext.state.plan === undefined
    ? ignored(threadContext.state, 'the thread is read again before every step')
    : readPlanAgain(threadContext, thread);
}

/** Whether it is a plan still, and whether anything holds it, the next look tells. */
function andPlan(threadContext: ThreadContext, decision: Decision): Decision {
  const { plan } = threadContext.state;
  if (plan === undefined) return decision;
  const read = readPlanAgain(threadContext, plan.thread);
  const { ignored: _, ...rest } = decision;
  return { ...rest, state: read.state, effects: [...decision.effects, ...read.effects] };
}

function endThere(
  threadContext: ThreadContext,
  trigger: Extract<ThreadTrigger, { kind: 'ended' }>,
): Decision {
  const ended = andPlan(threadContext, notifyHeadMoved(threadContext, end(threadContext, trigger)));
  return trigger.how === 'deleted'
    ? join(ended, eraseDeleted(threadContext, trigger.thread))
    : ended;
}

function end(
  threadContext: ThreadContext,
  { how, thread }: Extract<ThreadTrigger, { kind: 'ended' }>,
) {
  const ended = forRuns(threadContext, (context) =>
    UNREACHABLE.has(how)
      ? cancelRun(context, `the thread was ${how}`, { quietly: true })
      : ifDiscussion(context, lookWhetherOver),
  );
  const heard = how === 'closed' ? lookBack(threadContext, thread) : ended;
  if (how !== 'closed' || heard.ignored !== undefined) return ended;
  const effects = [...ended.effects, ...heard.effects];
  return { ...heard, effects, events: [...ended.events, ...heard.events] };
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
  if (begun.ignored !== undefined) return heard;
  const effects = [...heard.effects, ...begun.effects];
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
  const all = isAsked ? join(heard, readPlanAgain(threadContext, thread)) : heard;
  if (planning?.phase.kind !== 'waiting' || isNoWord) return all;
  return join(all, onPlanningAnswer(threadContext, planning));
}

function join(first: Decision, then: Decision): Decision {
  const effects = [...first.effects, ...then.effects];
  return { state: then.state, effects, events: [...first.events, ...then.events] };
}

/** To a plan or a proposal that waits it is a word of its own, whatever name it seems to begin with. */
function toPlan(state: ThreadState, said: Said, address: CommentAddress): Said {
  const isToPlan = address.word !== undefined && state.plan?.isWaiting === true;
  if (!isToPlan && !isToProposal(state, address)) return said;
  const { called: _, ...rest } = address;
  return { ...said, address: rest };
}

/** A standalone run is no discussion: neither words nor the thread's end move it. */
function ifDiscussion(context: RunContext, take: (context: DiscussionContext) => Outcome): Outcome {
  return isDiscussionContext(context) ? take(context) : ignore('a standalone run is no discussion');
}

/** Lets every run that is not over have a look at the event. */
function forRuns(
  { state, event, now }: ThreadContext,
  take: (context: RunContext) => Outcome,
): Decision {
  const open = Object.values(state.runs).filter((run) => isOpen(run));
  if (open.length === 0) return ignored(state, 'nothing is being discussed here');
  const decisions = open.map((run) => {
    const context = toRunContext(state, run, createStep(event.key, run, now));
    return close(context, take(context));
  });
  const reasons = decisions.map((each) => each.ignored);
  const all = {
    state,
    effects: decisions.flatMap((each) => each.effects),
    events: decisions.flatMap((each) => each.events),
  };
  const first = reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
  return first === undefined ? all : { ...all, ignored: first };
}
