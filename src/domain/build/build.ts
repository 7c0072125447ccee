/** The words of builds: runs of workflows and checks of other services, what failed in them, and since when. */

/** Whose verdict on commits is followed: a workflow of GitHub Actions, or all checks of one other App. */
export type BuildSource = { kind: 'workflow'; id: number } | { kind: 'checks'; appId: number };

/** Where a build belongs: to the branch that everybody works on, or to a pull request of the repository itself. */
export type BuildPlace =
  { kind: 'branch'; source: BuildSource; branch: string } | { kind: 'pull'; number: number };

/** The stream in which the builds of one place are followed. */
export function buildKey(repositoryId: number, where: BuildPlace): string {
  const what = where.kind === 'pull' ? `pull-${where.number}` : sourceName(where.source);
  return `build:${repositoryId}/${what}`;
}

export function sourceName(source: BuildSource): string {
  return source.kind === 'workflow' ? `workflow-${source.id}` : `app-${source.appId}`;
}

/** Conclusions that say that something is wrong; `cancelled`, `skipped` and the like say nothing. */
export const RED: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure']);

/** One run of a workflow, or the checks of another service at one commit. */
export interface BuildRun {
  /** Of the workflow's run, or of the newest check. */
  id: number;
  source: BuildSource;
  attempt: number;
  /** Counts up in a workflow; undefined for checks. */
  number: number | undefined;
  /** Of the workflow or the App. */
  name: string;
  /** The workflow's file. */
  path: string | undefined;
  /** The workflow event that caused it. */
  event: string;
  branch: string;
  headSha: string;
  /** Undefined while it is going on. */
  conclusion: string | undefined;
  url: string;
  /** ISO 8601. */
  endedAt: string;
}

/** A job or check that failed, without what it wrote. */
export interface BuildJob {
  id: number;
  name: string;
  conclusion: string;
  url: string;
  /** Those that failed, in order. */
  steps: { name: string; from: string; to: string }[];
  /** What a check of another service says itself; a job writes a log. */
  text: string | undefined;
}

/** What a tool says at a place. */
export interface BuildNote {
  path: string;
  line: number;
  message: string;
}

/** A commit between the last green head and the red one. */
export interface RangeCommit {
  sha: string;
  /** First line of its message. */
  title: string;
  /** Login, or the name that git knows. */
  author: string;
  /** Whether it is an automated account's. */
  isByBot: boolean;
  /** ISO 8601. */
  at: string;
}

/** What came between two commits. */
export interface CommitRange {
  /** Newest first. */
  commits: RangeCommit[];
  /** All of them, those that are not listed too. */
  total: number;
  /** Changed files, with their change where GitHub shows it. */
  files: { path: string; patch: string | undefined }[];
}
