/**
 * Checks of other services at a commit, one run for each App. Those of Actions are read as jobs; Quorum's own do not
 * count.
 */
import { RED, type BuildJob, type BuildRun } from '../../../domain/build/build.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { eachPage, PER_PAGE } from '../client/pages.ts';
import { LIST_CHECKS, type WireCheck } from './build-operations.ts';

const ACTIONS = 'github-actions';
/** Names that our checks have, whichever instance wrote them. */
const OURS = /^quorum \/ /;

interface AtCommit {
  sha: string;
  appId?: number;
}

export async function checksAt(
  bound: SessionContext,
  ref: RepositoryRef,
  { sha, branch, appId }: AtCommit & { branch: string },
): Promise<BuildRun[]> {
  const checks = await readChecks(bound, ref, { sha, ...(appId !== undefined && { appId }) });
  const byApp = Map.groupBy(checks, (check) => check.app?.id ?? 0);
  return [...byApp.values()].flatMap((all) => toRun(all, branch));
}

async function readChecks(
  bound: SessionContext,
  ref: RepositoryRef,
  { sha, appId }: AtCommit,
): Promise<WireCheck[]> {
  const params = {
    ...bound.places.last(ref),
    ref: sha,
    filter: 'latest',
    per_page: PER_PAGE,
    ...(appId !== undefined && { app_id: appId }),
  };
  const found: WireCheck[] = [];
  for await (const { check_runs: checks } of eachPage(bound.calls, LIST_CHECKS, params))
    found.push(...checks.filter((check) => isOthers(bound, check)));
  return found.filter((check) => appId === undefined || check.app?.id === appId);
}

function isOthers(bound: SessionContext, { app, name }: WireCheck): boolean {
  return app?.slug !== ACTIONS && app?.id !== bound.appId && !OURS.test(name);
}

/** Red when one is, going on while one is, else green: an App has one word for a commit. */
function toRun(checks: readonly WireCheck[], branch: string): BuildRun[] {
  const failed = checks.find((check) => RED.has(check.conclusion ?? ''));
  const open = checks.find((check) => check.status !== 'completed');
  const one = failed ?? open ?? checks[0];
  if (one === undefined) return [];
  return [
    {
      id: one.id,
      source: { kind: 'checks', appId: one.app?.id ?? 0 },
      attempt: 1,
      number: undefined,
      name: one.app?.name ?? one.name,
      path: undefined,
      event: 'check_suite',
      branch,
      headSha: one.head_sha,
      conclusion: conclusionOf({ failed, open, checks }),
      url: one.details_url === '' ? one.html_url : one.details_url,
      endedAt:
        checks
          .map((check) => check.completed_at)
          .toSorted()
          .at(-1) ?? '',
    },
  ];
}

function conclusionOf(of: {
  failed: WireCheck | undefined;
  open: WireCheck | undefined;
  checks: readonly WireCheck[];
}): string | undefined {
  if (of.failed !== undefined) return of.failed.conclusion ?? undefined;
  if (of.open !== undefined) return undefined;
  return of.checks.some((check) => check.conclusion === 'success') ? 'success' : 'neutral';
}

export async function failedChecks(
  bound: SessionContext,
  ref: RepositoryRef,
  at: Required<AtCommit>,
): Promise<BuildJob[]> {
  const checks = await readChecks(bound, ref, at);
  return checks
    .filter((check) => RED.has(check.conclusion ?? ''))
    .map((check) => ({
      id: check.id,
      name: check.name,
      conclusion: check.conclusion ?? '',
      url: check.details_url === '' ? check.html_url : check.details_url,
      steps: [],
      text: [check.output?.title, check.output?.summary, check.output?.text]
        .filter((part) => part !== undefined && part !== '')
        .join('\n\n'),
    }));
}
