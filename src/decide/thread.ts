/** One thread: which runs it has, and which of them an event is for. */
import type { Event, EventData } from '../domain/event.ts';
import { asking } from './plan/answers.ts';
import type { PlanState } from '../domain/plan/plan-view.ts';
import type { CommentAddress } from '../domain/talk.ts';
import type { ThreadRef } from '../domain/thread.ts';
import type { Trigger } from '../domain/trigger.ts';
import {
  cancelRun,
  listenTo,
  lookWhetherOver,
  remind,
  resumeAfterListening,
} from './council/people.ts';
import { takeBuild } from './build/look.ts';
import { afterBuild, takeBuilt } from './build/news.ts';
import { takeAnswer, takeFailure } from './council/answers.ts';
import { beginTalk, takeTalk } from './commands/take-talk.ts';
import { startFor, takeNamedLabel } from './labels.ts';
import { noteWrite } from './council/unwritten.ts';
import {
  hearTask,
  readPlanAgain,
  takePlanFailure,
  takePlanTimer,
  takePlanView,
} from './plan/check-plan.ts';
import { takePlaces } from './plan/places.ts';
import { noteShown } from './plan/shown.ts';
import { reportQueued, takeAdopted, tellMoved, tellVerdict } from './plan/task-pull.ts';
import { takeView } from './council/look.ts';
import { hearAnswer } from './planning/start.ts';
import { takePlanning } from './planning/take.ts';
import { lookBack, takeFeedback } from './review/afterwards.ts';
import { takePull } from './review/look.ts';
import { reviewPushed, startReview, takePosted } from './review/heads.ts';
import { createStep, readState, type Decision, type Moment, ignored } from './decision.ts';
import {
  isOpen,
  THREAD_STATE_VERSION,
  type Scene,
  type ThreadState,
  type ResultData,
  type Occasion,
} from './scene.ts';
import { sceneOf } from './strategies.ts';

/** There is nothing left to write on. */
const UNREACHABLE = new Set(['deleted', 'transferred']);

type ThreadTrigger = Extract<Trigger, { thread: ThreadRef }>;

/** Reduces one event of a thread. */
export function decideThread(before: unknown, event: Event, { now }: Moment): Decision {
  const state = readState<ThreadState>(before, { v: THREAD_STATE_VERSION, runs: {} });
  const { data } = event;
  const occasion: Occasion = { state, event, now };
  if (data.kind === 'trigger')
    return 'thread' in data.trigger
      ? decideTrigger(occasion, data.trigger)
      : ignored(state, 'not for a thread');
  if (!isResult(data)) return hearStream(occasion, data);
  const own = takeOwnResult(occasion, data);
  if (own !== undefined) return own;
  if (state.plan?.id === data.run) return takePlanResult(occasion, state.plan, data);
  if (state.planning?.id === data.run) return takePlanning(occasion, state.planning, data);
  const talk = state.talks?.[data.run];
  if (talk !== undefined) return takeTalk(occasion, talk, data);
  const run = Object.values(state.runs).find((each) => each.id === data.run);
  if (run === undefined) return ignored(state, `run ${data.run} was replaced by a later one`);
  const scene = sceneOf(state, run, createStep(event.key, run, now));
  noteWrite(run, data);
  const reason = takeResult(scene, data);
  reviewPushed(scene, event);
  tellVerdict(scene);
  afterBuild(scene, event);
  return close(scene, reason);
}

/** A task tells its plan where it stands, or its pull request that there is a new head. */
function hearStream(occasion: Occasion, data: EventData): Decision {
  const { state } = occasion;
  if (data.kind === 'adopted') return takeAdopted(occasion, data);
  if (data.kind === 'proposed') return takeProposed(occasion, data);
  if (data.kind !== 'task-told' && data.kind !== 'places-given')
    return ignored(state, 'not for a thread');
  const { plan } = state;
  if (plan === undefined) return ignored(state, 'there is no plan here');
  return data.kind === 'task-told'
    ? hearTask(occasion, plan, data.news)
    : takePlaces(occasion, plan, data);
}

