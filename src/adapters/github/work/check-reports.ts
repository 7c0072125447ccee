/** What was reported at a commit: check runs, and the newest status of each name. */
import { RefusedError } from '../../../domain/event/errors.ts';
import type { CheckReport, RequiredCheck } from '../../../ports/github/work.ts';
import type { SessionContext } from '../bound.ts';
import { unexpectedAnswer } from '../client/expected-answer.ts';
import type { Params } from '../github-answer.ts';
import { everyPage, PER_PAGE } from '../client/pages.ts';
import type { Place } from '../repository-locator.ts';
import { toActor } from '../read/to-domain.ts';
import type { RequiredName } from './merge/read-branch-rules.ts';
import { LIST_REPORTED_CHECKS, LIST_STATUSES, type WireStatus } from './work-operations.ts';

export interface Reports {
  all: readonly CheckReport[];
  /** Whether the App may read the statuses among them. */
  hasStatuses: boolean;
}

export async function readReports(
  bound: SessionContext,
  place: Place,
  sha: string,
): Promise<Reports> {
  const params = { ...place, ref: sha, per_page: PER_PAGE };
  const checks = await readChecks(bound, params);
  const statuses = await readStatuses(bound, params);
  return { all: [...checks, ...(statuses ?? [])], hasStatuses: statuses !== undefined };
}

type AtCommit = Params & { ref: string };

async function readChecks(bound: SessionContext, params: AtCommit): Promise<CheckReport[]> {
  const found: CheckReport[] = [];
  const latest = { ...params, filter: 'latest' };
  let total = 0;
  for await (const page of everyPage(bound.calls, LIST_REPORTED_CHECKS, latest)) {
    total = page.total_count;
    for (const run of page.check_runs)
      found.push({
        name: run.name,
        kind: 'check',
        appId: run.app?.id,
        by: undefined,
        state: run.status === 'completed' ? (run.conclusion ?? 'neutral') : 'pending',
        externalId: run.external_id,
        url: run.html_url,
      });
  }
  // A check that is missing here could be the one that failed.
  if (found.length < total)
    throw unexpectedAnswer(
      LIST_REPORTED_CHECKS.route,
      `it lists ${found.length} of ${total} check runs`,
    );
  return found;
}

/** Undefined where the App may not read them: what is required is missing then, which stops a merge. */
async function readStatuses(
  bound: SessionContext,
  params: AtCommit,
): Promise<CheckReport[] | undefined> {
  const newest = new Map<string, CheckReport>();
  try {
    for await (const page of everyPage(bound.calls, LIST_STATUSES, params))
      for (const status of page.map(toReport))
        newest.set(status.name, newest.get(status.name) ?? status);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.code !== 'github-forbidden') throw error;
    return undefined;
  }
  return [...newest.values()];
}

function toReport({ context, state, target_url: url, creator }: WireStatus): CheckReport {
  const said = { state, url, externalId: '' };
  return { name: context, kind: 'status', appId: undefined, by: toActor(creator), ...said };
}

/** Where one App alone counts, a status does not: GitHub does not tell whose it is. */
export function standing(
  { name, appId }: RequiredName,
  { all, hasStatuses }: Reports,
): RequiredCheck {
  const counts = (report: CheckReport): boolean => appId === undefined || report.appId === appId;
  const reports = all.filter((one) => one.name === name && counts(one));
  const isHidden = !hasStatuses && appId === undefined && reports.length === 0;
  return { name, appId, reports, ...(isHidden && { isHidden }) };
}
