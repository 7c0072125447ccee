/** What was true when we looked: the snapshot a decision rests on. */
import type { Config } from '../config/config.ts';
import type { FileProblem } from '../config/yaml.ts';
import type { MarkerData } from '../github/marker.ts';
import type { Persona } from '../persona/persona.ts';
import type { Recalled } from '../standup/past-insights.ts';
import type { RoadmapText } from '../roadmap/roadmap.ts';
import type { RunTrace } from './run-trace.ts';
import type { Actor, Permission } from './thread-ref.ts';

export interface CommentView {
  id: number;
  author: Actor;
  /** Permission of the author at read time; `none` when unknown. */
  permission: Permission;
  body: string;
  createdAt: string;
  updatedAt: string;
  /** Present when the comment is ours, by App identity and a valid marker. */
  marker?: MarkerData;
}

export interface PastIssue {
  number: number;
  title: string;
  state: 'open' | 'closed';
  stateReason?: string;
  labels: string[];
  /** First part of the body. */
  body: string;
  isPull: boolean;
  closedAt?: string;
}

export interface SourceFile {
  path: string;
  text: string;
  isCut: boolean;
}

/** One issue, its repository and the team's settings there, read in one go. */
export interface IssueView {
  repository: {
    fullName: string;
    isPrivate: boolean;
    isArchived: boolean;
    defaultBranch: string;
    /** Tip of the default branch: configuration, personas and files are of this commit. */
    headSha: string;
    /** Host of its GitHub's pages, for links in models' texts; `github.com` when absent. */
    host?: string;
  };
  issue: {
    number: number;
    title: string;
    body: string;
    state: 'open' | 'closed';
    isLocked: boolean;
    isPull: boolean;
    author: Actor;
    authorPermission: Permission;
    labels: string[];
    assignees: string[];
    url: string;
    createdAt: string;
    updatedAt: string;
    /** When its text was edited last, ISO 8601; `null` when it never was, absent when GitHub did not tell. */
    lastEditedAt?: string | null;
  };
  comments: CommentView[];
  /** Of runs on this thread, oldest first; absent in what older workers wrote. */
  traces?: RunTrace[];
  /** Permission of the one who triggered, read now. */
  actorPermission: Permission;
  config: Config;
  /** Problems in configuration and persona files: shown to people, never guessed around. */
  problems: FileProblem[];
  personas: Persona[];
  /** Every path of the default branch, possibly cut. */
  paths: string[];
  files: SourceFile[];
  /** The roadmap of the default branch, where there is one. */
  roadmap?: RoadmapText;
  /** What the PM plans by, where it was asked for. */
  pmMemory?: string;
  /** What standups noticed before, where the PM was asked for a plan (LS-9). */
  insights?: Recalled[];
  /** Of a pull request that a question is about: its change, as `git diff` writes it. */
  diff?: string;
  pastIssues: PastIssue[];
  /** What was left out, in words. */
  notRead: string[];
  /** Our own App's bot account, to tell our words from others'. */
  self: Actor;
}
