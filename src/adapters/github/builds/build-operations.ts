/** The REST operations on workflow runs, jobs and checks, each with what we read of its answer. */
import { z } from 'zod';
import { operation, Text, User } from '../rest-operations.ts';

const Run = z.object({
  id: z.number(),
  name: Text,
  path: Text,
  event: z.string(),
  run_number: z.number(),
  run_attempt: z.number().default(1),
  workflow_id: z.number(),
  head_branch: Text,
  head_sha: z.string(),
  head_repository: z.object({ id: z.number() }).nullish(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  html_url: z.string(),
  updated_at: z.string(),
});
export type WireRun = z.infer<typeof Run>;

const Step = z.object({
  name: z.string(),
  conclusion: z.string().nullish(),
  started_at: Text,
  completed_at: Text,
});

const Job = z.object({
  id: z.number(),
  name: z.string(),
  conclusion: z.string().nullish(),
  html_url: Text,
  steps: z.array(Step).default([]),
});
export type WireJob = z.infer<typeof Job>;

const Check = z.object({
  id: z.number(),
  name: z.string(),
  head_sha: z.string(),
  status: z.string(),
  conclusion: z.string().nullish(),
  html_url: Text,
  details_url: Text,
  completed_at: Text,
  app: z.object({ id: z.number(), slug: Text, name: Text }).nullish(),
  output: z
    .object({ title: Text, summary: Text, text: Text, annotations_count: z.number().default(0) })
    .nullish(),
});
export type WireCheck = z.infer<typeof Check>;

const Annotation = z.object({
  path: z.string(),
  start_line: z.number(),
  annotation_level: Text,
  title: Text,
  message: Text,
});

const Comparison = z.object({
  total_commits: z.number(),
  commits: z.array(
    z.object({
      sha: z.string(),
      commit: z.object({
        message: Text,
        author: z.object({ name: Text, date: Text }).nullish(),
      }),
      author: User.partial().nullish(),
    }),
  ),
  files: z.array(z.object({ filename: z.string(), patch: z.string().optional() })).default([]),
});
export type WireComparison = z.infer<typeof Comparison>;

const REPO = '/repos/{owner}/{repo}';
const Runs = z.object({ workflow_runs: z.array(Run) });

export const LIST_RUNS_OF_WORKFLOW = operation(
  `GET ${REPO}/actions/workflows/{workflow_id}/runs`,
  Runs,
);
export const LIST_RUNS = operation(`GET ${REPO}/actions/runs`, Runs);
export const LIST_JOBS = operation(
  `GET ${REPO}/actions/runs/{run_id}/attempts/{attempt_number}/jobs`,
  z.object({ jobs: z.array(Job) }),
);
/** Answers with the address of the text. */
export const LOCATE_LOG = operation(`GET ${REPO}/actions/jobs/{job_id}/logs`, z.unknown());
export const LIST_CHECKS = operation(
  `GET ${REPO}/commits/{ref}/check-runs`,
  z.object({ check_runs: z.array(Check) }),
);
export const LIST_ANNOTATIONS = operation(
  `GET ${REPO}/check-runs/{check_run_id}/annotations`,
  z.array(Annotation),
);
/** Oldest commit first; files on the first page only. */
export const COMPARE_COMMITS = operation(`GET ${REPO}/compare/{basehead}`, Comparison);
