/** Repository dispatches, which queue a run of each workflow that listens to them, and the artifacts that runs leave. */
import { parse } from 'yaml';
import { z } from 'zod';
import { HttpError, notFound } from '../../behave/http-error.ts';
import { readFileAt, resolveCommit } from '../../git/objects.ts';
import { repositoryApiUrl } from '../../render/repositories.ts';
import {
  idParam,
  NO_CONTENT,
  paged,
  parseBody,
  sender,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import type { RunArtifact, WorkflowRun } from '../../world/check-model.ts';
import { archiveUrl } from '../../world/logs.ts';
import { alwaysReads, reads, writes } from '../../world/permissions.ts';
import { nextId, nodeId, nowIso } from '../../world/world.ts';
import { emitWorkflowRun, runParam, workflowPaths } from './action-routes.ts';

const RepositoryDispatch = z.looseObject({
  event_type: z.string().min(1).max(100),
  client_payload: z.record(z.string(), z.unknown()).optional(),
});

const MAX_PAYLOAD_CHARS = 65_535;

async function repositoryDispatch(call: RepositoryCall): Promise<Answer> {
  const { event_type: eventType, client_payload: given = {} } = parseBody(call, RepositoryDispatch);
  if (Object.keys(given).length > 10)
    throw new HttpError(422, 'No more than 10 properties are allowed in client_payload.');
  if (JSON.stringify(given).length > MAX_PAYLOAD_CHARS)
    throw new HttpError(422, 'client_payload is too large.');
  const { repository, world } = call;
  const at = nowIso(world);
  repository.dispatches.push({ eventType, clientPayload: given, at });
  world.emit({
    event: 'repository_dispatch',
    action: eventType,
    repository,
    sender: sender(call),
    payload: { branch: repository.defaultBranch, client_payload: given },
  });
  for (const run of await runsFor(call, { eventType, given })) {
    repository.workflowRuns.push(run);
    emitWorkflowRun(call, run, 'requested');
  }
  return NO_CONTENT;
}

const Listening = z.looseObject({
  on: z.looseObject({
    repository_dispatch: z.looseObject({ types: z.array(z.string()).optional() }).nullable(),
  }),
  'run-name': z.string().optional(),
});

/** GitHub takes the workflows of the default branch, and no others. */
async function runsFor(
  call: RepositoryCall,
  { eventType, given }: { eventType: string; given: Record<string, unknown> },
): Promise<WorkflowRun[]> {
  const { repository, world } = call;
  const headSha = await resolveCommit(repository.gitDir, repository.defaultBranch);
  if (headSha === undefined) return [];
  const runs: WorkflowRun[] = [];
  for (const path of await workflowPaths(call)) {
    const source = await readFileAt(repository.gitDir, headSha, path);
    const workflow = Listening.safeParse(parse(source?.toString() ?? '')).data;
    const types = workflow?.on.repository_dispatch?.types;
    if (workflow === undefined || types?.includes(eventType) === false) continue;
    const at = nowIso(world);
    runs.push({
      id: nextId(world),
      runNumber: repository.workflowRuns.filter((one) => one.workflowPath === path).length + 1,
      workflowPath: path,
      attempt: 1,
      headRepositoryId: repository.id,
      jobs: [],
      event: 'repository_dispatch',
      headBranch: repository.defaultBranch,
      headSha,
      status: 'queued',
      conclusion: null,
      inputs: {},
      title: titleOf(workflow['run-name'] ?? eventType, given),
      actorId: sender(call).id,
      createdAt: at,
      updatedAt: at,
    });
  }
  return runs;
}

const PAYLOAD = /\$\{\{ github\.event\.client_payload\.(\w+) \}\}/g;

/** Of a `run-name` only the values that were sent are filled in. */
function titleOf(name: string, given: Record<string, unknown>): string {
  return name.replaceAll(PAYLOAD, (_, key: string) => {
    const value = given[key];
    return typeof value === 'string' ? value : '';
  });
}

function listArtifacts(call: RepositoryCall): Answer {
  const run = runParam(call);
  const name = call.query.get('name');
  const found = (run.artifacts ?? []).filter((one) => name === null || one.name === name);
  const { page, headers } = paged(call, found);
  const artifacts = page.map((artifact) => toArtifact(call, run, artifact));
  return { status: 200, headers, body: { total_count: found.length, artifacts } };
}

function toArtifact(call: RepositoryCall, run: WorkflowRun, artifact: RunArtifact) {
  const { repository, world } = call;
  const { id, name, zip, isExpired, createdAt } = artifact;
  const url = `${repositoryApiUrl(world, repository)}/actions/artifacts/${id}`;
  return {
    id,
    node_id: nodeId('A', id),
    name,
    size_in_bytes: Buffer.byteLength(zip, 'base64'),
    url,
    archive_download_url: `${url}/zip`,
    expired: isExpired,
    created_at: createdAt,
    updated_at: createdAt,
    expires_at: createdAt,
    workflow_run: {
      id: run.id,
      repository_id: repository.id,
      head_repository_id: run.headRepositoryId,
      head_branch: run.headBranch,
      head_sha: run.headSha,
    },
  };
}

function redirectToArchive(call: RepositoryCall): Answer {
  const id = idParam(call, 'artifact_id');
  const found = call.repository.workflowRuns
    .flatMap(({ artifacts = [] }) => artifacts)
    .find((one) => one.id === id);
  if (found === undefined) throw notFound();
  if (found.isExpired) throw new HttpError(410, 'Artifact has expired');
  const location = archiveUrl(call.world, Buffer.from(found.zip, 'base64'));
  return { status: 302, headers: { location } };
}

const REPO = '/repos/{owner}/{repo}';

export const dispatchRoutes: Route[] = [
  {
    method: 'POST',
    path: `${REPO}/dispatches`,
    need: writes('write', 'contents'),
    run: repositoryDispatch,
  },
  {
    method: 'GET',
    path: `${REPO}/actions/runs/{run_id}/artifacts`,
    need: reads('actions'),
    run: listArtifacts,
  },
  {
    method: 'GET',
    path: `${REPO}/actions/artifacts/{artifact_id}/{archive_format}`,
    need: alwaysReads('actions'),
    run: redirectToArchive,
  },
];
