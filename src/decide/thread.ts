/** One thread: which runs it has, and which of them an event is for. */
import type { EffectKind } from '../domain/event/effect.ts';
import { ignore, toIgnored, type Outcome } from './run/outcome.ts';
import type { Event, EventData } from '../domain/event/event.ts';
import { asking } from './plan/answers.ts';
import type { PlanState } from '../domain/plan/plan-view.ts';
import type { CommentAddress } from '../domain/run/talk.ts';
import type { ThreadRef } from '../domain/run/thread-ref.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import { cancelRun, listenTo, lookWhetherOver } from './discussion/listen-to-people.ts';
import { afterBuild, onBuilt } from './kinds/build/news.ts';
import { beginTalk, onTalk } from './talk/commands/take-talk.ts';
import { erase } from './erase-deleted.ts';
import { startFor, onLabelResolved } from './label-starts.ts';
import { noteWrite } from './run/unwritten.ts';
import {
  onTaskUpdate,
  readPlanAgain,
  onPlanFailure,
  onPlanTimer,
  onPlanView,
} from './plan/check-plan.ts';
import { onSlots } from './plan/plan-slots.ts';
import { noteShown } from './plan/note-shown.ts';
import { reportQueued, onPullLinked, notifyHeadMoved, notifyVerdict } from './plan/task-pull.ts';
import { findOvertaken, onOvertakenRun, onOvertakenAnswer } from './discussion/on-overtaken.ts';
import { onPlanningAnswer } from './plan/planning/start-planning.ts';
import { onPlanning } from './plan/planning/on-planning.ts';
import { lookBack, onFeedback } from './kinds/review/afterwards.ts';
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
  const { data } = event;
  const occasion: ThreadContext = { state, event, now };
  if (data.kind === 'trigger')
    return 'thread' in data.trigger
      ? decideTrigger(occasion, data.trigger)
      : ignored(state, 'not for a thread');
  if (!isResult(data)) return onStreamEvent(occasion, data);
  const own = onOwnResult(occasion, data);
  if (own !== undefined) return own;
  if (state.plan?.id === data.run) return onPlanResult(occasion, state.plan, data);
  if (state.planning?.id === data.run) return onPlanning(occasion, state.planning, data);
  const talk = state.talks?.[data.run];
  if (talk !== undefined) return onTalk(occasion, talk, data);
  const run = Object.values(state.runs).find((each) => each.id === data.run);
  if (run === undefined) return ignored(state, `run ${data.run} was replaced by a later one`);
  const scene = toRunContext(state, run, createStep(event.key, run, now));
  noteWrite(run, data);
  const outcome = onRunResult(scene, data);
  afterStep(scene, event);
  return close(scene, outcome);
}

/** What follows from a step of a run, whatever it did. */
function afterStep(scene: RunContext, event: Event): void {
  if (isOfKind(scene, 'pr_review')) {
    reviewPushed(scene, event);
    notifyVerdict(scene);
  }
  if (isOfKind(scene, 'build_failure')) afterBuild(scene, event);
}

/** A task tells its plan where it stands, or its pull request that there is a new head. */
function onStreamEvent(occasion: ThreadContext, data: EventData): Decision {
  const { state } = occasion;
  if (data.kind === 'adopted') return onPullLinked(occasion, data, RUN_KINDS.pr_review);
  if (data.kind === 'proposed') return onProposed(occasion, data);
  if (data.kind !== 'task-told' && data.kind !== 'places-given')
    return ignored(state, 'not for a thread');
  const { plan } = state;
  if (plan === undefined) return ignored(state, 'there is no plan here');
  return data.kind === 'task-told'
    ? onTaskUpdate(occasion, plan, data.news)
    : onSlots(occasion, plan, data);
}

/** Our own issue: nobody else tells us of it. */
function onProposed(
  occasion: ThreadContext,
  { thread, isFollowUp }: Extract<EventData, { kind: 'proposed' }>,
): Decision {
  const read = readPlanAgain(occasion, thread);
  if (isFollowUp === true && occasion.state.plan !== undefined)
    occasion.state.plan.isFollowUp = true;
  return read;
}

/** What comes back to the thread itself and asks for nothing. */
const NOTHING_TO_DO: Readonly<Partial<Record<EffectKind, string>>> = {
  'report-group': 'the merge queue has its checks',
  'test-head': 'the check says how the tests ended',
  erase: 'what was deleted is erased',
};

