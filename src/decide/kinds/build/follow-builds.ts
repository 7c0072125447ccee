/** One place whose builds are followed: looks when something ended there, and tells a thread when that is worth telling. */
import { HANDLED, ignore, toIgnored, type Outcome } from '../../run/outcome.ts';
import { sourceName, type BuildPlace } from '../../../domain/build/build.ts';
import type { BuildView } from '../../../domain/build/build-view.ts';
import type { Event, EventData } from '../../../domain/event/event.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import type { IssueOutcome } from '../../../domain/github/issue-outcome.ts';
import {
  threadKey,
  type Actor,
  type RepositoryRef,
  type ThreadRef,
} from '../../../domain/run/thread-ref.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import {
  createStep,
  readState,
  emitEvent,
  emitEffect,
  type Decision,
  type DecisionContext,
  type Step,
  ignored,
} from '../../run/decision.ts';
import { renderIssue } from './render-issue.ts';
import { mayReadBuild } from './stop.ts';

type BuildTrigger = Extract<Trigger, { kind: 'build' }>;

interface BuildWatch {
  v: number;
  /** What is being done about the last event, until its effect is done. */
  going?: {
    run: { id: string; step: number };
    effectId: string;
    about: { repository: RepositoryRef; where: BuildPlace; actor: Actor };
    /** Something ended since: it is looked at again after that. */
    isStale: boolean;
  };
  /** The thread that shows a failure, until it also shows that the failure is over. */
  told?: ThreadRef;
  /** An issue is open or it was looked for one: before that, this store may be younger than the issue. */
  isSure?: true;
}

/** Reduces one event of a build's place. */
export function decideBuild(before: unknown, event: Event, { now }: DecisionContext): Decision {
  const state = readState<BuildWatch>(before, { v: 1 });
  const { data } = event;
  if (data.kind === 'trigger' && data.trigger.kind === 'build') {
    const { trigger } = data;
    return notifyPull(onNews(state, event, { trigger, now }), event, { trigger, now });
  }
  if (data.kind !== 'done' && data.kind !== 'failed') return ignored(state, 'not about a build');
  const { going } = state;
  if (going === undefined || going.effectId !== data.effectId)
    return ignored(state, 'nothing waits for it');
  delete state.going;
  const step = createStep(event.key, going.run, now);
  const outcome = onResult(state, going, { data, step });
  if (going.isStale && state.going === undefined) look(state, step, going);
  return {
    state,
    effects: step.effects,
    events: step.events,
    ...toIgnored(outcome),
  };
}

/** A merge may have waited for it, whatever became of the build. */
function notifyPull(
  decision: Decision,
  event: Event,
  { trigger: { where, repository, actor }, now }: { trigger: BuildTrigger; now: number },
): Decision {
  if (where.kind !== 'pull') return decision;
  const thread = { ...repository, number: where.number };
  const step = createStep(event.key, { id: derivedId(event.id, now), step: 0 }, now);
  const trigger: Trigger = { kind: 'pull-changed', thread, actor };
  emitEvent(step, { kind: 'trigger', trigger }, { key: threadKey(thread), suffix: 'pull' });
  const { ignored: _, ...rest } = decision;
  return { ...rest, events: [...decision.events, ...step.events] };
}

type Going = NonNullable<BuildWatch['going']>;

function onNews(
  state: BuildWatch,
  event: Event,
  { trigger, now }: { trigger: BuildTrigger; now: number },
): Decision {
  if (state.going !== undefined) {
    state.going.isStale = true;
    return ignored(state, 'joined the look that is going on');
  }
  const { repository, where, actor } = trigger;
  const isSure = state.isSure === true || where.kind === 'pull';
  if (!trigger.isRed && state.told === undefined && isSure)
    return ignored(state, 'nothing was red here');
  const run = { id: derivedId(event.id, now), step: 0 };
  const step = createStep(event.key, run, now);
  look(state, step, { run, about: { repository, where, actor } });
  return { state, effects: step.effects, events: step.events };
}

