/** The apply job of a sweep. Each event's intents pass the same checks as in its own workflow. The other loops come after them. */
import { recordApplied } from '../../../domain/actions/actions-state.ts';
import {
  recordDone,
  recordLost,
  releaseUnbegun,
} from '../../../domain/actions/spending/settle-claim.ts';
import { digestIntents, IntentsFile, MAX_INTENTS_BYTES } from '../../../domain/actions/intents.ts';
import { MAX_MEMORY_WORK_BYTES } from '../../../domain/actions/memory-work.ts';
import { toFailure } from '../../../domain/event/errors.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { updateActionsState } from '../branch/state-branch.ts';
import { openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { applyStep } from '../steps/apply-step.ts';
import type { ClaimTicket } from '../steps/claim-ticket.ts';
import { downloadFiles, type HandOver } from '../steps/hand-over.ts';
import { sweepMemory } from './memory/sweep-memory.ts';
import { sweepWeek } from './weekly/sweep-week.ts';
import { sweepPlans } from './sweep-plans.ts';
import type { LoopReport } from './loop-report.ts';
import { MEMORY_FILE, type SweepDone, type SweepTicket, type WatchTicket } from './sweep-ticket.ts';

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
  const job = { basics, context };
  const files = await download(done, { env: basics.env, artifact });
  const { attempt = context.attempt } = done;
  const swept: LoopSwept[] = [await applyEvents(ticket, done, { ...job, files })];
  await settleRest(ticket, done, job);
  const { memory, watch, plans, week } = ticket;
  if (memory !== undefined && done.memory !== undefined) {
    const bytes = files.get(MEMORY_FILE);
    swept.push(await sweepMemory(memory, { ...job, done: done.memory, attempt, bytes }));
  }
  if (watch !== undefined && done.watchUsd !== undefined) await endWatch(watch, done, job);
  if (plans !== undefined) swept.push(await sweepPlans(plans, job));
  // Last: it tells what the pass has done.
  if (week !== undefined) swept.push(await sweepWeek(week, job));
  return {
    written: swept.reduce((sum, { written }) => sum + written, 0),
    reports: swept.map(({ report }) => report),
  };
}

type Files = ReadonlyMap<string, Uint8Array>;

async function download({ files, memory }: SweepDone, from: HandOver): Promise<Files> {
  const names = new Map(Object.keys(files).map((at) => [`${at}.json`, MAX_INTENTS_BYTES]));
  if (memory?.digest !== undefined) names.set(MEMORY_FILE, MAX_MEMORY_WORK_BYTES);
  return names.size === 0 ? new Map() : downloadFiles(names, from);
}

interface LoopSwept {
  written: number;
  report: LoopReport;
}

async function applyEvents(
  { events }: SweepTicket,
  done: SweepDone,
  { basics, context, files }: Omit<Applying, 'artifact'> & { files: Files },
): Promise<LoopSwept> {
  const lines: string[] = [];
  const failed: FailedEvent[] = [];
  let written = 0;
  for (const [at, digest] of Object.entries(done.files)) {
    const event = events[Number(at)];
    const bytes = files.get(`${at}.json`);
    if (event === undefined || bytes === undefined) continue;
    try {
      const applied = await applyStep(basics, context, { ticket: event, digest, bytes });
      written += applied.written;
      const said = [`${applied.written} writes were carried out.`, ...applied.told];
      lines.push(...said.map((line) => `#${event.thread.number}: ${line}`));
    } catch (error) {
      // The others are written; this one's claim expires and a later pass tries it again.
      failed.push({ event, digest, usd: usdIn(bytes, digest) });
      const { code, message } = toFailure(error);
      lines.push(`#${event.thread.number}: ${message} (\`${code}\`)`);
    }
  }
  await bookFailed(failed, { basics, context });
  const isFailed = failed.length > 0;
  return { written, report: { loop: 'reconcile', lines, ...(isFailed && { isFailed }) } };
}

interface FailedEvent {
  event: ClaimTicket;
  digest: string;
  usd: number;
}

/** Models were paid, whatever became of their answers. What the event's own record has counted is not counted again. */
async function bookFailed(
  failed: readonly FailedEvent[],
  { basics, context: { repository }, context }: Omit<Applying, 'artifact'>,
): Promise<void> {
  if (failed.every(({ usd }) => usd === 0)) return;
  const place = { github: openUnsigned(basics, context), repository, branch: MEMORY_BRANCH };
  const now = basics.clock.now();
  const message = 'quorum: record what failed events cost';
  await updateActionsState(place, message, (state) => {
    const book = (at: typeof state, { event, digest, usd }: FailedEvent): typeof state =>
      recordApplied(at, {
        event: event.claim,
        thread: event.thread.number,
        ids: [],
        usd,
        spending: digest,
        now,
        isDone: false,
      });
    return { state: failed.reduce(book, state), told: undefined };
  });
}

/** Nothing of a file that the agent job did not name. */
function usdIn(bytes: Uint8Array, digest: string): number {
  if (bytes.length > MAX_INTENTS_BYTES || digestIntents(bytes) !== digest) return 0;
  try {
    return IntentsFile.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))).spent.usd;
  } catch {
    return 0;
  }
}

/**
 * Models were paid for events that came to nothing: the daily limits count it. What the pass did not begin is there for
 * the next one.
 */
async function settleRest(
  { events, watch }: SweepTicket,
  { lostUsd = {}, left = [], isWatchLeft, files, ...done }: SweepDone,
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
  const { repository, workflowRun } = context;
  const { attempt = context.attempt } = done;
  const place = { github: openUnsigned(basics, context), repository, branch: MEMORY_BRANCH };
  const now = basics.clock.now();
  const message = 'quorum: record which events came to nothing or were not begun';
  await updateActionsState(place, message, (state) => {
    const spent = { workflowRun, attempt, now };
    const counted = lost.reduce((at, one) => recordLost(at, { ...one, ...spent }), state);
    const freed = (at: typeof state, event: string): typeof state =>
      releaseUnbegun(at, { event, workflowRun, attempt, now });
    return { state: unbegun.reduce(freed, counted), told: undefined };
  });
}

function endWatch(
  { claim }: WatchTicket,
  { watchUsd: usd = 0, watchTokens = 0, isWatchFailed, ...done }: SweepDone,
  { basics, context }: Omit<Applying, 'artifact'>,
): Promise<void> {
  const { repository, workflowRun } = context;
  // Of the job that searched: this one may have been run again without it.
  const { attempt = context.attempt } = done;
  const github = openUnsigned(basics, context);
  const place = { github, repository, branch: MEMORY_BRANCH };
  const message = 'quorum: record a search of the code';
  const record = isWatchFailed ? recordLost : recordDone;
  return updateActionsState(place, message, (state) => {
    const used = { event: claim, usd, watchTokens, now: basics.clock.now(), workflowRun, attempt };
    return { state: record(state, used), told: undefined };
  });
}
