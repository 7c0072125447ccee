/** Everything that a look needs, read in one call. Errors are those of `github.ts`. */
import type { MilestoneFacts } from '../../domain/roadmap/milestones.ts';
import type { Permission, RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';
import type { IssueView, PastIssue, SourceFile } from '../../domain/run/view.ts';
import type { CommentFacts, RepositoryFacts } from './github-reader.ts';

/** What is wanted of a thread's surroundings. */
export interface SurveyAsk {
  /** Whose permission matters. */
  people: readonly { id: number; login: string }[];
  /** Files at the tip of the default branch. */
  files: readonly string[];
  /** Of this folder there every text, and of the folders in it. */
  folder: string;
  /** A file of another repository; an invalid name has no such file. */
  foreign: { owner: string; repo: string; path: string } | undefined;
  /** Longer texts are cut at a line. */
  maxBytes: number;
  /** A branch whose head is wanted, by its short name. */
  branch?: string;
  /** So many of the newest comments on the thread, at most 100. */
  comments: number;
  /** So many issues of the repository, newest activity first. */
  pastIssues: number;
}

/** A file that is there; without a text it is binary. */
export interface FoundFile {
  path: string;
  file: SourceFile | undefined;
}

/** What a look needs beside the thread itself, all of one moment. */
export interface Surroundings {
  repository: RepositoryFacts;
  /** Of what was asked for: what is there. */
  files: FoundFile[];
  /** Undefined where the server did not say; without `found` there is no such file. */
  foreign: { fullName: string; found: FoundFile | undefined } | undefined;
  /**
   * Of those about whom the server said something; of the others {@link GitHubReader.permission} knows. `none` is who was
   * not let in by name: a public repository they may read all the same.
   */
  permissions: ReadonlyMap<number, Permission>;
  comments: CommentFacts[];
  /** The branch that was asked for; its head is undefined where there is no such branch. */
  branch?: BranchHead;
}

/** A branch by its short name. */
export interface BranchHead {
  name: string;
  head: string | undefined;
}

export interface IssueSurvey extends Surroundings {
  /** Without a permission: it is among the others, or not known. */
  issue: Omit<IssueView['issue'], 'authorPermission'>;
  pastIssues: PastIssue[];
}

/** An account, and what it may do in the repository. */
export interface Person {
  id: number;
  login: string;
  permission: Permission;
}

/** Everything that a look needs in one call, where the server can; undefined where it has to be read one by one. */
export interface GitHubSurvey {
  /** The issue or pull request. */
  issue(ref: ThreadRef, ask: SurveyAsk): Promise<IssueSurvey | undefined>;
  /** Open milestones, the first due date first, at most 10 with 50 issues each; undefined where it does not tell. */
  milestones(ref: RepositoryRef): Promise<MilestoneFacts[] | undefined>;
  /** Whose login it is now, with the permission; undefined where nobody has it, or GitHub does not tell. */
  person(ref: RepositoryRef, login: string): Promise<Person | undefined>;
}
