/** The apply job of a sweep. Each event's intents pass the same checks as in its own workflow; then come the end of the code watch and plans. */
import { recordDone, recordLost, releaseUnbegun } from '../../../domain/actions/actions-state.ts';
import { MAX_INTENTS_BYTES } from '../../../domain/actions/intents.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { updateActionsState } from '../branch/state-branch.ts';
import { openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { applyStep } from '../steps/apply-step.ts';
import { downloadFiles } from '../steps/hand-over.ts';
import { sweepWeek } from './weekly/sweep-week.ts';
import { sweepPlans } from './sweep-plans.ts';
import type { LoopReport } from './loop-report.ts';
import type { SweepDone, SweepTicket, WatchTicket } from './sweep-ticket.ts';

export interface Swept {
  written: number;
  reports: readonly LoopReport[];
}

interface Applying {
  basics: Basics;
  context: WorkflowContext;
  artifact: string;
}

export async function applySweepStep(
  ticket: SweepTicket,
  done: SweepDone,
  { basics, context, artifact }: Applying,
): Promise<Swept> {
  const digests = Object.entries(done.files);
  const names = new Map(digests.map(([at]) => [`${at}.json`, MAX_INTENTS_BYTES]));
  const { env } = basics;
  const files = names.size === 0 ? new Map() : await downloadFiles(names, { env, artifact });
  const lines: string[] = [];
  let written = 0;
  let isFailed = false;
  for (const [at, digest] of digests) {
    const event = ticket.events[Number(at)];
    const bytes = files.get(`${at}.json`);
    if (event === undefined || bytes === undefined) continue;
    try {
      const applied = await applyStep(basics, context, { ticket: event, digest, bytes });
      written += applied.written;
      const said = [`${applied.written} writes were carried out.`, ...applied.told];
      lines.push(...said.map((line) => `#${event.thread.number}: ${line}`));
    } catch (error) {
      // The others are written; this one's claim expires and a later pass tries it again.
      isFailed = true;
      const { code, message } = toFailure(error);
      lines.push(`#${event.thread.number}: ${message} (\`${code}\`)`);
    }
  }
  await settleRest(ticket, done, { basics, context });
  const reports: LoopReport[] = [{ loop: 'reconcile', lines, ...(isFailed && { isFailed }) }];
  if (ticket.watch !== undefined && done.watchUsd !== undefined) {
    await endWatch(ticket.watch, done, { basics, context });
  }
  if (ticket.plans !== undefined) {
    const swept = await sweepPlans(ticket.plans, { basics, context });
    written += swept.written;
    reports.push(swept.report);
  }
  // Last: it tells what the pass has done.
  if (ticket.week !== undefined) {
    const swept = await sweepWeek(ticket.week, { basics, context });
    written += swept.written;
    reports.push(swept.report);
  }
  return { written, reports };
}

/**
 * Models were paid for events that came to nothing: the daily limits count it. What the pass did not begin is there for
 * the next one.
 */
async function settleRest(
  { events, watch }: SweepTicket,
  { lostUsd = {}, left = [], isWatchLeft, files }: SweepDone,
  { basics, context }: Omit<Applying, 'artifact'>,
): Promise<void> {
  const lost = Object.entries(lostUsd).flatMap(([at, usd]) => {
    const event = events[Number(at)]?.claim;
    return event === undefined ? [] : [{ event, usd }];
  });
  const isUnbegun = (at: string): boolean => !(at in files) && !(at in lostUsd);
  const unbegun = left.filter(isUnbegun).flatMap((at) => events[Number(at)]?.claim ?? []);
  if (isWatchLeft && watch !== undefined) unbegun.push(watch.claim);
  if (lost.length + unbegun.length === 0) return;
  const { repository, workflowRun, attempt } = context;
  const place = { github: openUnsigned(basics, context), repository, branch: MEMORY_BRANCH };
  const now = basics.clock.now();
  const message = 'quorum: record which events came to nothing or were not begun';
  await updateActionsState(place, message, (state) => {
    const counted = lost.reduce((at, one) => recordLost(at, { ...one, workflowRun, now }), state);
    const freed = (at: typeof state, event: string): typeof state =>
      releaseUnbegun(at, { event, workflowRun, attempt, now });
    return { state: unbegun.reduce(freed, counted), told: undefined };
  });
}

function endWatch(
  { claim }: WatchTicket,
  { watchUsd: usd = 0, watchTokens = 0, isWatchFailed }: SweepDone,
  { basics, context }: Omit<Applying, 'artifact'>,
): Promise<void> {
  const { repository, workflowRun, attempt } = context;
  const github = openUnsigned(basics, context);
  const place = { github, repository, branch: MEMORY_BRANCH };
  const message = 'quorum: record a search of the code';
  const record = isWatchFailed ? recordLost : recordDone;
  return updateActionsState(place, message, (state) => {
    const used = { event: claim, usd, watchTokens, now: basics.clock.now(), workflowRun, attempt };
    return { state: record(state, used), told: undefined };
  });
}
