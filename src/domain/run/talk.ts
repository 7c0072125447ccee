/**
 * Words addressed to the team, by command or by name: what is kept and read about them, and the progress of the answer.
 */
import type { ChatPerson, ChatPost } from '../channel/chat-thread.ts';
import type { TensionBook } from '../tension/tension.ts';
import type { StaleReason } from '../memory/judge-memory.ts';
import type { ShownNote } from '../memory/recall/recalled.ts';
import type { MemoryEntry } from '../memory/memory-entry.ts';
import type { MergeStanding } from '../task/merge-view.ts';
import { z } from 'zod';
import type { ExplainedValue } from '../config/config-file.ts';
import type { RunSummary } from './state/run-summary.ts';
import type { ModelCall } from './ledger.ts';
import type { Tally } from '../review/precision.ts';
import type { Pause } from '../repository/repository-state.ts';
import type { Actor, Permission, ThreadRef } from './thread-ref.ts';
import type { IssueView } from './view.ts';

/** A comment under an issue or a pull request, or one on a line of its diff: GitHub numbers them separately. */
export type CommentPlace = 'thread' | 'review';

/** What is kept of a comment that may be for us. Its words are read again from GitHub. */
export interface CommentAddress {
  place: CommentPlace;
  /** As the delivery said it, ISO 8601. */
  updatedAt: string;
  /** Of the body: a comment that changed since is not run (CMD-04). */
  digest: string;
  /** Whether every line of it is a command: then it does not count in a discussion. */
  isOnlyCommands: boolean;
  /** The whole of it says yes: an approval where something waits for one, a word of somebody's everywhere else. */
  isYes?: true;
  /** It begins with approval on a condition, or with a refusal: it counts for a plan that waits. */
  word?: 'yes-but' | 'no';
  /** It may answer a proposal to remember, in words that mean nothing to a plan. */
  isForMemory?: true;
  /** Of the plan in the issue's body as this comment's own delivery carries it; absent without a plan. */
  planDigest?: string;
  /** Where no plan waits, it addresses nobody in Quorum. */
  isForPlan?: true;
  /**
   * It was said in a channel: the comment on GitHub is ours and quotes it. `key` is that of the comment's marker. `at` is
   * when it was said there, ISO 8601; absent in older events. `presser`: who pressed the button that stands for it, where
   * answers on GitHub are not repeated there. `asked`: the message, where the channel shows which one an answer is to.
   */
  relayed?: {
    text: string;
    run: string;
    key: string;
    at?: string;
    presser?: Presser;
    asked?: ChatPost;
  };
  /** The App that wrote it, by itself or for somebody. */
  appId?: number;
  /** Digests of what may be names, when nothing else says that it is for us: it is when a persona is called so. */
  called?: string[];
}

/** Somebody who pressed a button in a channel. Only they read why it did nothing. */
interface Presser {
  chat: ChatPost;
  person: ChatPerson['id'];
}

/** A comment that an effect is about. */
export interface CommentRef {
  id: number;
  place: CommentPlace;
}

export interface Spending {
  usd: number;
  unknownCalls: number;
  calls: number;
}

/** A model that may answer here, for people. */
export interface ModelState {
  name: string;
  provider: string;
  model: string;
  state: string;
  /** Aliases that stand for it on this host. */
  aliases: string[];
}

/** Somebody chose another model for one thread, or took the choice back. */
export interface ModelSwitch {
  /** A name or alias of the pool; absent when the thread went back to what holds without a choice. */
  model?: string;
  by: string;
  /** ISO 8601. */
  at: string;
  /** The comment that asked for it: everything after it is answered by that model. */
  commentId: number;
}

/** What somebody wants the team to keep in mind in one thread. */
export interface Guidance {
  by: string;
  /** Of its author, when it was said. */
  permission: Permission;
  text: string;
  /** ISO 8601. */
  at: string;
}

/** What a tenant sees of the operator's limits: its own figures, and whether the total is reached. */
export interface HostMoney {
  repository?: { capUsd: number };
  installation?: { capUsd: number; spentUsd: number };
  total?: { isReached: boolean };
}

/** An answer to a question of the Coder, by its number in the report. */
export interface ReportedAnswer {
  number: number;
  question: string;
  answer: string;
}

/** A note of memory, as people see it in a list. */
export type ListedNote = Pick<MemoryEntry, 'id' | 'persona' | 'text' | 'state' | 'author'> & {
  uses: number;
  /** Why it is stale, where that is known. */
  why?: StaleReason;
  /** Of a lesson that was made from several: who wrote what those grew from. */
  grewFrom?: NonNullable<MemoryEntry['author']>[];
};

