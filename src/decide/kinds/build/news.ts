/** News of a build for the thread that tells of it: another red run, or that it is well again. */
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import type { BuildRun } from '../../../domain/build/build.ts';
import {
  readingKey,
  type BuildReading,
  type BuildState,
  type BuildView,
} from '../../../domain/build/build-view.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import type { Event } from '../../../domain/event/event.ts';
import type { BuildLookResult } from '../../../domain/event/result.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import { cancelRun } from '../../discussion/listen-to-people.ts';
import { startRun } from '../../discussion/start-run.ts';
import { createStep, ignored, emitEffect, type Decision } from '../../run/decision.ts';
import {
  isOpen,
  runOf,
  writeLane,
  type RunContext,
  type RunKind,
  type ThreadContext,
} from '../../run/thread-context.ts';
import { excerptOf } from './render.ts';
import { runLink } from './render-issue.ts';
import { mayContinueBuild } from './stop.ts';
import { dropOutcome, showBuild } from './show-build.ts';

type BuildKind = RunKind<'build_failure'>;
type Built = Extract<Trigger, { kind: 'built' }>;

/** Starts a look into the failure, or has the one that was made, or goes on, look at the news. */
export function onBuilt(threadContext: ThreadContext, trigger: Built, kind: BuildKind): Decision {
  const { state, event, now } = threadContext;
  const last = runOf(state, 'build_failure');
  if (last?.build?.isTold !== true) {
    if (!trigger.isRed && trigger.isOrphan !== true)
      return ignored(state, 'nothing was reported here');
    return start(threadContext, trigger, kind);
  }
  if (last.build.healed !== undefined && !trigger.isRed)
    return ignored(state, 'that was reported already');
  // What it is about may have changed: a pull request's builds are read together, a branch has one.
  last.build.where = trigger.where;
  const step = createStep(event.key, last, now);
  last.recheck = emitEffect(step, kind.look(last));
  return { state, effects: step.effects, events: step.events };
}

function start({ state, event, now }: ThreadContext, trigger: Built, runKind: BuildKind): Decision {
  const kind = 'build_failure';
  const decision = startRun(state, { event, now, trigger, kind, runKind, label: '' });
  const { build } = runOf(state, 'build_failure') ?? {};
  // An earlier run reported the failure, but the store has lost that run.
  if (trigger.isOrphan === true && build !== undefined)
    Object.assign(build, { isTold: true, isOrphan: true });
  return decision;
}

/** What the look at the news found. */
export function onNewsView(
  context: RunContext<'build_failure'>,
  { view, stopped }: BuildLookResult,
): Outcome {
  const { run } = context;
  delete run.recheck;
  if (run.build === undefined) return ignore('no failure is kept');
  const permit = mayContinueBuild(run, view, stopped);
  if (permit.kind === 'refused')
    return isOpen(run) ? cancelRun(context, permit.reason) : ignore(permit.reason);
  if (view.verdict === 'green') return heal(context, view);
  if (view.verdict === 'open') return ignore('nothing that counts has ended yet');
  return onBuildFailed(context, view);
}

function onBuildFailed(context: RunContext<'build_failure'>, view: BuildView): Outcome {
  const { run, step } = context;
  const { build } = run;
  if (build === undefined) return HANDLED;
  const isSame = isSameFailure(build, view);
  const wasWell = build.healed !== undefined;
  if (run.status === 'active') {
    build.isStale = true;
    return ignore('it is seen with the next step, or after the last');
  }
  const hasMoved = build.runs[0]?.headSha !== view.runs[0]?.headSha;
  countRed(build, view);
  if (isSame ? !wasWell || isCooling(run, step.now) : isCooling(run, step.now) && !hasMoved) {
    delete build.healed;
    const [newest] = view.runs;
    if (isSame || newest === undefined) delete build.alsoFailed;
    else build.alsoFailed = newest;
    showBuild(context);
    return isSame
      ? ignore('the same failure: the earlier result applies')
      : ignore('a run ended a moment ago');
  }
  build.isAnother = true;
  return HANDLED;
}