/** What came back to the thread itself, and to none of its runs; undefined for all else. */
function onOwnResult(occasion: ThreadContext, data: ResultData): Decision | undefined {
  if (data.kind === 'timer') return undefined;
  const overtaken = findOvertaken(data);
  if (overtaken !== undefined) return onOvertakenAnswer(occasion, overtaken);
  const { effectKind } = data;
  const nothing = NOTHING_TO_DO[effectKind];
  const isOwn = nothing ?? (effectKind === 'name-label' || effectKind === 'look-feedback');
  if (isOwn === false) return undefined;
  if (data.kind === 'failed')
    return ignored(occasion.state, `${effectKind} failed: ${data.failure.code}`);
  if (data.effectKind === 'name-label') return onLabelResolved(occasion, data.result);
  if (data.effectKind === 'look-feedback') return onFeedback(occasion, data);
  return ignored(occasion.state, nothing ?? '');
}

/** What came back to the thread's plan. */
function onPlanResult(occasion: ThreadContext, plan: PlanState, data: ResultData): Decision {
  if (data.kind === 'done' && data.effectKind === 'look-plan')
    return onPlanView(occasion, plan, { effectId: data.effectId, view: data.result });
  if (data.kind === 'failed' && data.effectKind === 'look-plan')
    return onPlanFailure(occasion, plan, data.failure);
  if (data.kind === 'timer') return onPlanTimer(occasion, plan, data.timer);
  if (data.kind === 'done' && data.effectKind === 'comment') {
    plan.commentId ??= data.result.id;
    noteShown(plan, data.effectId, data.result);
  }
  return ignored(occasion.state, 'nothing waits for it');
}

function close(scene: RunContext, outcome: Outcome): Decision {
  return {
    state: scene.state,
    effects: scene.step.effects,
    events: scene.step.events,
    ...toIgnored(outcome),
  };
}

function isResult(data: EventData): data is ResultData {
  return data.kind === 'done' || data.kind === 'failed' || data.kind === 'timer';
}

function onRunResult(scene: RunContext, data: ResultData): Outcome {
  const overtaken = findOvertaken(data);
  return overtaken === undefined
    ? runKindOf(scene.run).onEvent(scene, data)
    : onOvertakenRun(scene, overtaken);
}

type PullTrigger = Extract<ThreadTrigger, { kind: 'pull' | 'pull-changed' | 'queued' }>;

function isOfPull(trigger: ThreadTrigger): trigger is PullTrigger {
  return ['pull', 'pull-changed', 'queued'].includes(trigger.kind);
}

function decideTrigger(occasion: ThreadContext, trigger: ThreadTrigger): Decision {
  if (isOfPull(trigger)) return decidePull(occasion, trigger);
  switch (trigger.kind) {
    case 'labeled':
    case 'requested':
      return startFor(occasion, { trigger, labels: [trigger.label] });
    case 'opened':
      return startFor(occasion, { trigger, labels: trigger.labels });
    case 'unlabeled':
      return andPlan(occasion, notifyHeadMoved(occasion, unlabel(occasion, trigger.label)));
    case 'ended':
      return endThere(occasion, trigger);
    case 'commented':
      return onCommented(occasion, trigger);
    case 'comment-deleted':
      return erase(occasion, trigger.thread, trigger.commentId);
    case 'built':
      return onBuilt(occasion, trigger, RUN_KINDS.build_failure);
    case 'edited':
    case 'reopened':
      return onEdited(occasion, trigger.thread);
  }
}

function decidePull(occasion: ThreadContext, trigger: PullTrigger): Decision {
  if (trigger.kind === 'queued') return reportQueued(occasion, trigger);
  const decision =
    trigger.kind === 'pull'
      ? startReview(occasion, trigger, RUN_KINDS.pr_review)
      : ignored(occasion.state, 'no task waits for a merge here');
  return notifyHeadMoved(occasion, decision);
}

function unlabel(occasion: ThreadContext, label: string): Decision {
  return forRuns(occasion, (scene) =>
    scene.run.label === label ? ifDiscussion(scene, lookWhetherOver) : ignore('another label'),
  );
}

/** A plan lives in its words; every other run reads them before each step. */
function onEdited(occasion: ThreadContext, thread: ThreadRef): Decision {
  return occasion.state.plan === undefined
    ? ignored(occasion.state, 'the thread is read again before every step')
    : readPlanAgain(occasion, thread);
}

