/** What a coder asked, who answered, and what the answer rests on (CB-7). */

export interface Exchange {
  question: string;
  answer: string;
  /** What the answer rests on: places in the repository, or the login of a person. */
  source: string;
  /** Whether a person had to be asked. */
  isEscalated: boolean;
}

/** A session that waits for a person: any machine can resume it with this. */
export interface AskedSession {
  id: string;
  transcript: string;
  /** Folder name of its worktree: the session remembers paths below it. */
  place: string;
  /** What it had changed so far. */
  patch: string;
}

/** Of a plan's conversation, oldest first: Quorum's questions, and the replies of people who may answer them. */
export type Said =
  | { kind: 'question'; task: number }
  | { kind: 'said'; by: { id: number; login: string }; text: string };

export interface Answer {
  task: number;
  by: { id: number; login: string };
  text: string;
}

/** The key of the comment that asks, in the plan's thread. */
export function questionKey(task: number): string {
  return `question-${task}`;
}

const QUESTION_KEY = /^question-(\d{1,6})$/;

export function taskOfQuestion(key: string): number | undefined {
  const number = QUESTION_KEY.exec(key)?.[1];
  return number === undefined ? undefined : Number(number);
}
