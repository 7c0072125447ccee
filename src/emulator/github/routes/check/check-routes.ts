/** Operations on check runs, check suites and commit statuses. */
import { z } from 'zod';
import { createRun, createSuite, emitRun, updateRun } from '../../checks/write-check-run.ts';
import { resolveCommit } from '../../git/objects.ts';
import { HttpError, notFound } from '../../behave/http-error.ts';
import type { CheckRun, CheckSuite } from '../../world/check-model.ts';
import { reads, writes } from '../../world/permissions.ts';
import { toCheckRun, toCheckSuite } from '../../render/to-check-run.ts';
import { repositoryApiUrl, toMinimalRepository } from '../../render/repositories.ts';
import { installationCovers } from '../../world/world.ts';
import {
  created,
  idParam,
  renderListPage,
  ok,
  paged,
  param,
  parseBody,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import { NewRun, RunChange } from './check-fields.ts';

async function postRun(call: RepositoryCall): Promise<Answer> {
  const run = await createRun(call, parseBody(call, NewRun));
  return created(toCheckRun(call.world, call.repository, run));
}

function runParam(call: RepositoryCall): CheckRun {
  const id = idParam(call, 'check_run_id');
  const run = call.repository.checkRuns.find((one) => one.id === id);
  if (run === undefined) throw notFound();
  return run;
}

function patchRun(call: RepositoryCall): Answer {
  const body = parseBody(call, RunChange);
  return ok(toCheckRun(call.world, call.repository, updateRun(call, runParam(call), body)));
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

async function postSuite(call: RepositoryCall): Promise<Answer> {
  const { head_sha: sha } = parseBody(call, z.object({ head_sha: z.string() }));
  const { suite, isNew } = await createSuite(call, sha);
  return { status: isNew ? 201 : 200, body: toCheckSuite(call.world, call.repository, suite) };
}

const Preferences = z.object({
  auto_trigger_checks: z.array(z.object({ app_id: z.number(), setting: z.boolean() })).default([]),
});

function patchPreferences(call: RepositoryCall): Answer {
  const { repository, world } = call;
  const off = (repository.appsWithoutSuites ??= new Set());
  for (const { app_id: appId, setting } of parseBody(call, Preferences).auto_trigger_checks)
    if (setting) off.delete(appId);
    else off.add(appId);
  const apps = [...world.state.installations.values()]
    .filter((one) => one.permissions['checks'] === 'write' && installationCovers(one, repository))
    .map(({ appId }) => ({ app_id: appId, setting: !off.has(appId) }));
  return ok({
    preferences: { auto_trigger_checks: apps },
    repository: toMinimalRepository(world, repository),
  });
}

const REPO = '/repos/{owner}/{repo}';

const READ = reads('checks');

const WRITE = writes('write', 'checks');

export const checkRoutes: Route[] = [
  { method: 'POST', path: `${REPO}/check-suites`, need: WRITE, run: postSuite },
  { method: 'POST', path: `${REPO}/check-runs`, need: WRITE, run: postRun },
  {
    method: 'GET',
    path: `${REPO}/check-runs/{check_run_id}`,
    need: READ,
    run: (call) => ok(toCheckRun(call.world, call.repository, runParam(call))),
  },
  { method: 'PATCH', path: `${REPO}/check-runs/{check_run_id}`, need: WRITE, run: patchRun },
  {
    method: 'GET',
    path: `${REPO}/check-runs/{check_run_id}/annotations`,
    need: READ,
    run: (call) =>
      renderListPage(call, runParam(call).annotations, (one) => ({
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
    method: 'PATCH',
    path: `${REPO}/check-suites/preferences`,
    need: writes('admin', 'checks'),
    run: patchPreferences,
  },
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