/** Our own issue: nobody else tells us of it. */
function takeProposed(
  occasion: Occasion,
  { thread, isFollowUp }: Extract<EventData, { kind: 'proposed' }>,
): Decision {
  const read = readPlanAgain(occasion, thread);
  if (isFollowUp === true && occasion.state.plan !== undefined)
    occasion.state.plan.isFollowUp = true;
  return read;
}

/** What came back to the thread itself, and to none of its runs; undefined for all else. */
function takeOwnResult(occasion: Occasion, data: ResultData): Decision | undefined {
  if (data.kind === 'timer') return undefined;
  const { effectKind } = data;
  if (
    effectKind !== 'name-label' &&
    effectKind !== 'look-feedback' &&
    effectKind !== 'report-group'
  )
    return undefined;
  if (data.kind === 'failed')
    return ignored(occasion.state, `${effectKind} failed: ${data.failure.code}`);
  switch (data.effectKind) {
    case 'name-label':
      return takeNamedLabel(occasion, data.result);
    case 'look-feedback':
      return takeFeedback(occasion, data);
    case 'report-group':
      return ignored(occasion.state, 'the merge queue was told');
  }
}

/** What came back to the thread's plan. */
function takePlanResult(occasion: Occasion, plan: PlanState, data: ResultData): Decision {
  if (data.kind === 'done' && data.effectKind === 'look-plan')
    return takePlanView(occasion, plan, { effectId: data.effectId, view: data.result });
  if (data.kind === 'failed' && data.effectKind === 'look-plan')
    return takePlanFailure(occasion, plan, data.failure);
  if (data.kind === 'timer') return takePlanTimer(occasion, plan, data.timer);
  if (data.kind === 'done' && data.effectKind === 'comment') {
    plan.commentId ??= data.result.id;
    noteShown(plan, data.effectId, data.result);
  }
  return ignored(occasion.state, 'nothing waits for it');
}

function close(scene: Scene, reason: string | undefined): Decision {
  return {
    state: scene.state,
    effects: scene.step.effects,
    events: scene.step.events,
    ...(reason === undefined ? {} : { ignored: reason }),
  };
}

function isResult(data: EventData): data is ResultData {
  return data.kind === 'done' || data.kind === 'failed' || data.kind === 'timer';
}

/** Returns why there was nothing to do, or undefined. */
function takeResult(scene: Scene, data: ResultData): string | undefined {
  if (scene.strategy.take !== undefined) return scene.strategy.take(scene, data);
  switch (data.kind) {
    case 'timer':
      return data.timer.endsWith('-reminder')
        ? remind(scene, data.timer)
        : resumeAfterListening(scene, data.timer);
    case 'failed':
      return data.effectKind === 'review' ? takePosted(scene, data) : takeFailure(scene, data);
    case 'done':
      if (data.effectKind === 'review') return takePosted(scene, data);
      if (data.effectKind === 'look') return takeView(scene, data);
      if (data.effectKind === 'look-pull') return takePull(scene, data);
      if (data.effectKind === 'look-build') return takeBuild(scene, data);
      if (data.effectKind === 'ask') return takeAnswer(scene, data);
      return undefined;
  }
}

type PullTrigger = Extract<ThreadTrigger, { kind: 'pull' | 'pull-changed' | 'queued' }>;

function isOfPull(trigger: ThreadTrigger): trigger is PullTrigger {
  return ['pull', 'pull-changed', 'queued'].includes(trigger.kind);
}

function decideTrigger(occasion: Occasion, trigger: ThreadTrigger): Decision {
  if (isOfPull(trigger)) return decidePull(occasion, trigger);
  switch (trigger.kind) {
    case 'labeled':
    case 'requested':
      return startFor(occasion, { trigger, labels: [trigger.label] });
    case 'opened':
      return startFor(occasion, { trigger, labels: trigger.labels });
    case 'unlabeled':
      return andPlan(occasion, tellMoved(occasion, unlabel(occasion, trigger.label)));
    case 'ended':
      return andPlan(occasion, tellMoved(occasion, end(occasion, trigger)));
    case 'commented':
      return hear(occasion, trigger);
    case 'built':
      return takeBuilt(occasion, trigger);
    case 'edited':
    case 'reopened':
      return hearWords(occasion, trigger.thread);
  }
}

