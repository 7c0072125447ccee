/** Where the App acts on an event, the workflow leaves it to the App: in the claim job, and again before anything is written. */
import {
  holdsClaim,
  recordApplied,
  renderActionsState,
} from '../../../domain/actions/actions-state.ts';
import type { Basics } from '../../host-parts.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import { updateKeptFile } from '../branch/kept-file.ts';
import { ACTIONS_STATE_FILE } from '../branch/state-branch.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import type { ClaimTicket } from './claim-ticket.ts';
import type { CheckOnCommit } from '../../../ports/github/memory-branch.ts';
import { findAppKnowing } from './find-app.ts';

interface Job {
  basics: Basics;
  context: WorkflowContext;
}

const APP_ACTS = 'The Quorum App is installed in this repository and acts on this event.';
const ADVICE = 'Remove the App or this workflow.';

interface ToLeave extends Pick<ClaimTicket, 'claim'> {
  thread: ThreadRef;
  headSha?: string | undefined;
}

interface ToLook {
  ticket: ToLeave;
  usd: number;
  /** The review's check runs on the head, where this job has just read them. */
  checks?: readonly CheckOnCommit[] | undefined;
}

/** The App may have begun since the claim was made. Undefined where it did not; else why nothing is written. */
export async function leaveToApp(
  { ticket, usd, checks }: ToLook,
  job: Job,
): Promise<string | undefined> {
  const { thread, claim } = ticket;
  if (!(await findAppKnowing(job.context, ticket, checks))) return undefined;
  return `Nothing was written. ${await sayAppActs(job, { event: claim, thread: thread.number, usd })}`;
}

/** What a claim of this job has cost until it was left. */
interface Left {
  event: string;
  thread: number;
  usd: number;
}

/** The advice is given once in a repository. A claim that was left ends, so that no other job takes it up. */
export async function sayAppActs({ basics, context }: Job, left?: Left): Promise<string> {
  const { repository, workflowRun } = context;
  const place = { github: openUnsigned(basics, context), repository, branch: MEMORY_BRANCH };
  let isFirst = false;
  await updateKeptFile(place, ACTIONS_STATE_FILE, {
    message: 'quorum: leave an event to the App',
    change: (before, text) => {
      const now = basics.clock.now();
      isFirst ||= !before.saidAppActs;
      const said = { ...before, saidAppActs: true };
      const isHeld = left !== undefined && holdsClaim(said, { ...left, workflowRun, now });
      const done = isHeld ? recordApplied(said, { ...left, ids: [], now, isDone: true }) : said;
      const after = renderActionsState(done);
      return after === text ? undefined : after;
    },
  });
  return isFirst ? `${APP_ACTS} ${ADVICE}` : APP_ACTS;
}
