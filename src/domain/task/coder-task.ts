/** A task as a coder gets it, and what came of it (CB-6). */
import type { ModelCall } from '../run/ledger.ts';
import type { PromptText } from '../prompt/prompt-text.ts';

export interface CoderTask {
  /** The run that it is for, and which attempt. */
  run: string;
  attempt: number;
  /** The prompt: house rules, the approved task whole, excerpts, how to ask, notes, quarantined rest; in this order. */
  prompt: PromptText;
  /** Instructions of the default branch (CLAUDE.md, AGENTS.md), passed by us and never loaded from the folder. */
  guide: PromptText;
  /** The change that the task itself carries as a fenced `diff`; undefined when it carries none. */
  diff: string | undefined;
  /** A name from the model pool; undefined: the coder's own default. */
  model: string | undefined;
  limits: { turns: number; minutes: number; usd: number };
  /** An earlier session that waits for an answer, to be taken up. */
  resume?: { sessionId: string; transcript: string; answer: PromptText };
}

export type CoderOutcome = CoderReport &
  (
    | { outcome: 'done'; summary: string; decisions: string[] }
    | { outcome: 'asked'; question: string; options: string[]; tried: string }
    | { outcome: 'failed' | 'timed-out' | 'cancelled'; reason: string }
  );

/** What is known of every session, however it ended. */
export interface CoderReport {
  sessionId: string;
  turns: number;
  durationMs: number;
  /** What it cost of models, for the ledger; dollars undefined where nobody knows. */
  calls: ModelCall[];
  /** The session's file (JSON lines), which another machine can resume; empty without a session. Private. */
  transcript: string;
  /** What it noted on the way, for the journal. */
  notes: string[];
}
