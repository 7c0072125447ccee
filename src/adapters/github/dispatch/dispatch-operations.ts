/** The REST operations with which a workflow is started by a dispatch and its result read. */
import { z } from 'zod';
import { operation, Text, User } from '../rest-operations.ts';

const REPO = '/repos/{owner}/{repo}';

const Run = z.object({
  id: z.number(),
  display_title: Text,
  path: Text,
  event: z.string(),
  actor: User.partial().nullish(),
  head_repository: z.object({ id: z.number() }).nullish(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  created_at: z.string(),
  html_url: z.string(),
});
export type WireDispatchedRun = z.infer<typeof Run>;

const Artifact = z.object({
  id: z.number(),
  name: z.string(),
  size_in_bytes: z.number(),
  expired: z.boolean(),
  workflow_run: z
    .object({
      id: z.number().optional(),
      repository_id: z.number().optional(),
      head_repository_id: z.number().optional(),
    })
    .nullish(),
});
export type WireArtifact = z.infer<typeof Artifact>;

export const CREATE_BLOB = operation(`POST ${REPO}/git/blobs`, z.object({ sha: z.string() }));
export const SEND_DISPATCH = operation(`POST ${REPO}/dispatches`, z.unknown());
export const LIST_DISPATCHED_RUNS = operation(
  `GET ${REPO}/actions/workflows/{workflow_id}/runs`,
  z.object({ workflow_runs: z.array(Run) }),
);
export const GET_RUN = operation(`GET ${REPO}/actions/runs/{run_id}`, Run);
export const LIST_ARTIFACTS = operation(
  `GET ${REPO}/actions/runs/{run_id}/artifacts`,
  z.object({ artifacts: z.array(Artifact) }),
);
/** Answers with the address of the archive. */
export const LOCATE_ARCHIVE = operation(
  `GET ${REPO}/actions/artifacts/{artifact_id}/{archive_format}`,
  z.unknown(),
);