/** Events are hints: what holds now is read. */
function look(state: BuildWatch, step: Step, { run, about }: Pick<Going, 'run' | 'about'>): void {
  const { repository, where } = about;
  const isLost = state.told === undefined && state.isSure !== true && where.kind === 'branch';
  const effectId = emitEffect(step, {
    kind: 'look-build',
    repository,
    where,
    ...(isLost ? { seek: issueKeyOf(where) } : {}),
  });
  state.going = { run, effectId, about, isStale: false };
}

interface Came {
  data: Extract<EventData, { kind: 'done' | 'failed' }>;
  step: Step;
}

function onResult(state: BuildWatch, going: Going, { data, step }: Came): Outcome {
  if (data.kind === 'failed') return ignore(`${data.effectKind} failed: ${data.failure.code}`);
  if (data.effectKind === 'look-build')
    return onView(state, going, { view: data.result.view, step });
  return data.effectKind === 'issue'
    ? onIssue(state, going, { outcome: data.result, step })
    : HANDLED;
}

function onView(
  state: BuildWatch,
  going: Going,
  { view, step }: { view: BuildView; step: Step },
): Outcome {
  const { repository, where } = going.about;
  const permit = mayReadBuild(view);
  if (permit.kind === 'refused' || view.verdict !== 'open') state.isSure = true;
  if (permit.kind === 'refused') return ignore(permit.reason);
  if (view.verdict === 'open') return ignore('nothing that counts has ended yet');
  if (view.verdict === 'green') return notifyEnd(state, going, { step, sought: view.sought });
  if (where.kind === 'pull')
    return tell(state, going, { step, thread: { ...repository, number: where.number } });
  const effectId = emitEffect(step, issueOf(going, where, view), {
    lane: `issues:${repository.repositoryId}`,
  });
  state.going = { ...going, run: step.run, effectId };
  return HANDLED;
}

function issueOf(
  { about: { repository } }: Going,
  where: Extract<BuildPlace, { kind: 'branch' }>,
  view: BuildView,
) {
  return {
    kind: 'issue' as const,
    repository,
    marker: { ...issueKeyOf(where), run: 'build' },
    ...renderIssue(where, view),
    labels: [],
    // What somebody closed before it was last well was another failure.
    ...(view.green === undefined ? {} : { since: view.green.endedAt }),
  };
}

/** One issue for each workflow and branch, whichever run wrote it last. */
function issueKeyOf({ source, branch }: Extract<BuildPlace, { kind: 'branch' }>) {
  return { kind: 'report' as const, key: `${sourceName(source)}/${branch}`.slice(0, 120) };
}

function onIssue(
  state: BuildWatch,
  going: Going,
  { outcome, step }: { outcome: IssueOutcome; step: Step },
): Outcome {
  if (outcome.outcome === 'full' || outcome.outcome === 'closed')
    return ignore('somebody closed the issue of this failure');
  return tell(state, going, {
    step,
    thread: { ...going.about.repository, number: outcome.number },
  });
}

function tell(
  state: BuildWatch,
  going: Going,
  { step, thread }: { step: Step; thread: ThreadRef },
): Outcome {
  state.told = thread;
  sayTo(thread, going, { step, isRed: true });
  return HANDLED;
}

function notifyEnd(
  state: BuildWatch,
  going: Going,
  { step, sought }: { step: Step; sought: number | undefined },
): Outcome {
  const { told } = state;
  const orphan = sought === undefined ? undefined : { ...going.about.repository, number: sought };
  const thread = told ?? orphan;
  if (thread === undefined) return ignore('it is green');
  delete state.told;
  const isOrphan = told === undefined ? { isOrphan: true as const } : {};
  sayTo(thread, going, { step, isRed: false, ...isOrphan });
  return HANDLED;
}

function sayTo(
  thread: ThreadRef,
  { about: { where, actor } }: Going,
  { step, ...how }: { step: Step; isRed: boolean; isOrphan?: true },
): void {
  const trigger: Trigger = { kind: 'built', thread, actor, where, ...how };
  step.run.step += 1;
  const key = threadKey(thread);
  emitEvent(step, { kind: 'trigger', trigger }, { key, suffix: `${step.run.step}-told` });
}
