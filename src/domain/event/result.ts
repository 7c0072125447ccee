/** What each kind of effect brings back: the data of the event that reports it. */
import type { NotedImage } from '../channel/images.ts';
import type { TextFile } from '../channel/text-files.ts';
import type { ErrorCode } from './error-codes.ts';
import type { AskedPost } from '../channel/channels-state.ts';
import type { ChatPost, ChatThread } from '../channel/chat-thread.ts';
import type { Config } from '../config/config.ts';
import type { BudgetUsed } from '../run/caps.ts';
import type { IssueOutcome } from '../github/issue-outcome.ts';
import type { BuildView } from '../build/build-view.ts';
import type { ModelCall } from '../run/ledger.ts';
import type { EffectKind } from './effect.ts';
import type { ErasedRows } from '../tenant/erasure-target.ts';
import type { SoulsSeen } from '../persona/digest.ts';
import type { DeliveredPlan } from '../plan/approval.ts';
import type { PmProposal } from '../plan/draft.ts';
import type { PlanView } from '../plan/plan-view.ts';
import type { Tally } from '../review/precision.ts';
import type { MoneyLeft } from '../review/reading.ts';
import type { OwedRepository } from '../tenant/recovery.ts';
import type { RestView } from '../repository/rest.ts';
import type { FindingReply, PullView } from '../review/review.ts';
import type { ChangeSignals, IssueScan, Scanned } from '../run/scan.ts';
import type { TalkView } from '../run/talk.ts';
import type { TaskEffectResults } from '../task/task-effects.ts';
import type { Persona } from '../persona/persona.ts';
import type {
  ConsolidationLook,
  ConsolidationPull,
} from '../memory/consolidation/consolidation.ts';
import type { MemoryChanged } from '../memory/file/memory-change.ts';
import type { RoleLook, RolePull } from '../memory/role/role-run.ts';
import type { WeekView } from '../digest/week-view.ts';
import type { StandupEffectResults } from '../standup/standup-effects.ts';
import type { RecalledMemory } from '../memory/recall/recalled.ts';
import type { Actor, Permission, RepositoryRef, ThreadRef } from '../run/thread-ref.ts';
import type { IssueView } from '../run/view.ts';
import type { CodeView } from '../repository/watched-code.ts';

/** What GitHub says of an issue, with what only our own store knows. */
export interface LookResult {
  view: IssueView;
  /** Unguessable, for the delimiters around other people's words. */
  nonce: string;
  /** Runs in a row in which the council changed nothing. */
  unchangedRuns: number;
  /** Why the team must keep still in this repository, when it must (TG-1). */
  stopped?: string;
  /** Digests of the personas, when they are new and may be believed. */
  souls?: SoulsSeen;
  githubCalls: number;
  /** What code found in it; absent only in what older workers recorded. */
  scan?: Scanned<IssueScan>;
  /** What the team remembers of it; absent where nothing is remembered. */
  memory?: RecalledMemory;
}

/** What GitHub says of a pull request, with what only our own store knows. */
export interface PullLookResult extends Omit<LookResult, 'view' | 'scan'> {
  view: PullView;
  /** What rules found in its change; absent only in what older workers recorded. */
  scan?: Scanned<ChangeSignals>;
  /** How often each voice and rule was found right in this repository; absent in what older workers wrote. */
  tally?: Tally;
  /** Of the models that may be asked: the smallest context window that is declared. */
  contextTokens?: number;
}

/** What a reflection needs. */
export interface MemoryLook {
  config: Config;
  personas: Persona[];
  /** Texts of the newest lessons that each of them keeps, by handle. */
  known: Readonly<Record<string, readonly string[]>>;
  nonce: string;
}

/** `off` by the settings, or where there is no memory branch; `kept` where the store no longer knows all that the file tells. */
export interface JournalWritten {
  outcome: 'written' | 'unchanged' | 'kept' | 'off' | 'open' | 'too-large';
}

/** What people said to the findings of a pull request, once it is over. */
export interface FeedbackLook {
  thread: ThreadRef;
  replies: FindingReply[];
  authorId: number;
  isMerged: boolean;
}

/** What GitHub says of a thread, and what code found in its repository; the view has no paths, files or past issues. */
export interface CodeLookResult extends LookResult {
  code: CodeView;
}

/** What GitHub says of a build, with what only our own store knows. */
export interface BuildLookResult extends Omit<LookResult, 'view' | 'scan'> {
  view: BuildView;
}

/** A comment that may be for us, as GitHub has it now. */
export type CommentLook =
  /** Deleted or changed since: nothing is run. */
  | { kind: 'gone'; reason: string }
  | {
      kind: 'read';
      view: TalkView;
      /** Why the team must keep still in this repository, when it must (TG-1). */
      stopped?: string;
    };

/** One structured answer, which the caller still has to validate, and its cost. */
export interface AskResult {
  value: unknown;
  calls: ModelCall[];
  /** How much of the tightest cap is used after this call, when it is so much that people should know. */
  budget?: BudgetUsed;
  /** Where a part of something larger was asked about. */
  money?: MoneyLeft;
}

/** The PM's word about a plan, what it looked at for it, and what that cost. */
export interface ProposeResult {
  word: PmProposal;
  /** Uses of tools, in their order. */
  looked: string[];
  calls: ModelCall[];
}

