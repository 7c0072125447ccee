/**
 * The status issue of a repository: a timer ends the week, what happened is read, and one issue tells it. A repository in
 * which nothing happened sets no timer, so that nothing is asked for it.
 */
import { DEFAULT_WEEK, weekAt } from '../../domain/digest/week.ts';
import type { WeekState, WeekView } from '../../domain/digest/week-view.ts';
import {
  digestDetails,
  digestFacts,
  isQuietWeek,
  renderDigest,
  STATUS_TITLE,
} from '../../domain/digest/weekly-digest.ts';
import type { Event, EventData, NewEvent } from '../../domain/event/event.ts';
import type { IssueOutcome } from '../../domain/github/issue-outcome.ts';
import type { RepositoryState } from '../../domain/repository/repository-state.ts';
import { derivedId } from '../../domain/run/ids.ts';
import { threadKey, toRepositoryRef, type RepositoryRef } from '../../domain/run/thread-ref.ts';
import {
  createStep,
  emitEffect,
  emitEvent,
  emitTimer,
  type Decision,
  type Step,
} from '../run/decision.ts';

/** One event of a repository, and its own copy of the state. */
export interface WeekContext {
  state: RepositoryState;
  event: Event;
  now: number;
}

interface Weekly extends WeekContext {
  week: WeekState;
  step: Step;
}

type Ended = Extract<EventData, { kind: 'done' | 'failed' }>;
type ReadWeek = Extract<WeekView, { kind: 'read' }>;

/** Something happened: the week ends with a look, unless a timer is set already. */
export function setWeekTimer({ state, event, now }: WeekContext): NewEvent[] {
  const repository = placeOfWork(event.data);
  if (repository === undefined) return [];
  const { week = { id: derivedId(`week ${event.key}`, now), step: 0, repository } } = state;
  state.week = { ...week, repository };
  const step = createStep(event.key, state.week, now);
  if (week.timer === undefined) beginWeek(step, state.week);
  return step.events;
}

/** Nothing happened in the weeks before this one, unless one of them is being read. */
function beginWeek(step: Step, week: WeekState): void {
  if (week.looking === undefined && week.showing === undefined)
    week.until = startOfWeek(step, week);
  waitForEnd(step, week);
}

function startOfWeek({ now }: Pick<Step, 'now'>, { setting = DEFAULT_WEEK }: WeekState): string {
  return new Date(weekAt(now, setting).from).toISOString();
}

function placeOfWork(data: EventData): RepositoryRef | undefined {
  if (data.kind === 'run-ended' || data.kind === 'rest-hint') return data.repository;
  return data.kind === 'places-wanted' ? toRepositoryRef(data.wanted.thread) : undefined;
}

function waitForEnd(step: Step, week: WeekState): void {
  const { until } = weekAt(step.now, week.setting ?? DEFAULT_WEEK);
  week.timer = emitTimer(step, 'week', until - step.now);
}

/** The end of a week, and what follows from it; undefined for all else. */
export function onWeekEvent(context: WeekContext): Decision | undefined {
  const { state, event, now } = context;
  const { data } = event;
  const { week } = state;
  if (data.kind !== 'timer' && data.kind !== 'done' && data.kind !== 'failed') return undefined;
  if (week === undefined || data.run !== week.id) return undefined;
  const step = createStep(event.key, week, now);
  const weekly = { ...context, week, step };
  const why = data.kind === 'timer' ? onWeekEnd(weekly, data.timer) : onResult(weekly, data);
  const { effects, events } = step;
  return { state, effects, events, ...(why === undefined ? {} : { ignored: why }) };
}

function onWeekEnd({ week, step }: Weekly, timer: string): string | undefined {
  if (timer !== week.timer) return 'the week ends at another time now';
  delete week.timer;
  const { repository, setting = DEFAULT_WEEK, until: since, issue, isOff } = week;
  week.looking = emitEffect(step, {
    kind: 'look-week',
    repository,
    setting,
    ...(since !== undefined && { since }),
    ...(issue !== undefined && { issue }),
    ...(isOff && { isOff }),
  });
  return undefined;
}

function onResult(weekly: Weekly, data: Ended): string | undefined {
  const { week } = weekly;
  const { effectId } = data;
  if (effectId !== week.looking && effectId !== week.showing?.effectId)
    return 'nothing waits for it';
  if (data.kind === 'failed') return onFailure(weekly, data);
  if (data.effectKind === 'look-week') return onView(weekly, data.result);
  return data.effectKind === 'issue' ? onShown(weekly, data.result) : 'nothing waits for it';
}

/** The next look tells of this week as well. Where the App may not act any more there is no next one. */
function onFailure(
  { week, step }: Weekly,
  { effectKind, failure }: Extract<Ended, { kind: 'failed' }>,
): string | undefined {
  delete week.looking;
  delete week.showing;
  if (failure.code !== 'place-closed' && week.timer === undefined) waitForEnd(step, week);
  return step.events.length === 0 ? `${effectKind} failed: ${failure.code}` : undefined;
}

function onView(weekly: Weekly, view: WeekView): string | undefined {
  const { week, step, event } = weekly;
  delete week.looking;
  if (view.kind === 'moved') {
    week.setting = view.setting;
    waitForEnd(step, week);
    return undefined;
  }
  delete week.isOff;
  if (view.kind === 'read') return showWeek(weekly, view);
  // Nothing is wanted here, so a replay knows the moment of the event alone.
  week.until = startOfWeek({ now: Date.parse(event.at) }, week);
  if (view.isClosed === true) week.isOff = true;
  return view.why;
}

function showWeek({ week, step }: Weekly, view: ReadWeek): string | undefined {
  const { digest, from, to, threads } = view;
  const facts = digestFacts(digest);
  const isNothing = week.issue === undefined && isQuietWeek(digest);
  if (isNothing || facts === week.facts) {
    week.until = to;
    return isNothing ? 'nothing happened that a digest tells' : 'the digest would say the same';
  }
  const effectId = emitEffect(
    step,
    {
      kind: 'issue',
      repository: week.repository,
      marker: { kind: 'report', run: week.id, key: 'status' },
      title: STATUS_TITLE,
      body: renderDigest(digest),
      labels: [],
      isPinned: true,
    },
    { lane: `issues:${week.repository.repositoryId}` },
  );
  week.showing = { effectId, from, to, facts, details: digestDetails(digest), threads };
  return undefined;
}

/** Tells the thread of the status issue, which announces the week in channels and holds the weekly standup. */
function onShown({ week, step }: Weekly, outcome: IssueOutcome): string | undefined {
  const { showing } = week;
  delete week.showing;
  if (showing === undefined || outcome.outcome === 'full') return 'no issue was written';
  const { from, to, facts, details, threads } = showing;
  week.until = to;
  week.issue = outcome.number;
  if (outcome.outcome === 'closed') {
    week.isOff = true;
    return `#${outcome.number} was closed, so the weekly digest is off`;
  }
  week.facts = facts;
  const thread = { ...week.repository, number: outcome.number };
  emitEvent(
    step,
    { kind: 'week-shown', run: week.id, thread, from, to, details, threads },
    { key: threadKey(thread), suffix: `shown-${to}` },
  );
  return undefined;
}
