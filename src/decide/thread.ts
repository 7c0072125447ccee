/** One thread: which runs it has, and which of them an event is for. */
import { ignore, type Outcome } from './run/outcome.ts';
import type { Event, EventData } from '../domain/event/event.ts';
import type { PlanState } from '../domain/plan/plan-view.ts';
import type { ThreadRef } from '../domain/run/thread-ref.ts';
import { cancelRun, lookWhetherOver } from './discussion/listen-to-people.ts';
import { afterBuild, onBuilt } from './kinds/build/news.ts';
import { onOwnResult } from './own-results.ts';
import { onTalk } from './talk/commands/take-talk.ts';
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
import { marksOf, wantJournal } from './plan/want-journal.ts';
import { noteShown } from './plan/note-shown.ts';
import { reportQueued, onPullLinked, notifyHeadMoved, notifyVerdict } from './plan/task-pull.ts';
import { findOvertaken, onOvertakenRun } from './discussion/on-overtaken.ts';
import { onPlanning } from './plan/planning/on-planning.ts';
import { lookBack } from './kinds/review/afterwards.ts';
import { onMerged } from './kinds/role-memory/start.ts';
import { consolidateAfter } from './kinds/consolidation/start.ts';
import { reflectOn } from './kinds/reflection/start-reflection.ts';
import { endOf, lookBackOnPlan } from './kinds/standup/start-standup.ts';
import { endFollowUpThread, onStandupEvent } from './kinds/standup/follow-up-thread.ts';
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
  THREAD_STATE_VERSION,
  type RunContext,
  type ThreadState,
  type ResultData,
  type ThreadContext,
} from './run/thread-context.ts';
import { RUN_KINDS, runKindOf, toRunContext } from './kinds/run-kinds.ts';
import { toDecision, joinDecisions, ifDiscussion, forRuns } from './for-runs.ts';
import { type ThreadTrigger, isOfComment, decideComment } from './decide-comment.ts';

/** There is nothing left to write on. */
const UNREACHABLE = new Set(['deleted', 'transferred']);

/** Reduces one event of a thread. */
export function decideThread(before: unknown, event: Event, { now }: DecisionContext): Decision {
  const state = readState<ThreadState>(before, { v: THREAD_STATE_VERSION, runs: {} });
  const context: ThreadContext = { state, event, now };
  const marks = marksOf(state);
  const standup = { before: endOf(state.plan), runKind: RUN_KINDS.standup };
  const reduced = lookBackOnPlan(reduceThread(context), context, standup);
  return wantJournal(reduced, { ...context, marks });
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
  return toDecision(context, outcome);
}

/** What follows from a step of a run, whatever it did. */
function afterStep(context: RunContext, event: Event): void {
  if (isOfKind(context, 'pr_review')) {
    reviewPushed(context, event);
    notifyVerdict(context);
  }
  if (isOfKind(context, 'build_failure')) afterBuild(context, event);
  if (isOfKind(context, 'reflection')) consolidateAfter(context, event, RUN_KINDS.consolidation);
  if (isDiscussionContext(context)) reflectOn(context, event, RUN_KINDS.reflection);
}

/** A task reports its state to its plan, or a new head to its pull request. */
function onStreamEvent(threadContext: ThreadContext, data: EventData): Decision {
  const { state } = threadContext;
  if (data.kind === 'adopted') return onPullLinked(threadContext, data, RUN_KINDS.pr_review);
  if (data.kind === 'merged') return onMerged(threadContext, data, RUN_KINDS.role_memory);
  if (data.kind === 'proposed') return onProposed(threadContext, data);
  const standup = onStandupEvent(threadContext, data, RUN_KINDS.standup);
  if (standup !== undefined) return standup;
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
  { thread, from, isFollowUp }: Extract<EventData, { kind: 'proposed' }>,
): Decision {
  const read = readPlanAgain(threadContext, thread);
  const { plan } = threadContext.state;
  if (plan !== undefined && isFollowUp === true) plan.isFollowUp = true;
  else if (plan !== undefined) plan.grewFrom = from;
  return read;
}

/** A result for the thread's plan. */
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
  if (isOfComment(trigger)) return decideComment(threadContext, trigger);
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
  const followUp = endFollowUpThread(threadContext, trigger);
  const moved = notifyHeadMoved(threadContext, end(threadContext, trigger));
  const ended = andPlan(
    threadContext,
    followUp === undefined ? moved : joinDecisions(moved, followUp),
  );
  return trigger.how === 'deleted'
    ? joinDecisions(ended, eraseDeleted(threadContext, trigger.thread))
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
