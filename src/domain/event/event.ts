/** What happened: the only input of a reducer. Versioned, so that a worker never guesses at a newer one's words. */
import type { Announced } from '../channel/announce/announcement.ts';
import type { ChannelName, ChatPerson, ChatPost, ChatThread } from '../channel/chat-thread.ts';
import type { HeadAnswer, PlanAnswer } from '../channel/approval-click.ts';
import type { ModelBreak } from '../run/model-breaks.ts';
import type { RunSummary } from '../run/state/run-summary.ts';
import type { JudgedFinding } from '../review/precision.ts';
import type { Pause } from '../repository/repository-state.ts';
import type { RestHint } from '../repository/rest.ts';
import type { SoulsSeen } from '../persona/digest.ts';
import type { EffectKind } from './effect.ts';
import type { PlacesWanted } from '../plan/plans-at-work.ts';
import type { SessionWait, SessionWanted } from '../plan/sessions.ts';
import type { Failure } from './errors.ts';
import type { Result } from './result.ts';
import type { FoundWork } from '../task/found.ts';
import type { PullWord, ReviewVoice, TaskNews, TaskOrder, TaskRef } from '../task/task.ts';
import type { RepositoryRef, ThreadRef } from '../run/thread-ref.ts';
import type { Tension } from '../tension/tension.ts';
import type { Trigger } from './trigger.ts';

/** Version of the words in this file. A worker parks what is newer than itself. */
export const EVENT_VERSION = 1;

/** What was said about a task's pull request. */
export type PullNews =
  | {
      kind: 'reviewed';
      headSha: string;
      verdict: string;
      asks: string[];
      voices?: ReviewVoice[];
      /** What keeps the review's check from success, in words; nothing when absent. */
      open?: string[];
    }
  | { kind: 'approved' | 'merge'; word: PullWord }
  /** Its head, its state or its labels may have changed. */
  | { kind: 'moved' };

