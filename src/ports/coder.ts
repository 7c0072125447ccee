/**
 * The coder: it gets a task and a folder and changes files there, and nothing else. It never commits or pushes.
 *
 * Errors: a problem with the task is an outcome, not an error. RefusedError `coder-unavailable` when the coder cannot
 * run here at all; it says what is missing and how to get it. TransientError for a machine that is busy.
 */
import type { ModelCall } from '../domain/run/ledger.ts';
import type { PromptText } from '../domain/prompt/prompt-text.ts';
import type { CoderOutcome, CoderTask } from '../domain/task/coder-task.ts';
import type { Exchange } from '../domain/task/exchange.ts';
import type { CodeData } from '../domain/dispatch/code-order.ts';
import type { Worktree } from './git.ts';
import type { Dispatches } from './github/dispatches.ts';

export interface Coder {
  /** For people: `claude`, `patch` or `actions`. */
  readonly name: string;
  /** Whether its sessions cost money: they are held to the caps then. */
  readonly isPaid: boolean;
  /** Whether it runs the project's own commands: then what the project needs is there. */
  readonly runsCommands: boolean;
  /**
   * It works on another machine, from the {@link CoderErrand}: there is no folder for it. Nothing waits for it here:
   * while it works, `run` fails with the TransientError `workflow-running` or `workflow-not-shown`.
   */
  readonly isRemote?: true;
  /** Ends within 5 s of `signal`, with everything that it started. */
  run(task: CoderTask, place: CoderPlace, signal: AbortSignal): Promise<CoderOutcome>;
}

/** A session as a coder on another machine needs it. */
export interface CoderErrand {
  /** Of the session: the same in each attempt to carry it out. */
  effectId: string;
  /** When it was decided, ISO 8601. */
  at: string;
  data: CodeData;
  /** A dispatch of it is on record: no other one is sent. */
  isSent: boolean;
  /** It may have been sent, without a record. Its run is looked for first, and it is sent when GitHub shows none. */
  isInDoubt?: true;
  /** Since when GitHub has not shown its run in any look, in milliseconds since the epoch. */
  unseenSince?: number;
  /** Puts on record that its dispatch is sent: before that is done, so that a crash sends none twice. */
  sending: () => Promise<void>;
  /** It is certain that GitHub did not take the dispatch. */
  notSent: () => Promise<void>;
  /** Whether somebody stopped it, or has its task instead. */
  isStopped: () => Promise<boolean>;
  dispatches: Dispatches;
  /** Puts what the coder changed into a folder of the commit that it started from. */
  apply: Worktree['apply'];
  /** Called with each question that was answered there. */
  answered: (exchange: Exchange) => void;
}

/** What it takes to see whether a session that was sent still goes on. */
export type SentErrand = Pick<CoderErrand, 'effectId' | 'at' | 'data' | 'isStopped' | 'dispatches'>;

export interface CoderPlace extends Pick<Worktree, 'folder' | 'gitDir'> {
  /** What the project's own commands read besides, and find it by. */
  readable?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Answers what the coder asks the PM; undefined hands the question to a person. Absent: every question is a person's. */
  ask?: (question: string) => Promise<PromptText | undefined>;
  /** What the team remembers, by the name of a section or all; absent: there is no such tool. */
  memory?: (section: string) => Promise<PromptText | undefined>;
  /** Open issues and pull requests; absent: there is no such tool. */
  threads?: () => Promise<PromptText>;
  /** Only for one that is remote. */
  errand?: CoderErrand;
  /** Called with each model call as it ends; the outcome lists them all again. */
  spent?: (call: ModelCall) => void;
  /**
   * Called with what the running model calls can cost together, in US dollars, each time that changes. A call is made
   * only after this has resolved, so that a crash never under-counts.
   */
  reserved?: (usd: number) => Promise<void>;
}
