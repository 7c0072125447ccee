/** What a run keeps that asks whether anything from a thread belongs into the files of the PM and the Artist. */
import type { Config } from '../../config/config.ts';
import type { Persona } from '../../persona/persona.ts';
import type { Trust } from '../../prompt/quarantine.ts';
import type { RunPhase } from '../../run/state/run-base.ts';
import type { Exchange } from '../../task/exchange.ts';
import type { TaskRef } from '../../task/task.ts';
import type { RoleOperation, RoleTexts } from './role-memory.ts';

/** Where the work was that is over. */
export interface RoleSource {
  /** Of a pull request: the task that it is of. Nothing is proposed where it was not merged. */
  task?: TaskRef;
  /** Since when the task was worked on, ISO 8601. */
  begunAt?: string;
}

/** What somebody said, and how far it is trusted. */
export interface SaidInThread {
  /** For the label in the prompt: `plan 7, comment`. */
  source: string;
  by: string;
  trust: Trust;
  text: string;
}

/** What the Coder asked within the work, and the answer that it got. */
export type AnsweredQuestion = Pick<Exchange, 'question' | 'answer'>;

/** Characters of a question and of an answer. */
const MAX_QUESTION = 600;

/** A question or an answer as the extraction model is shown it. */
export function shownQuestion(text: string): string {
  return text.slice(0, MAX_QUESTION).toWellFormed();
}

/** What is read of the work: values only. */
export interface RoleMaterial {
  said: SaidInThread[];
  /** The latest ones; absent where nothing was asked. */
  answered?: AnsweredQuestion[];
  /** Cut; empty where nothing was merged. */
  diff: string;
}

/** What the run reads first. */
export interface RoleLook {
  /** Why nothing is proposed here; absent where something may be. */
  off?: string;
  config: Config;
  material: RoleMaterial;
  /** The files as they are now; what is not there is the shipped default. */
  texts: RoleTexts;
  pm?: Persona;
  nonce: string;
}

/** What became of approved operations. */
export interface RolePull {
  /** Absent where there was nothing to change. */
  pull?: { number: number; url: string };
  /** Of those that did not fit any more: why. */
  refused: string[];
}

export interface RoleRunState {
  phase:
    | RunPhase
    | { kind: 'extracting'; effectId: string }
    /** Shown to people, who have until the timer to answer. */
    | { kind: 'proposed'; timer: string }
    | { kind: 'publishing'; effectId: string };
  source?: RoleSource;
  /** The files that the model was shown; dropped with its answer. */
  texts?: RoleTexts;
  /** The Coder's questions as the model was shown them; dropped with its answer. */
  questions?: string[];
  operations?: RoleOperation[];
  /** Number of the first one; the others follow. */
  first?: number;
  /** The last comment that changed the proposal: who wrote before it has not seen what it says now. */
  changedBy?: number;
}
