/** A pull request that a task opened: reviews and comments on it go to the task, which alone decides what follows. */
import type { Run } from '../../domain/run/state/run-record.ts';
import type { Event, PullNews } from '../../domain/event/event.ts';
import type { Finding } from '../../domain/review/finding.ts';
import { taskKey, type ReviewVoice } from '../../domain/task/task.ts';
import { OURSELVES } from '../../domain/run/thread-ref.ts';
import type { Trigger } from '../../domain/event/trigger.ts';
import { codeSpan } from '../../domain/text/code-span.ts';
import type { LedgerFinding } from '../../domain/review/review.ts';
import { latestPositions } from '../discussion/verdict/tally-votes.ts';
import { createStep, emitEvent, emitEffect, type Decision, type Step } from '../run/decision.ts';
import { isByRules } from '../run/missed-model.ts';
import { startReview } from '../kinds/review/heads.ts';
import { openFindings } from '../kinds/review/ledger/reconcile-ledger.ts';
import { holdingFindings } from '../kinds/review/ledger/refute.ts';
import { callsOfHead } from '../kinds/review/render.ts';
import type { ThreadContext, RunContext, RunKind, ThreadState } from '../run/thread-context.ts';

type Adopted = Extract<Event['data'], { kind: 'adopted' }>;

/** A task has pushed: nobody else tells us of our own pushes, so the review begins here. */
export function onPullLinked(
  context: ThreadContext,
  adopted: Adopted,
  kind: RunKind<'pr_review'>,
): Decision {
  const { task: ref, run, headSha, headAt, thread, isNew, isReviewed } = adopted;
  const before = context.state.task;
  context.state.task = {
    ref,
    run,
    headSha,
    ...(headAt === undefined ? {} : { headAt }),
    count: before?.count ?? 0,
  };
  if (isReviewed === true)
    return notifyHeadMoved(context, { state: context.state, effects: [], events: [] });
  const trigger: Extract<Trigger, { kind: 'pull' }> = {
    kind: 'pull',
    action: isNew ? 'opened' : 'pushed',
    thread,
    actor: OURSELVES,
    headSha,
  };
  return startReview(context, trigger, kind);
}

/** Tells the task how a review of its head ended, once. */
export function notifyVerdict({
  state,
  run,
  step,
}: Pick<RunContext<'pr_review'>, 'state' | 'run' | 'step'>): void {
  const { task } = state;
  const { review } = run;
  if (task === undefined || review === undefined) return;
  if (run.status === 'active' || run.verdict === undefined) return;
  const { headSha, ledger } = review;
  const holding = holdingFindings(ledger);
  const told = `${run.id}@${headSha}@${run.status}@${holding.length}`;
  if (task.told === told) return;
  task.told = told;
  const asks = run.verdict.changes.map(({ text }) => text);
  const found = openFindings(ledger).map(({ finding }) => toAsk(finding));
  const { verdict } = run.verdict;
  notifyTask(step, state, {
    kind: 'reviewed',
    headSha,
    verdict,
    asks: [...asks, ...found].slice(0, 20),
    voices: voicesOf(run),
    ...(holding.length === 0 ? {} : { open: holding.slice(0, 10).map(toOpen) }),
  });
}

function toOpen({ finding: { severity, ruleId, path, line } }: LedgerFinding): string {
  return `a ${severity} finding of ${codeSpan(ruleId)} is open in ${codeSpan(`${path}#L${line}`)}: fix it, or dismiss it with \`/pm feedback\``;
}

/**
 * Everybody who took part: each with their last vote, the lead with the verdict. Rules that replaced a model approve
 * for no persona.
 */
function voicesOf(run: Run<'pr_review'>): ReviewVoice[] {
  const voices = votesOf(run);
  if (!isByRules(callsOfHead(run))) return voices;
  return voices.map(({ handle, vote }) => ({
    handle,
    ...(vote !== undefined && vote !== 'APPROVE' && { vote }),
  }));
}

function votesOf({ participants, lead, verdict, ...run }: Run<'pr_review'>): ReviewVoice[] {
  const votes = new Map<string, ReviewVoice>(
    participants.map(({ handle }) => [handle, { handle }]),
  );
  for (const { handle, position } of latestPositions(run))
    votes.set(handle, { handle, ...(position && { vote: position.vote }) });
  if (lead !== undefined && verdict !== undefined)
    votes.set(lead.handle, { handle: lead.handle, vote: verdict.verdict });
  return [...votes.values()];
}

function toAsk({ path, line, title, advice, suggestion }: Finding): string {
  const how = advice ?? (suggestion === undefined ? '' : `Suggested: ${suggestion}`);
  return `${path}:${line}: ${title}${how === '' ? '' : ` ${how}`}`.slice(0, 1000);
}

/** People and GitHub may have changed something that a merge rests on. */
export function notifyHeadMoved(
  { state, event, now }: ThreadContext,
  decision: Decision,
): Decision {
  if (state.task === undefined) return decision;
  const step = createStep(event.key, { id: `${state.task.run}/${event.id}`, step: 0 }, now);
  notifyTask(step, state, { kind: 'moved' });
  const { ignored: _, ...rest } = decision;
  return { ...rest, events: [...decision.events, ...step.events] };
}

/** Whose pull request it is does not matter: what the base requires of one it requires of the queue's commit. */
export function reportQueued(
  { state, event, now }: ThreadContext,
  { thread, group }: Extract<Trigger, { kind: 'queued' }>,
): Decision {
  const step = createStep(event.key, { id: `queued:${event.id}`, step: 0 }, now);
  emitEffect(step, { kind: 'report-group', thread, group, evenPaused: true });
  return { state, effects: step.effects, events: [] };
}

/** Returns whether the thread has a task to notify. */
export function notifyTask(step: Step, { task }: ThreadState, news: PullNews): boolean {
  if (task === undefined) return false;
  task.count += 1;
  const key = taskKey(task.ref);
  emitEvent(
    step,
    { kind: 'pull-told', run: task.run, news },
    { key, suffix: `${key}-${task.count}` },
  );
  return true;
}
