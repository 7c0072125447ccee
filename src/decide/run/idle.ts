/** The sentinel: a workspace in which nothing is left to do says so in one issue, and sleeps while that is open. */
import type { Event, EventData } from '../../domain/event/event.ts';
import { derivedId } from '../../domain/run/ids.ts';
import { LABEL_LOOKS } from '../../domain/repository/labels.ts';
import type { RepositoryState } from '../../domain/repository/repository-state.ts';
import type { RestHint, RestView, WellView } from '../../domain/repository/rest.ts';
import { threadKey, toRepositoryRef, type ThreadRef } from '../../domain/run/thread-ref.ts';
import { asCode } from './command-context.ts';
import {
  createStep,
  ignored,
  emitEvent,
  emitEffect,
  type Decision,
  type Step,
} from './decision.ts';

/** Between two checks of a repository's health. */
const CHECK_EVERY_MS = 24 * 3_600_000;
/** The PM has read and proposed by then, or it does not any more. */
const LOOP_MS = 3_600_000;

interface IdleContext {
  state: RepositoryState;
  event: Event;
  now: number;
}

/** Tells the repository of a plan that nothing may be left to do. */
export function hintRest(step: Step, thread: ThreadRef, after: RestHint): void {
  const repository = toRepositoryRef(thread);
  const hint = { kind: 'rest-hint' as const, run: step.run.id, after, repository, thread };
  emitEvent(step, hint, { key: `repository:${repository.repositoryId}`, suffix: `rest-${after}` });
}

/** It may be time to look. */
function onIdleEvent(
  { state, event, now }: IdleContext,
  { after, repository, thread }: Extract<EventData, { kind: 'rest-hint' }>,
): Decision {
  if (after === 'loop-begun') {
    const loopUntil = new Date(now + LOOP_MS).toISOString();
    return { state: { ...state, loopUntil }, effects: [], events: [] };
  }
  const { loopUntil, ...rest } = state;
  if (after === 'hour' && loopUntil !== undefined && now < Date.parse(loopUntil))
    return ignored(state, 'the PM looks for what is missing');
  if (wasChecked(rest, now)) return ignored(rest, 'its health was checked within a day');
  const step = createStep(event.key, { id: derivedId(`rest ${event.id}`, now), step: 0 }, now);
  // After what is still to be written on the plan: it is closed by then.
  const order = thread === undefined ? {} : { lane: `plan:${threadKey(thread)}` };
  const status = state.week?.issue;
  emitEffect(
    step,
    { kind: 'look-rest', repository, ...(status !== undefined && { status }) },
    order,
  );
  return { state: rest, effects: step.effects, events: [] };
}

/** A hint, or what came of one; all else is ignored. */
export function onRest(context: IdleContext, data: EventData): Decision {
  const { state } = context;
  if (data.kind === 'rest-hint') return onIdleEvent(context, data);
  if (data.kind === 'failed')
    return ignored(state, `${data.effectKind} failed: ${data.failure.code}`);
  return data.kind === 'done' && data.effectKind === 'look-rest'
    ? onView(context, data)
    : ignored(state, 'nothing is to be done about the repository');
}

function onView(
  { state, event, now }: IdleContext,
  { run, result: view }: { run: string; result: RestView },
): Decision {
  if (view.kind === 'awake') return ignored(state, `not at rest: ${view.why}`);
  if (wasChecked(state, now)) return ignored(state, 'its health was checked within a day');
  const checked = { ...state, restCheckedAt: new Date(now).toISOString() };
  if (view.kind === 'sick') return ignored(checked, `not well: ${view.why}`);
  const step = createStep(event.key, { id: run, step: 1 }, now);
  wantSentinel(step, view);
  return { state: checked, effects: step.effects, events: [] };
}

function wantSentinel(step: Step, view: WellView): void {
  emitEffect(
    step,
    {
      kind: 'issue',
      repository: view.repository,
      marker: { kind: 'report', run: step.run.id, key: 'finished' },
      title: `FINISHED: ${view.fullName}`,
      body: renderSentinel(view),
      labels: [{ name: view.label, ...LABEL_LOOKS.finished }],
      // Who closed it has woken the repository: only a plan that is complete since then brings another one.
      since: view.since,
    },
    { lane: `issues:${view.repository.repositoryId}`, isUnheard: true },
  );
}

function wasChecked({ restCheckedAt }: RepositoryState, now: number): boolean {
  return restCheckedAt !== undefined && now - Date.parse(restCheckedAt) < CHECK_EVERY_MS;
}

const MAX_SHOWN = 20;

function renderSentinel({ plans, builds, headSha }: WellView): string {
  const shown = plans.slice(0, MAX_SHOWN);
  const left = plans.length - shown.length;
  const says =
    builds.length === 0
      ? 'no workflow or check of another App reports on it'
      : `nothing failed of ${builds
          .slice(0, MAX_SHOWN)
          .map((name) => asCode(name, 60))
          .join(', ')}`;
  return [
    'Nothing is left to do here: every plan is complete, and no issue or pull request is open.',
    '**Finished**',
    [
      ...shown.map(({ number, title }) => `- #${number} ${asCode(title)}`),
      ...(left > 0 ? [`- and ${left} more`] : []),
    ].join('\n'),
    '**Health check**',
    [
      '- open issues, plans and pull requests: none',
      `- builds of the default branch at ${headSha.slice(0, 12)}: ${says}`,
    ].join('\n'),
    '**To wake the repository, close this issue.** While it is open the team begins nothing here by itself; what somebody asks for is done.',
  ].join('\n\n');
}
