/** One thread: which runs it has, and which of them an event is for. */
import type { CouncilTrigger } from '../domain/council.ts';
import type { Event, EventData } from '../domain/event.ts';
import { asking } from './plan/answers.ts';
import { DEFAULT_LABELS } from '../domain/labels.ts';
import type { PlanState } from '../domain/plan/plan-view.ts';
import type { NamedLabel } from '../domain/result.ts';
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
import { ISSUE_STRATEGY } from './council/issue.ts';
import { startRun } from './council/start.ts';
import { noteWrite } from './council/unwritten.ts';
import {
  hearTask,
  readPlanAgain,
  takePlanFailure,
  takePlanTimer,
  takePlanView,
} from './plan/check-plan.ts';
import { takeAdopted, tellMoved, tellVerdict } from './plan/task-pull.ts';
import { takeView } from './council/look.ts';
import { lookBack, takeFeedback } from './review/afterwards.ts';
import { takePull } from './review/look.ts';
import { reviewPushed, startReview, takePosted } from './review/heads.ts';
import { createStep, readState, want, type Decision, type Moment, ignored } from './decision.ts';
import {
  isOpen,
  THREAD_STATE_VERSION,
  type Scene,
  type ThreadState,
  type ResultData,
  type Occasion,
} from './scene.ts';
import { sceneOf, strategyOf } from './strategies.ts';

/** Which run each of the council's labels starts on an issue. */
const LABEL_TRIGGERS: Readonly<Record<string, CouncilTrigger>> = {
  [DEFAULT_LABELS.deliberate]: 'issue_review',
  [DEFAULT_LABELS.prd]: 'prd_kickoff',
};

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
  if (data.kind !== 'task-told') return ignored(state, 'not for a thread');
  return state.plan === undefined
    ? ignored(state, 'there is no plan here')
    : hearTask(occasion, state.plan, data.news);
}

/** What came back to the thread itself, and to none of its runs; undefined for all else. */
function takeOwnResult(occasion: Occasion, data: ResultData): Decision | undefined {
  if (data.kind === 'timer') return undefined;
  if (data.effectKind !== 'name-label' && data.effectKind !== 'look-feedback') return undefined;
  if (data.kind === 'failed')
    return ignored(occasion.state, `${data.effectKind} failed: ${data.failure.code}`);
  return data.effectKind === 'name-label'
    ? takeNamedLabel(occasion, data.result)
    : takeFeedback(occasion, data);
}

