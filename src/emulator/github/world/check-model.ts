/** The nouns of checks in the embedded GitHub: commit statuses, check runs and suites, runs of workflows. */

export interface CommitStatus {
  id: number;
  sha: string;
  state: 'error' | 'failure' | 'pending' | 'success';
  context: string;
  description: string | null;
  targetUrl: string | null;
  creatorId: number;
  createdAt: string;
}

interface Annotation {
  path: string;
  start_line: number;
  end_line: number;
  start_column: number | null;
  end_column: number | null;
  annotation_level: 'notice' | 'warning' | 'failure';
  title: string | null;
  message: string;
  raw_details: string | null;
}

export interface CheckRun {
  id: number;
  suiteId: number;
  appId: number;
  headSha: string;
  name: string;
  status: string;
  conclusion: string | null;
  externalId: string;
  detailsUrl: string | null;
  startedAt: string;
  completedAt: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  annotations: Annotation[];
}

export interface CheckSuite {
  id: number;
  appId: number;
  headSha: string;
  headBranch: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A step of a job, as its log shows it. */
export interface WorkflowStep {
  number: number;
  name: string;
  conclusion: string;
  startedAt: string;
  completedAt: string;
}

export interface WorkflowJob {
  id: number;
  /** Of the run: jobs of earlier attempts stay. */
  attempt: number;
  name: string;
  conclusion: string;
  startedAt: string;
  completedAt: string;
  steps: WorkflowStep[];
  /** Undefined once it is gone. */
  log: string | undefined;
}

export interface RunArtifact {
  id: number;
  name: string;
  /** The archive, in base64. */
  zip: string;
  isExpired: boolean;
  createdAt: string;
}

export interface WorkflowRun {
  id: number;
  runNumber: number;
  workflowPath: string;
  attempt: number;
  /** Where the head is: a fork's, or the repository itself. */
  headRepositoryId: number;
  jobs: WorkflowJob[];
  event: string;
  headBranch: string;
  headSha: string;
  status: string;
  conclusion: string | null;
  inputs: Record<string, unknown>;
  /** As its `run-name` says; without one, the workflow's path. */
  title?: string;
  artifacts?: RunArtifact[];
  actorId: number;
  createdAt: string;
  updatedAt: string;
}