/** What a label means in a repository. */
export interface NamedLabel {
  thread: ThreadRef;
  actor: Actor;
  label: string;
  /** The text that it was put on, as its delivery carries it. */
  plan?: DeliveredPlan;
  /** The default label that it means; absent when it means none of Quorum's. */
  meaning?: string;
}

/** What became of what waited for a channel. */
export interface AnnouncedDelivery {
  /** Keys of what was sent, superseded, or is not for this channel. */
  settled: string[];
  /** Messages that are too old, or that the service or a thread refused, not yet reported. */
  dropped: number;
  /** First messages of their subjects, by the subject's key. */
  heads: Record<string, ChatPost>;
  /** Messages with buttons that were sent, by the subject's key. */
  asked?: Record<string, AskedPost>;
  /** Threads in which something was asked and that are not there any more, by the subject's key. */
  gone?: Record<string, ChatThread>;
  /** The channel for announcements refused the others: they are tried again. */
  isRefused?: true;
  /** The others wait for the end of quiet hours, in milliseconds since the epoch. */
  laterUntil?: number;
  /** Keys of those of them that no attempt can have sent. */
  unsent?: string[];
}

/** What a message in a channel is about, and who said it. */
export interface ChatLook {
  /** Undefined where the channel is for no repository, or for more than one. */
  repository?: RepositoryRef;
  /** Who the author is on GitHub, by a link that this login confirmed, and what they may do there now. */
  person?: { id: number; login: string; permission: Permission };
  /** The issue or pull request that the message names. */
  number?: number;
  /** Address of the message, where it asks for something new or has images: only people of the channel can open it. */
  permalink?: string;
  /** Login of who paused the work there. */
  pausedBy?: string;
  /** What asking for work needs there. */
  needed: Permission;
  /** A fresh code, where nobody on GitHub is known for the author. */
  code?: string;
  /** The author has read how to link an account, in whichever thread, and that code still works. */
  wasHinted?: true;
  /** Of the plan in the issue that the thread is about. */
  planDigest?: string;
  /** Recordings are turned into text here. */
  canTranscribe?: true;
  /** Text files that came with the message. Foreign text. */
  texts?: TextFile[];
  /** Images that came with it, by what their bytes say. */
  images?: NotedImage[];
  /** Why others were not read, for their author. */
  unread?: string[];
  /** There are more repositories than were searched for the one of this channel. */
  isCut?: true;
  /** Head of the open pull request that a button is about; absent where it is not open. */
  headSha?: string;
  /** The end of the quiet hours, in ms, where nobody spoke to the team and these are such hours. */
  quietUntil?: number;
}

export interface EffectResults extends TaskEffectResults, StandupEffectResults {
  look: LookResult;
  ask: AskResult;
  propose: ProposeResult;
  'look-comment': CommentLook;
  'look-pull': PullLookResult;
  'look-feedback': FeedbackLook;
  'look-build': BuildLookResult;
  'look-plan': PlanView;
  'look-rest': RestView;
  'look-code': CodeLookResult;
  'look-week': WeekView;
  'look-memory': MemoryLook;
  remember: MemoryChanged;
  'write-journal': JournalWritten;
  'look-roles': RoleLook;
  'open-roles': RolePull;
  'look-consolidation': ConsolidationLook;
  'open-consolidation': ConsolidationPull;
  announce: AnnouncedDelivery;
  'look-chat': ChatLook;
  /** What was said, which is foreign text; empty where there are no words in it. */
  transcribe: { text: string };
  'chat-reply': { chat?: ChatPost };
  'chat-react': null;
  review: { id: number; url: string; outcome: 'created' | 'unchanged'; unplaced: number[] };
  /** Null in what an earlier version recorded, as of `check`. */
  'review-check': { id: number } | null;
  fold: null;
  'name-label': NamedLabel;
  comment: {
    /** 0 where nothing was there to be withdrawn. */
    id: number;
    url: string;
    outcome: 'created' | 'edited' | 'unchanged' | 'withdrawn';
    /** GitHub's own time of that text, ISO 8601; absent in what older workers wrote. */
    updatedAt?: string;
  };
  reply: { id: number; url: string; outcome: 'created' | 'edited' | 'unchanged' };
  labels: null;
  react: null;
  issue: IssueOutcome;
  close: 'closed' | 'was-closed';
  /** Ids of the check runs by their names. */
  check: { ids: Record<string, number> } | null;
  /** Rows by table, and how many places' grace period was over. */
  erase: ErasedRows & { expired?: number; places?: number };
  /** Repositories for which another effect is due. */
  'suite-preferences': { left: RepositoryRef[] };
  reconcile: {
    redelivered: number;
    started: number;
    /** Those that are not suspended, of the part that lists them. */
    installations?: number[];
    /** Of an installation's part: what could not be looked at. */
    owed?: OwedRepository[];
    /** Code of why none of its repositories, or not all, were listed. */
    failure?: ErrorCode;
  };
}

/** A result together with the kind of effect that it is of. */
export type Result = {
  [K in EffectKind]: { effectKind: K; result: EffectResults[K] };
}[EffectKind];