/** All that deciding about one comment needs, read in one go. */
export interface TalkView {
  repository: IssueView['repository'];
  /** The issue or pull request. */
  issue: IssueView['issue'];
  comment: { id: number; author: Actor; body: string; createdAt: string };
  /** The state of the pull request, where the comment asks for that. */
  merge?: MergeStanding;
  /** What is remembered, where the comment asks for that: what waits or is stale, then the newest. */
  memory?: ListedNote[];
  /** Notes that `memory` has no room for; absent where it has all of them, and in what an older worker read. */
  memoryMore?: number;
  /** This GitHub does not say who pushed the memory branch, so no note is used. */
  memoryUntold?: boolean;
  /** Tensions of the repository, where the comment asks for them. */
  tensions?: TensionBook;
  /** What the thread took so far, as Markdown, where the comment asks for that. */
  report?: string;
  /** Answers that the report numbers, where the comment corrects one. */
  answers?: ReportedAnswer[];
  /** The conversation that it is in, oldest first, the comment itself included. */
  comments: IssueView['comments'];
  /** Of a conversation on the diff: where it is, and which of Quorum's findings it is about. */
  review?: { path: string; line?: number; finding?: string };
  /** Of the comment's author, read now; undefined when GitHub could not be asked. */
  permission: Permission | undefined;
  /** Slugs from `access.allowedTeams` that the author belongs to; absent when none is listed or GitHub does not say. */
  teams?: string[];
  config: IssueView['config'];
  /** The configuration's values with their sources. */
  explained: ExplainedValue[];
  problems: IssueView['problems'];
  personas: IssueView['personas'];
  spent: { thread: Spending; day: Spending; month: Spending };
  /** The caps of the host; absent where it has none, and in what an older worker read. */
  hostMoney?: HostMoney;
  /** How often each voice and rule was found right in this repository. */
  tally: Tally;
  /** Of all council runs here with a verdict. */
  meter: { runs: number; changedRuns: number; costUsd: number };
  paused: Pause | undefined;
  /** The issue that tells of the repository each week, where there is one. `isOff`: a person closed it. */
  statusIssue?: { number: number; isOff?: true };
  /** The repository's last runs, newest first. */
  lastRuns: RunSummary[];
  models: ModelState[];
  self: Actor;
}

/** One answer to a question, as a model writes it. */
export const TalkAnswer = z.object({
  /** Markdown, concrete, at most 150 words. */
  text: z.string().min(1).max(1500),
  /** Places in the repository and issues that the answer rests on. */
  references: z
    .array(
      z.object({
        path: z.string().max(400).optional(),
        line: z.number().int().positive().optional(),
        endLine: z.number().int().positive().optional(),
        issue: z.number().int().positive().optional(),
      }),
    )
    .max(10),
});
export type TalkAnswer = z.infer<typeof TalkAnswer>;

/** A question that a persona answers. */
export interface Question {
  /** The persona's handle. */
  handle: string;
  /** As it was asked, Markdown of somebody else: data, never an instruction. */
  text: string;
  /** The command as it was written; absent in a conversation. */
  command?: string;
  /** 0 answers a person, 1 answers a persona; nobody answers that (NW-12). */
  depth: 0 | 1;
  /** What the persona said that is answered. */
  after?: { handle: string; text: string };
  /** The talk may be turning in a circle: the prompt says so. */
  maybeCircle?: boolean;
  /** What other agents have answered already, and whether only what is missing is to be added (TG-11). */
  alreadySaid?: string[];
  onlyMissing?: true;
}

/** The progress of the answer to one comment. */
export interface Talk {
  id: string;
  step: number;
  thread: ThreadRef;
  /** Host of GitHub's pages, as the thread was read last; `github.com` when absent. */
  host?: string;
  comment: CommentRef;
  address: CommentAddress;
  actor: Actor;
  /** Its webhook was lost: it approves nothing, because what it saw may have changed since. */
  foundBy?: 'reconcile';
  phase:
    | { kind: 'reading'; effectId: string }
    /** Other agents may answer as well: their turn passes first (TG-11). */
    | { kind: 'waiting'; timer: string }
    | { kind: 'looking'; effectId: string }
    | { kind: 'asking'; effectId: string };
  /** A discussion that goes on in this thread hears the comment: nobody answers it besides. */
  isHeard: boolean;
  /** Its turn has come: the thread was read again. */
  hasWaited: boolean;
  /** Still to be asked, the first of them now. */
  questions: Question[];
  /** The team as it was read: whom an answer may name. */
  team: {
    handle: string;
    name: string;
    role: string;
    active: boolean;
    emoji: 'never' | 'rare' | 'some';
  }[];
  /** How often somebody else speaks up unasked, from 0 to 1; never when absent. */
  secondVoice?: number;
  /** Pieces of the answer, in order. */
  parts: string[];
  /** Whether anything that was asked for was done. */
  isDone: boolean;
  /** Enough was said here for an hour: a reaction takes the place of words. */
  isQuiet: boolean;
  /** What was before the model: an answer can rest on nothing else. */
  seen?: { headSha: string; paths: string[]; issues: number[]; notes?: ShownNote[] };
  /** Who has answered here, and who did last. */
  spoken?: string[];
  lastVoice?: string;
  calls: ModelCall[];
  startedAt: string;
}

/** An answer that was given, for `/pm why`. */
export interface PastTalk {
  id: string;
  handle: string;
  asker: string;
  references: string[];
  costUsd: number;
  isCostPartlyUnknown: boolean;
  model: string;
  at: string;
}