/** Whether it is a plan still, and whether anything holds it, the next look tells. */
function andPlan(occasion: ThreadContext, decision: Decision): Decision {
  const { plan } = occasion.state;
  if (plan === undefined) return decision;
  const read = readPlanAgain(occasion, plan.thread);
  const { ignored: _, ...rest } = decision;
  return { ...rest, state: read.state, effects: [...decision.effects, ...read.effects] };
}

function endThere(
  occasion: ThreadContext,
  trigger: Extract<ThreadTrigger, { kind: 'ended' }>,
): Decision {
  const ended = andPlan(occasion, notifyHeadMoved(occasion, end(occasion, trigger)));
  return trigger.how === 'deleted' ? join(ended, erase(occasion, trigger.thread)) : ended;
}

function end(occasion: ThreadContext, { how, thread }: Extract<ThreadTrigger, { kind: 'ended' }>) {
  const ended = forRuns(occasion, (scene) =>
    UNREACHABLE.has(how)
      ? cancelRun(scene, `the thread was ${how}`, { quietly: true })
      : ifDiscussion(scene, lookWhetherOver),
  );
  const heard = how === 'closed' ? lookBack(occasion, thread) : ended;
  if (how !== 'closed' || heard.ignored !== undefined) return ended;
  const effects = [...ended.effects, ...heard.effects];
  return { ...heard, effects, events: [...ended.events, ...heard.events] };
}

type Said = Extract<ThreadTrigger, { kind: 'commented' }>;

/** A comment is a word in a discussion that goes on, unless it only gives commands; what may be for us is read again. */
function onCommented(occasion: ThreadContext, said: Said): Decision {
  const { address } = said;
  const isNoWord = address !== undefined && (address.isOnlyCommands || address.place === 'review');
  const inRuns = isNoWord
    ? ignored(occasion.state, 'commands do not count as comments in a discussion')
    : forRuns(occasion, (scene) => ifDiscussion(scene, (heard) => listenTo(heard, said)));
  const heard = said.isByBot ? inRuns : onPlanTrigger(occasion, said, { heard: inRuns, isNoWord });
  if (address === undefined || isWordForNoPlan(occasion.state, address)) return heard;
  const begun = beginTalk(occasion, toPlan(occasion.state, said, address));
  if (begun.ignored !== undefined) return heard;
  const effects = [...heard.effects, ...begun.effects];
  return { state: begun.state, effects, events: [...heard.events, ...begun.events] };
}

/** A coder may have asked, or the PM, before it plans. */
function onPlanTrigger(
  occasion: ThreadContext,
  { thread }: Said,
  { heard, isNoWord }: { heard: Decision; isNoWord: boolean },
): Decision {
  const { plan, planning } = occasion.state;
  const isAsked = plan !== undefined && asking(plan).length > 0;
  const all = isAsked ? join(heard, readPlanAgain(occasion, thread)) : heard;
  if (planning?.phase.kind !== 'waiting' || isNoWord) return all;
  return join(all, onPlanningAnswer(occasion, planning));
}

/** A yes or a no is for a plan that waits for it, and for nothing else. */
function isWordForNoPlan({ plan }: ThreadState, { isYes, isForPlan }: CommentAddress): boolean {
  return (isYes === true || isForPlan === true) && plan?.isWaiting !== true;
}

function join(first: Decision, then: Decision): Decision {
  const effects = [...first.effects, ...then.effects];
  return { state: then.state, effects, events: [...first.events, ...then.events] };
}

/** To a plan that waits it is a word of its own, whatever name it seems to begin with. */
function toPlan({ plan }: ThreadState, said: Said, address: CommentAddress): Said {
  if (address.word === undefined || plan?.isWaiting !== true) return said;
  const { called: _, ...rest } = address;
  return { ...said, address: rest };
}

/** A standalone run is no discussion: neither words nor the thread's end move it. */
function ifDiscussion(scene: RunContext, take: (scene: DiscussionContext) => Outcome): Outcome {
  return isDiscussionContext(scene) ? take(scene) : ignore('a standalone run is no discussion');
}

/** Lets every run that is not over have a look at the event. */
function forRuns(
  { state, event, now }: ThreadContext,
  take: (scene: RunContext) => Outcome,
): Decision {
  const open = Object.values(state.runs).filter((run) => isOpen(run));
  if (open.length === 0) return ignored(state, 'nothing is being discussed here');
  const decisions = open.map((run) => {
    const scene = toRunContext(state, run, createStep(event.key, run, now));
    return close(scene, take(scene));
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