/** Takes over the red runs. One that an earlier look saw is not counted again. */
export function countRed(build: BuildState, view: BuildView): void {
  const isSeen = readingKey(build.runs) === readingKey(view.runs);
  if (build.reading !== undefined && !isSameFailure(build, view)) build.times = 1;
  else if (build.reading !== undefined && !isSeen) build.times += 1;
  build.runs = view.runs;
  build.green = view.green;
}

/** What could not be read is taken for what is known. */
function isSameFailure({ reading }: BuildState, { reading: now }: BuildView): boolean {
  return now === undefined || now.fingerprint === reading?.fingerprint;
}

/** NW-6: so soon after its end the same is not discussed again. */
function isCooling({ endedAt, settings }: Run<'build_failure'>, now: number): boolean {
  return endedAt !== undefined && now - Date.parse(endedAt) < settings.cooldownMs;
}

/** After each step: what came in between is looked at, another failure gets a run of its own, and logs are let go of. */
export function afterBuild(context: RunContext<'build_failure'>, event: Event): void {
  const { run, step, kind } = context;
  const { build } = run;
  if (build === undefined || run.status === 'active') return;
  if (build.isAnother === true) return lookAnew(context, build, event);
  if (build.isStale === true) {
    delete build.isStale;
    run.recheck = emitEffect(step, kind.look(run));
  }
  if (run.phase.kind === 'ended' && build.reading !== undefined)
    build.reading = withoutTexts(build.reading);
}

/** The failure differs from the discussed one, or returned after the build had passed. */
function lookAnew(context: RunContext<'build_failure'>, build: BuildState, event: Event): void {
  const { state, run, step } = context;
  const { where, times } = build;
  const trigger: Built = {
    kind: 'built',
    thread: run.thread,
    actor: run.actor,
    where,
    isRed: true,
  };
  // A question about what is past waits for nobody.
  if (isOpen(run)) cancelRun(context, 'the build fails for another reason now', { quietly: true });
  const { effects, events } = start({ state, event, now: step.now }, trigger, context.kind);
  const next = runOf(state, 'build_failure');
  if (next !== undefined)
    next.build = { where, runs: build.runs, green: build.green, times, isTold: true };
  step.effects.push(...effects);
  step.events.push(...events);
}

/** What is shown to people stays; what only a prompt needs goes. */
function withoutTexts(reading: BuildReading): BuildReading {
  const { range } = reading;
  return {
    ...reading,
    files: [],
    jobs: reading.jobs.map((job) => ({ ...job, log: excerptOf(job.log) })),
    ...(range === undefined ? {} : { range: { ...range, patches: [] } }),
  };
}

/** Passing again: says so where the failure was reported, and closes the issue that was opened for it. */
export function heal(context: RunContext<'build_failure'>, view: BuildView): Outcome {
  const { run } = context;
  const [green] = view.runs;
  if (run.build === undefined || green === undefined) return ignore('no failure is kept');
  run.build.healed = green;
  if (isOpen(run)) cancelRun(context, 'the build is green again');
  else showBuild(context);
  dropOutcome(context, view.thread?.labels ?? []);
  if (run.build.where.kind === 'branch') close(context, view, green);
  return HANDLED;
}

/** Closes the issue with a comment. An issue that somebody else commented on stays open for them to close. */
function close({ run, step }: RunContext<'build_failure'>, view: BuildView, green: BuildRun): void {
  const { thread } = run;
  const lane = { lane: writeLane(thread) };
  const isShared = view.comments.some(
    ({ author, createdAt, marker }) =>
      !author.isBot &&
      author.id !== view.self.id &&
      marker === undefined &&
      (run.build?.isOrphan === true || createdAt >= run.startedAt.slice(0, 19)),
  );
  const body = [
    `**Passing again:** ${runLink(green, view.repository.fullName)} passed.`,
    isShared ? 'Somebody has commented here, so this stays open. Close it when it is settled.' : '',
  ];
  const marker = {
    kind: 'notice' as const,
    run: 'build',
    key: `green-${green.id}-${green.attempt}`,
  };
  const text = body.filter((part) => part !== '').join(' ');
  emitEffect(step, { kind: 'comment', thread, marker, body: text }, lane);
  if (!isShared) emitEffect(step, { kind: 'close', thread, reason: 'completed' }, lane);
}