function decidePull(occasion: Occasion, trigger: PullTrigger): Decision {
  if (trigger.kind === 'queued') return reportQueued(occasion, trigger);
  const decision =
    trigger.kind === 'pull'
      ? startReview(occasion, trigger)
      : ignored(occasion.state, 'no task waits for a merge here');
  return tellMoved(occasion, decision);
}

function unlabel(occasion: Occasion, label: string): Decision {
  return forRuns(occasion, (scene) =>
    scene.run.label === label ? lookWhetherOver(scene) : 'another label',
  );
}

/** A plan lives in its words; every other run reads them before each step. */
function hearWords(occasion: Occasion, thread: ThreadRef): Decision {
  return occasion.state.plan === undefined
    ? ignored(occasion.state, 'the thread is read again before every step')
    : readPlanAgain(occasion, thread);
}

/** Whether it is a plan still, and whether anything holds it, the next look tells. */
function andPlan(occasion: Occasion, decision: Decision): Decision {
  const { plan } = occasion.state;
  if (plan === undefined) return decision;
  const read = readPlanAgain(occasion, plan.thread);
  const { ignored: _, ...rest } = decision;
  return { ...rest, state: read.state, effects: [...decision.effects, ...read.effects] };
}

function end(occasion: Occasion, { how, thread }: Extract<ThreadTrigger, { kind: 'ended' }>) {
  const ended = forRuns(occasion, (scene) =>
    UNREACHABLE.has(how)
      ? cancelRun(scene, `the thread was ${how}`, { quietly: true })
      : unlessErrand(scene, lookWhetherOver),
  );
  const heard = how === 'closed' ? lookBack(occasion, thread) : ended;
  if (how !== 'closed' || heard.ignored !== undefined) return ended;
  const effects = [...ended.effects, ...heard.effects];
  return { ...heard, effects, events: [...ended.events, ...heard.events] };
}

type Said = Extract<ThreadTrigger, { kind: 'commented' }>;

/** A comment is a word in a discussion that goes on, unless it only gives commands; what may be for us is read again. */
function hear(occasion: Occasion, said: Said): Decision {
  const { address } = said;
  const isNoWord = address !== undefined && (address.isOnlyCommands || address.place === 'review');
  const inRuns = isNoWord
    ? ignored(occasion.state, 'commands are no word in a discussion')
    : forRuns(occasion, (scene) => unlessErrand(scene, () => listenTo(scene, said)));
  const heard = said.isByBot ? inRuns : hearForPlan(occasion, said, { heard: inRuns, isNoWord });
  if (address === undefined || isWordForNoPlan(occasion.state, address)) return heard;
  const begun = beginTalk(occasion, toPlan(occasion.state, said, address));
  if (begun.ignored !== undefined) return heard;
  const effects = [...heard.effects, ...begun.effects];
  return { state: begun.state, effects, events: [...heard.events, ...begun.events] };
}

/** A coder may have asked, or the PM, before it plans. */
function hearForPlan(
  occasion: Occasion,
  { thread }: Said,
  { heard, isNoWord }: { heard: Decision; isNoWord: boolean },
): Decision {
  const { plan, planning } = occasion.state;
  const isAsked = plan !== undefined && asking(plan).length > 0;
  const all = isAsked ? join(heard, readPlanAgain(occasion, thread)) : heard;
  if (planning?.phase.kind !== 'waiting' || isNoWord) return all;
  return join(all, hearAnswer(occasion, planning));
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

function unlessErrand(
  scene: Scene,
  take: (scene: Scene) => string | undefined,
): string | undefined {
  return scene.strategy.take === undefined ? take(scene) : 'an errand is no discussion';
}

/** Lets every run that is not over have a look at the event. */
function forRuns(
  { state, event, now }: Occasion,
  take: (scene: Scene) => string | undefined,
): Decision {
  const open = Object.values(state.runs).filter((run) => isOpen(run));
  if (open.length === 0) return ignored(state, 'nothing is being discussed here');
  const decisions = open.map((run) => {
    const scene = sceneOf(state, run, createStep(event.key, run, now));
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
