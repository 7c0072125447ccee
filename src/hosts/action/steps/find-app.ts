/** Whether the App acts in this repository: then the workflow leaves the event to it. */
import { z } from 'zod';
import { REVIEW_CHECK } from '../../../domain/task/check-names.ts';
import { STATUS_TITLE } from '../../../domain/digest/weekly-digest.ts';
import type { RepositoryRef, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { CheckOnCommit } from '../../../ports/github/memory-branch.ts';
import { readKeptFiles, type StatePlace } from '../branch/kept-file.ts';
import { ACTIONS_STATE_FILE } from '../branch/state-branch.ts';
import { ACTIONS_LOGIN, readOnce, readPages } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

const CheckRuns = z.object({
  check_runs: z.array(
    z.object({ status: z.string(), app: z.object({ slug: z.string() }).nullish() }),
  ),
});
const Written = z.object({
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  body: z.string().nullish(),
});
const Comments = z.array(Written);
const Issue = Written.extend({ number: z.int(), title: z.string() });

/** The form of our markers. Whose it is cannot be checked here, and a bot that imitates one only keeps us silent. */
const MARKER = /<!-- quorum:v1 \S+ -->\s*$/;

/** By what an App wrote: its review's check run on the pull request, or a comment of its own in the thread. */
export async function findApp(
  context: WorkflowContext,
  thread: ThreadRef,
  headSha: string | undefined,
): Promise<boolean> {
  const base = `/repos/${thread.owner}/${thread.repo}`;
  if (headSha !== undefined) {
    const found = await readReviewChecks(context, thread, headSha);
    return found.some(({ app }) => isOtherApp(app?.slug));
  }
  const path = `${base}/issues/${thread.number}/comments?per_page=100`;
  const comments = (await readOnce(context, path, Comments)) ?? [];
  return comments.some(isApps);
}

export interface ReviewedAt {
  thread: ThreadRef;
  headSha?: string | undefined;
}

/**
 * Reads the state, with other files where they are named, and keeps it in `place`. Undefined for a thread without a
 * head, and where the request did not tell the check runs.
 */
export async function readStateAndChecks(
  place: StatePlace,
  { headSha }: Pick<ReviewedAt, 'headSha'>,
  paths: readonly string[] = [],
): Promise<readonly CheckOnCommit[] | undefined> {
  if (headSha === undefined) return undefined;
  const checksOn = { sha: headSha, name: REVIEW_CHECK };
  const wanted = [ACTIONS_STATE_FILE.path, ...paths];
  return (await readKeptFiles(place, wanted, checksOn)).checks;
}

/** As {@link findApp}, by check runs that this job has read; undefined where it has not. */
export async function findAppKnowing(
  context: WorkflowContext,
  { thread, headSha }: ReviewedAt,
  checks: readonly CheckOnCommit[] | undefined,
): Promise<boolean> {
  if (checks === undefined) return findApp(context, thread, headSha);
  return checks.some(({ app }) => isOtherApp(app));
}

/** The open issue in which the App writes the weekly status. */
export async function findAppStatus(
  context: WorkflowContext,
  { owner, repo }: RepositoryRef,
): Promise<number | undefined> {
  const { found } = await readPages(context, `/repos/${owner}/${repo}/issues?state=open`, Issue);
  return found.find((issue) => issue.title === STATUS_TITLE && isApps(issue))?.number;
}

function isApps({ user, body }: z.infer<typeof Written>): boolean {
  return user?.type === 'Bot' && isOther(user.login, ACTIONS_LOGIN) && MARKER.test(body ?? '');
}

/** Whether a review of this head has ended, the App's or a workflow's. */
export async function hasEndedReview(
  context: WorkflowContext,
  thread: ThreadRef,
  headSha: string,
): Promise<boolean> {
  const found = await readReviewChecks(context, thread, headSha);
  return found.some(({ status }) => status === 'completed');
}

async function readReviewChecks(
  context: WorkflowContext,
  { owner, repo }: ThreadRef,
  headSha: string,
): Promise<z.infer<typeof CheckRuns>['check_runs']> {
  const name = encodeURIComponent(REVIEW_CHECK);
  const path = `/repos/${owner}/${repo}/commits/${headSha}/check-runs?check_name=${name}&per_page=100`;
  return (await readOnce(context, path, CheckRuns))?.check_runs ?? [];
}

function isOtherApp(slug: string | undefined): boolean {
  return isOther(slug, 'github-actions');
}

function isOther(name: string | undefined, own: string): boolean {
  return name !== undefined && name !== own;
}