export type EventData =
  | { kind: 'trigger'; trigger: Trigger }
  | ({ kind: 'done'; effectId: string; run: string } & Result)
  | { kind: 'failed'; effectId: string; effectKind: EffectKind; run: string; failure: Failure }
  | { kind: 'timer'; timer: string; run: string }
  /** `repository` is absent in what older workers wrote. */
  | { kind: 'run-ended'; run: string; summary: RunSummary; repository?: RepositoryRef }
  /** Work in the repository stops, or goes on again. */
  /** `ends`: when the pause began that this ends; another one is left as it is. */
  | { kind: 'paused'; run: string; pause?: Pause; ends?: string }
  | { kind: 'souls-seen'; run: string; souls: SoulsSeen }
  /** A worker's breaker of a model opened or closed. */
  | { kind: 'model-break'; run: string; told: ModelBreak }
  /** What became of findings, for the count of who is right how often. */
  | { kind: 'judged'; run: string; judged: JudgedFinding[] }
  /** The code watch has judged findings of these names. `headSha`: all of the code was searched at this commit. */
  | { kind: 'watched'; run: string; names: string[]; headSha?: string }
  /** Somebody who may has said yes: work on a task begins. */
  | { kind: 'task-go'; run: string; order: TaskOrder }
  /** A pull request of a lost attempt is there: the task goes on with it. */
  | { kind: 'task-found'; run: string; order: TaskOrder; found: FoundWork }
  /** A person takes over a task, keeps it from being worked on, lets it be retried, or abandons its plan. */
  | {
      kind: 'task-word';
      run: string;
      word: 'release' | 'block' | 'again' | 'complete' | 'tidy';
      by: { id: number; login: string };
      why: string;
      acceptsNoTests?: true;
      /** To what the coder asked. */
      answer?: string;
      /** The plan's text says so already. */
      isWritten?: true;
    }
  /** The repository may have nothing left to do. */
  | {
      kind: 'rest-hint';
      run: string;
      after: RestHint;
      repository: RepositoryRef;
      /** The plan that is complete. */
      thread?: ThreadRef;
    }
  /** The PM has opened this plan, which grew from another issue. */
  | { kind: 'proposed'; run: string; thread: ThreadRef; from: number; isFollowUp?: true }
  /** A plan tells its repository how many of its tasks could be worked on. */
  | { kind: 'places-wanted'; run: string; wanted: PlacesWanted }
  /** The answer to what it said last, or more of it: how many may be. */
  | { kind: 'places-given'; run: string; said: number; places: number; wait?: SessionWait }
  /** A task wants a session of the Coder; the answer says whether it has one, or has to wait. Asked again, `ask` is the same. */
  | { kind: 'session-wanted'; run: string; task: TaskRef; session: SessionWanted; ask?: number }
  | { kind: 'session-told'; run: string; wait?: SessionWait; ask?: number }
  /** A task reports its progress to its plan. */
  | { kind: 'task-told'; run: string; news: TaskNews }
  /** A task has a new head on its pull request: the team reviews it there. */
  | {
      kind: 'adopted';
      run: string;
      task: TaskRef;
      thread: ThreadRef;
      headSha: string;
      /** When GitHub showed that head on the pull request, ISO 8601; absent in what older workers wrote. */
      headAt?: string;
      isNew: boolean;
      /** The team said yes to this very head before. */
      isReviewed?: true;
    }
  /** A task's pull request was merged, by whomever: what was learned from the work is proposed there. */
  | { kind: 'merged'; run: string; task: TaskRef; thread: ThreadRef }
  /** This issue was opened for a tension that a standup raised. */
  | { kind: 'followed-up'; run: string; tension: number; standup: ThreadRef }
  /** A tension that a standup of this thread raised has ended. */
  | { kind: 'tension-told'; run: string; tension: Tension }
  /** This issue is the repository's status issue, and shows another week now. */
  | {
      kind: 'week-shown';
      run: string;
      thread: ThreadRef;
      /** ISO 8601. */
      from: string;
      to: string;
      /** For channels, Markdown. */
      details: string;
      /** Numbers of the threads that its standup looks back on; empty where no standup is due. */
      threads: number[];
    }
  /** A pull request tells its task what was said about it. */
  | { kind: 'pull-told'; run: string; news: PullNews }
  /** Something happened that is announced in the chats where people talk outside GitHub. */
  | {
      kind: 'announced';
      run: string;
      repository: RepositoryRef;
      /** The issue or pull request that it is about. */
      number?: number;
      announced: Announced;
      /** Somebody asked for it just now. */
      isAsked?: true;
      /** Channels of this host that are on. */
      channels: readonly ChannelName[];
    }
  /** One of Quorum's comments on GitHub; repeated in the chat where the thread began. */
  | {
      kind: 'answered';
      run: string;
      repository: RepositoryRef;
      number: number;
      markdown: string;
      /** Who speaks in it, by handle or as the product manager; absent where no persona does. */
      persona?: string;
      channels: readonly ChannelName[];
      /** What it answers, where the channel shows that. */
      asked?: ChatPost;
    }
  /** Somebody approved or rejected a plan: its buttons in channels are of no more use. */
  | {
      kind: 'plan-answered';
      run: string;
      repository: RepositoryRef;
      number: number;
      answer: PlanAnswer;
    }
  /** Quorum's comment asks for approval of this text of a plan: buttons in channels are about it from now on. */
  | {
      kind: 'plan-shown';
      run: string;
      repository: RepositoryRef;
      number: number;
      digest: string;
    }
  /** A head that people were asked to approve waits for that no longer: its button in channels is of no more use. */
  | {
      kind: 'head-answered';
      run: string;
      repository: RepositoryRef;
      /** Of the pull request. */
      number: number;
      answer: HeadAnswer;
    }
  /** No question that was announced in this thread needs a person any more. `run`: whose question was open last. */
  | { kind: 'need-over'; run: string; repository: RepositoryRef; number: number }
  /** A thread of a channel is about this issue from now on. */
  | {
      kind: 'chat-joined';
      run: string;
      repository: RepositoryRef;
      number: number;
      thread: ChatThread;
      /** What began it, where the channel shows which message an answer is to, and the thread's first message is another. */
      asked?: ChatPost['message'];
    }
  /** An announcement of this issue began a thread of a channel: what is said there to the team is about the issue. */
  | {
      kind: 'chat-announced';
      run: string;
      repository: RepositoryRef;
      number: number;
      thread: ChatThread;
    }
  /** What was asked in an issue goes on in another one: its plan. */
  | { kind: 'chat-moved'; run: string; repository: RepositoryRef; from: number; to: number }
  /** The conversation about a plan also reports this pull request of one of its tasks. */
  | { kind: 'chat-shared'; run: string; repository: RepositoryRef; from: number; to: number }
  /** An answer in a channel could not be sent for a day: the channel's next message counts it. */
  | { kind: 'chat-unsent'; run: string; repository: RepositoryRef; channel: ChannelName }
  /** Somebody in a channel was given a code; only its digest is kept. */
  | { kind: 'link-asked'; run: string; person: ChatPerson; chat: ChatPost; codeDigest: string }
  /** A login has repeated a code on GitHub. */
  | { kind: 'link-confirmed'; run: string; codeDigest: string; by: { id: number; login: string } }
  /** A person in a channel is known as this login. */
  | { kind: 'linked'; run: string; by: { id: number; login: string }; chat: ChatPost }
  /** Somebody in a channel asks for something new, which would become an issue. */
  | { kind: 'request-wanted'; run: string; person: ChatPerson['id']; chat: ChatPost }
  /** Whether that is too much of one person; `isFirst`: nobody has said so to them yet. */
  | { kind: 'request-told'; run: string; isTooMuch?: true; isFirst?: true }
  /** A channel's session, encrypted with what only the environment has; empty once it is over. */
  | { kind: 'session-kept'; run: string; sealed: string }
  /** All that was said in a channel before this was stored. */
  | { kind: 'heard-until'; run: string; cursor: string }
  | {
      /** A delivery that is no trigger. Always with an `ignoredReason`: kept, never reduced. */
      kind: 'refused';
      /** `X-GitHub-Event`. */
      event: string;
      action: string | null;
    };

export interface Event {
  /** Unique for ever: a delivery's GUID, or derived from the effect or run that caused it. */
  id: string;
  /** Stream: events of one key are reduced one at a time, in order. */
  key: string;
  version: number;
  /** When it happened, ISO 8601. */
  at: string;
  data: EventData;
}

/** An event that is not in the store yet. */
export interface NewEvent extends Event {
  /** Two deliveries that say the same thing share this; the second is kept as ignored. */
  dedupKey?: string;
  /** Kept as ignored with this reason and never reduced: what the door refused is still on record. */
  ignoredReason?: string;
  /** Not before this many milliseconds from now: a timer. */
  delayMs?: number;
}

/** Why the result of an effect that is `isUnheard` is kept without being reduced. */
export const UNHEARD = 'no reducer waits for this result';

/** How an event ended. Nothing that was acknowledged is anything else. */
export type EventStatus = 'pending' | 'done' | 'ignored' | 'parked' | 'dead';
