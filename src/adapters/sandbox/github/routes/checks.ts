/** Operations on check runs, check suites and commit statuses. */
import { readRefs, resolveCommit } from '../git/objects.ts';
import { forbiddenForApp, HttpError, notFound } from '../http-error.ts';
import type { CheckRun, CheckSuite } from '../model.ts';
import { reads, writes } from '../permissions.ts';
import { suiteState, toCheckRun, toCheckSuite } from '../render/checks.ts';
import { repositoryApiUrl } from '../render/repositories.ts';
import {
  created,
  idParam,
  listed,
  ok,
  paged,
  param,
  readBody,
  sender,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../router.ts';
import { nextId, nowIso } from '../world.ts';
import { applyChange, NewRun, RunChange } from './check-fields.ts';

/** Only an App writes checks. */
function ownAppId(call: RepositoryCall): number {
  if (call.actor.kind !== 'installation') throw forbiddenForApp();
  return call.actor.app.id;
}

/** The pull request's branch, or any branch whose tip it is. */
async function branchOf({ repository }: RepositoryCall, headSha: string): Promise<string | null> {
  const pull = [...repository.threads.values()].find((one) => one.pull?.headSha === headSha)?.pull;
  if (pull !== undefined) return pull.headRef;
  const heads = 'refs/heads/';
  for (const [ref, sha] of await readRefs(repository.gitDir))
    if (sha === headSha && ref.startsWith(heads)) return ref.slice(heads.length);
  return null;
}

async function ensureSuite(
  call: RepositoryCall,
  appId: number,
  headSha: string,
): Promise<CheckSuite> {
  const { repository, world } = call;
  const headBranch = await branchOf(call, headSha);
  const found = repository.checkSuites.find(
    (one) => one.appId === appId && one.headSha === headSha,
  );
  if (found !== undefined) return found;
  const at = nowIso(world);
  const times = { createdAt: at, updatedAt: at };
  const suite: CheckSuite = { id: nextId(world), appId, headSha, headBranch, ...times };
  repository.checkSuites.push(suite);
  return suite;
}

function emitRun(call: RepositoryCall, run: CheckRun, action: string): void {
  call.world.emit({
    event: 'check_run',
    action,
    repository: call.repository,
    sender: sender(call),
    payload: { check_run: toCheckRun(call.world, call.repository, run) },
  });
}

async function createRun(call: RepositoryCall): Promise<Answer> {
  const body = readBody(call, NewRun);
  const appId = ownAppId(call);
  const headSha = await resolveCommit(call.repository.gitDir, body.head_sha);
  if (headSha === undefined) throw new HttpError(422, `No commit found for SHA: ${body.head_sha}`);
  const run: CheckRun = {
    id: nextId(call.world),
    suiteId: (await ensureSuite(call, appId, headSha)).id,
    appId,
    headSha,
    name: body.name,
    status: 'queued',
    conclusion: null,
    externalId: '',
    detailsUrl: null,
    startedAt: nowIso(call.world),
    completedAt: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
  };
  applyChange(call, run, body);
  call.repository.checkRuns.push(run);
  emitRun(call, run, 'created');
  if (run.status === 'completed') completed(call, run);
  return created(toCheckRun(call.world, call.repository, run));
}

function runParam(call: RepositoryCall): CheckRun {
  const id = idParam(call, 'check_run_id');
  const run = call.repository.checkRuns.find((one) => one.id === id);
  if (run === undefined) throw notFound();
  return run;
}

function updateRun(call: RepositoryCall): Answer {
  const body = readBody(call, RunChange);
  const run = runParam(call);
  if (run.appId !== ownAppId(call))
    throw new HttpError(
      403,
      'Invalid app_id `' +
        run.appId +
        '` - check run can only be modified by the GitHub App that created it.',
    );
  const wasCompleted = run.status === 'completed';
  applyChange(call, run, body);
  if (run.status === 'completed' && !wasCompleted) completed(call, run);
  return ok(toCheckRun(call.world, call.repository, run));
}

/** A completed run may complete its suite. */
function completed(call: RepositoryCall, run: CheckRun): void {
  emitRun(call, run, 'completed');
  const suite = call.repository.checkSuites.find((one) => one.id === run.suiteId);
  if (suite === undefined || suiteState(call.repository, suite).status !== 'completed') return;
  suite.updatedAt = nowIso(call.world);
  call.world.emit({
    event: 'check_suite',
    action: 'completed',
    repository: call.repository,
    sender: sender(call),
    payload: { check_suite: toCheckSuite(call.world, call.repository, suite) },
  });
}

function answerRuns(call: RepositoryCall, candidates: readonly CheckRun[]): Answer {
  const name = call.query.get('check_name');
  const status = call.query.get('status');
  const appId = call.query.get('app_id');
  const chosen = candidates.filter(
    (run) =>
      (name === null || run.name === name) &&
      (status === null || run.status === status) &&
      (appId === null || run.appId === Number(appId)),
  );
  const runs = call.query.get('filter') === 'all' ? chosen : latest(chosen);
  const { page, headers } = paged(call, runs.toReversed());
  return {
    status: 200,
    headers,
    body: {
      total_count: runs.length,
      check_runs: page.map((run) => toCheckRun(call.world, call.repository, run)),
    },
  };
}

/** Of runs with one name by one App, only the newest counts. */
function latest(runs: readonly CheckRun[]): CheckRun[] {
  return [...new Map(runs.map((run) => [`${run.appId}/${run.name}`, run])).values()];
}

export async function shaParam(call: RepositoryCall, name = 'ref'): Promise<string> {
  const sha = await resolveCommit(call.repository.gitDir, param(call, name));
  if (sha === undefined) throw new HttpError(422, `No commit found for SHA: ${param(call, name)}`);
  return sha;
}

function suiteParam(call: RepositoryCall): CheckSuite {
  const id = idParam(call, 'check_suite_id');
  const suite = call.repository.checkSuites.find((one) => one.id === id);
  if (suite === undefined) throw notFound();
  return suite;
}

async function listSuites(call: RepositoryCall): Promise<Answer> {
  const sha = await shaParam(call);
  const suites = call.repository.checkSuites.filter((one) => one.headSha === sha);
  const { page, headers } = paged(call, suites);
  return {
    status: 200,
    headers,
    body: {
      total_count: suites.length,
      check_suites: page.map((suite) => toCheckSuite(call.world, call.repository, suite)),
    },
  };
}

const REPO = '/repos/{owner}/{repo}';

const READ = reads('checks');

const WRITE = writes('write', 'checks');

export const checkRoutes: Route[] = [
  { method: 'POST', path: `${REPO}/check-runs`, need: WRITE, run: createRun },
  {
    method: 'GET',
    path: `${REPO}/check-runs/{check_run_id}`,
    need: READ,
    run: (call) => ok(toCheckRun(call.world, call.repository, runParam(call))),
  },
  { method: 'PATCH', path: `${REPO}/check-runs/{check_run_id}`, need: WRITE, run: updateRun },
  {
    method: 'GET',
    path: `${REPO}/check-runs/{check_run_id}/annotations`,
    need: READ,
    run: (call) =>
      listed(call, runParam(call).annotations, (one) => ({
        ...one,
        blob_href: `${repositoryApiUrl(call.world, call.repository)}/contents/${one.path}`,
      })),
  },
  {
    method: 'POST',
    path: `${REPO}/check-runs/{check_run_id}/rerequest`,
    need: WRITE,
    run: (call) => {
      emitRun(call, runParam(call), 'rerequested');
      return created({});
    },
  },
  {
    method: 'GET',
    path: `${REPO}/commits/{ref}/check-runs`,
    need: READ,
    run: async (call) => {
      const sha = await shaParam(call);
      return answerRuns(
        call,
        call.repository.checkRuns.filter((one) => one.headSha === sha),
      );
    },
  },
  { method: 'GET', path: `${REPO}/commits/{ref}/check-suites`, need: READ, run: listSuites },
  {
    method: 'GET',
    path: `${REPO}/check-suites/{check_suite_id}`,
    need: READ,
    run: (call) => ok(toCheckSuite(call.world, call.repository, suiteParam(call))),
  },
  {
    method: 'GET',
    path: `${REPO}/check-suites/{check_suite_id}/check-runs`,
    need: READ,
    run: (call) => {
      const suite = suiteParam(call);
      return answerRuns(
        call,
        call.repository.checkRuns.filter((one) => one.suiteId === suite.id),
      );
    },
  },
];