/** What came back to the thread's plan. */
function takePlanResult(occasion: Occasion, plan: PlanState, data: ResultData): Decision {
  if (data.kind === 'done' && data.effectKind === 'look-plan')
    return takePlanView(occasion, plan, { effectId: data.effectId, view: data.result });
  if (data.kind === 'failed' && data.effectKind === 'look-plan')
    return takePlanFailure(occasion.state, plan, data.failure);
  if (data.kind === 'timer') return takePlanTimer(occasion, plan, data.timer);
  if (data.kind === 'done' && data.effectKind === 'comment') plan.commentId ??= data.result.id;
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

function decideTrigger(occasion: Occasion, trigger: ThreadTrigger): Decision {
  switch (trigger.kind) {
    case 'labeled':
      return startFor(occasion, { trigger, labels: [trigger.label] });
    case 'requested':
      return startFor(occasion, { trigger, labels: [trigger.label] });
    case 'opened':
      return startFor(occasion, { trigger, labels: trigger.labels });
    case 'unlabeled':
      return andPlan(
        occasion,
        forRuns(occasion, (scene) =>
          scene.run.label === trigger.label ? lookWhetherOver(scene) : 'another label',
        ),
      );
    case 'ended':
      return andPlan(occasion, tellMoved(occasion, end(occasion, trigger)));
    case 'commented':
      return hear(occasion, trigger);
    case 'pull':
      return tellMoved(occasion, startReview(occasion, trigger));
    case 'built':
      return takeBuilt(occasion, trigger);
    case 'edited':
    case 'reopened':
      return occasion.state.plan === undefined
        ? ignored(occasion.state, 'the thread is read again before every step')
        : readPlanAgain(occasion, trigger.thread);
  }
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

/** A comment is a word in a discussion that goes on, unless it only gives commands; what may be for us is read again. */
function hear(occasion: Occasion, said: Extract<ThreadTrigger, { kind: 'commented' }>): Decision {
  const { address } = said;
  const isNoWord = address !== undefined && (address.isOnlyCommands || address.place === 'review');
  let heard = isNoWord
    ? ignored(occasion.state, 'commands are no word in a discussion')
    : forRuns(occasion, (scene) => unlessErrand(scene, () => listenTo(scene, said)));
  const { plan } = occasion.state;
  if (plan !== undefined && asking(plan).length > 0 && !said.isByBot)
    heard = join(heard, readPlanAgain(occasion, said.thread));
  if (address === undefined || (address.isYes === true && !waitsForYes(occasion.state)))
    return heard;
  const begun = beginTalk(occasion, said);
  if (begun.ignored !== undefined) return heard;
  const effects = [...heard.effects, ...begun.effects];
  return { state: begun.state, effects, events: [...heard.events, ...begun.events] };
}

function join(first: Decision, then: Decision): Decision {
  const effects = [...first.effects, ...then.effects];
  return { state: then.state, effects, events: [...first.events, ...then.events] };
}

/** A reply of one word is for a plan that waits for it, and for nothing else. */
function waitsForYes({ plan }: ThreadState): boolean {
  return plan?.isWaiting === true;
}

function unlessErrand(
  scene: Scene,
  take: (scene: Scene) => string | undefined,
): string | undefined {
  return scene.strategy.take === undefined ? take(scene) : 'an errand is no discussion';
}

interface Start {
  trigger: Extract<ThreadTrigger, { kind: 'labeled' | 'requested' | 'opened' }>;
  labels: string[];
}

function startFor(occasion: Occasion, start: Start): Decision {
  const { state } = occasion;
  const meaning = start.trigger.kind === 'requested' ? start.trigger.meaning : undefined;
  if (meaning === 'code-watch') return startWatch(occasion, start.trigger);
  const isOurs = (name: string): boolean => LABEL_TRIGGERS[meaning ?? name] !== undefined;
  if (meaning === 'plan' || start.labels.includes(DEFAULT_LABELS.plan))
    return readPlanAgain(occasion, start.trigger.thread, whoMadeIt(start.trigger));
  const label = start.labels.find(isOurs);
  const kind = label === undefined ? undefined : LABEL_TRIGGERS[meaning ?? label];
  if (label !== undefined && kind !== undefined)
    return startRun(state, {
      ...occasion,
      trigger: start.trigger,
      kind,
      label,
      strategy: ISSUE_STRATEGY,
    });
  const custom = start.labels.at(0);
  if (custom === undefined) return ignored(state, 'opened without a label');
  return askWhatLabelMeans(occasion, start);
}

/** A pass that finds a plan again is nobody's yes, and neither is an automated account's label. */
function whoMadeIt({ kind, actor }: Start['trigger']): { id: number; login: string } | undefined {
  return kind === 'requested' || actor.isBot ? undefined : { id: actor.id, login: actor.login };
}

function startWatch(occasion: Occasion, trigger: Start['trigger']): Decision {
  const kind = 'code_watch';
  const path = trigger.kind === 'requested' ? trigger.path : undefined;
  const request = { trigger, kind, label: kind, strategy: strategyOf(kind) } as const;
  return startRun(occasion.state, {
    ...occasion,
    ...request,
    ...(path === undefined ? {} : { path }),
  });
}

/** A repository may have renamed the labels; only its configuration knows. */
function askWhatLabelMeans({ state, event, now }: Occasion, { trigger, labels }: Start): Decision {
  const step = createStep(event.key, { id: `label:${event.id}`, step: 0 }, now);
  for (const label of labels)
    want(step, { kind: 'name-label', thread: trigger.thread, label, actor: trigger.actor });
  return { state, effects: step.effects, events: [] };
}

function takeNamedLabel(occasion: Occasion, named: NamedLabel): Decision {
  const { state } = occasion;
  if (named.meaning === 'plan') return readPlanAgain(occasion, named.thread, named.actor);
  const kind = named.meaning === undefined ? undefined : LABEL_TRIGGERS[named.meaning];
  if (kind === undefined) return ignored(state, `the label \`${named.label}\` asks for nothing`);
  const trigger = {
    kind: 'labeled' as const,
    thread: named.thread,
    actor: named.actor,
    label: named.label,
  };
  return startRun(state, {
    ...occasion,
    trigger,
    kind,
    label: named.label,
    strategy: ISSUE_STRATEGY,
  });
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
