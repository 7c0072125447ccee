/**
 * Whoever writes code in a folder: it gets a task and changes files there, and nothing else. It never commits or pushes.
 *
 * Errors: none for what the task brings (an outcome says it); RefusedError `coder-unavailable` when it cannot run here
 * at all, with what is missing and how to get it; TransientError for a machine that is busy.
 */
import type { ModelCall } from '../domain/run/ledger.ts';
import type { PromptText } from '../domain/prompt/prompt-text.ts';
import type { CoderOutcome, CoderTask } from '../domain/task/coder-task.ts';
import type { Worktree } from './git.ts';

export interface Coder {
  /** For people: `claude` or `patch`. */
  readonly name: string;
  /** Whether its sessions cost money: they are held to the caps then. */
  readonly isPaid: boolean;
  /** Whether it runs the project's own commands: then what the project needs is there. */
  readonly runsCommands: boolean;
  /** Ends within 5 s of `signal`, with everything that it started. */
  run(task: CoderTask, place: CoderPlace, signal: AbortSignal): Promise<CoderOutcome>;
}

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
  /** Is told of each call of a model as it ends; all of them stand in the outcome again. */
  spent?: (call: ModelCall) => void;
  /**
   * Is told what the calls under way can cost together, in US dollars, each time when that changes. A call is made when
   * this has resolved, so that a crash never under-counts.
   */
  reserved?: (usd: number) => Promise<void>;
}
