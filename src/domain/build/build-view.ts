/** What a look at a build brings, and what a run keeps of it. */
import type { Config } from '../config/config.ts';
import type { Persona } from '../persona/persona.ts';
import type { Actor } from '../run/thread-ref.ts';
import type { CommentView, IssueView } from '../run/view.ts';
import type { FileProblem } from '../config/yaml.ts';
import type { BuildNote, BuildPlace, BuildRun, RangeCommit } from './build.ts';
import type { BuildCause } from './find-causes.ts';

/** A failed job or check, as messages name it. */
export interface FailedName {
  run: string;
  name: string;
  conclusion: string;
  url: string;
  steps: string[];
}

/** A failed job with what was read of it. */
export interface JobReading extends FailedName {
  /** Cut to what matters, credentials removed; empty where there is no log. */
  log: string;
  /** Why there is no log. */
  why?: 'gone' | 'refused' | 'unread';
  leftOut: number;
  /** Characters of the log that nobody sees and that were left out. Absent: none. */
  hidden?: number;
  notes: BuildNote[];
}

/** Part of a file around the line that an error names. */
export interface FilePart {
  path: string;
  /** Number of its first line. */
  from: number;
  text: string;
}

/** Everything that was read of one failure. */
export interface BuildReading {
  /** Of which attempts of which runs it is. */
  key: string;
  /** The same for the same failure. */
  fingerprint: string;
  /** Places are the repository's own paths where those are known. */
  causes: BuildCause[];
  jobs: JobReading[];
  /** Since the last green head, or of the pull request. */
  range?: {
    /** Those that changed a file that an error names first, else newest first. */
    commits: RangeCommit[];
    /** How many of them did. */
    suspects: number;
    total: number;
    /** Changes of files that an error names. */
    patches: { path: string; patch: string }[];
  };
  files: FilePart[];
  /** Credentials found in the logs. */
  secrets: number;
  notRead: string[];
}

/** A build of one place, read in one go. */
export interface BuildView {
  repository: IssueView['repository'];
  where: BuildPlace;
  /** Why there is nothing to look into, whatever it says. */
  void?: string;
  /** `open`: nothing that counts has ended yet. */
  verdict: 'red' | 'green' | 'open';
  /** What says so: the newest run of the workflow, or all of a pull request's head. */
  runs: BuildRun[];
  failed: FailedName[];
  /** The last green run of the same workflow on the branch. */
  green: BuildRun | undefined;
  headSha: string;
  /** Number of the open issue that was looked for. */
  sought?: number;
  /** The thread that tells of it, where there is one. */
  thread?: IssueView['issue'];
  comments: CommentView[];
  /** What of the conversation could not be read. */
  notRead: string[];
  /** Read again only where the runs differ from the known ones. */
  reading?: BuildReading;
  config: Config;
  problems: FileProblem[];
  personas: Persona[];
  self: Actor;
}

/** What a run keeps of a failure. */
export interface BuildState {
  where: BuildPlace;
  reading?: BuildReading;
  /** Newest first: the runs that the last look saw. */
  runs: BuildRun[];
  green: BuildRun | undefined;
  /** How often it was red with this failure. */
  times: number;
  /** Whether it was reported to people. */
  isTold?: true;
  /** An unknown run reported it: people's replies since cannot be separated from what they said before. */
  isOrphan?: true;
  /** Since it was discussed, a run at the same commit failed for another reason; that was not discussed. */
  alsoFailed?: BuildRun;
  /** The run that ended it. */
  healed?: BuildRun;
  /** It was red again while it was being discussed: it is looked at once more after that. */
  isStale?: true;
  /** Another failure was read than the one that was discussed: it wants a run of its own. */
  isAnother?: true;
}

/** Names the attempts that a reading is of. */
export function readingKey(runs: readonly BuildRun[]): string {
  return runs
    .map((run) => `${run.id}/${run.attempt}`)
    .toSorted()
    .join(' ');
}
