/** What Quorum tells people outside GitHub. */
import type { HeadAnswer } from '../approval-click.ts';
import type { PhraseName } from '../../persona/phrases.ts';

/** What an announcement is about. Names and titles are foreign text. */
export interface Subject {
  repositoryId: number;
  /** `owner/repo`. */
  repository: string;
  /** GitHub is asked at the moment of sending; until then a repository counts as private. */
  isPrivate: boolean;
  /** The issue or pull request; announcements about the same one share a thread. */
  number?: number;
  title?: string;
  /** Its page on GitHub. */
  url: string;
}

/** What the announcement of each event says. `details` are Markdown. */
interface Told {
  'run-started': { run: string; personas: readonly string[] };
  verdict: { verdict: string; details: string };
  /** Without a number where the plan's text could not be read. */
  'plan-proposed': { tasks?: number; details: string };
  'plan-approved': { by: string };
  'plan-complete': { tasks: number };
  'task-claimed': { task: string; by: string };
  'task-released': { task: string; reason: string };
  'pr-opened': { task?: string; by: string };
  merged: { task?: string; by?: string };
  failed: { task?: string; reason: string };
  standup: { date: string; details: string };
  weekly: { week: string; details: string };
  /**
   * `headSha`: what is needed is the approval of this head of the pull request. `by`: handle of the persona whose task it
   * is; without it the lead of the team asks.
   */
  'needs-human': { question: string; headSha?: string; by?: string };
  /**
   * No message of its own: it takes the place of the announcement that asked for approval, whose key is `request`. Older
   * versions have no route for it.
   */
  'head-settled': { answer: HeadAnswer; request: string };
  /** As `head-settled`, of a question. */
  'need-settled': { question: string; request: string };
}

/** The sentence that a persona has for what is announced (spec TG-19). */
export interface Speaks {
  phrase: PhraseName;
  /** Handle; without one the product manager speaks. */
  persona?: string;
  /** Number of the task in its plan. */
  task?: number;
  details?: string;
}

export type Announced<Event extends keyof Told = keyof Told> = {
  [Each in Event]: { event: Each; speaks?: Speaks } & Told[Each];
}[Event];

export type Announcement = Announced & {
  subject: Subject;
  /** A persona's sentence, which takes the place of the sober headline. */
  said?: { by: string; text: string };
  /** Somebody asked for it just now: quiet hours do not hold it back. */
  isAsked?: true;
};

/** Somebody was needed, and is no more. */
export function isSettled<Each extends Announced>(
  announced: Each,
): announced is Extract<Each, { event: 'head-settled' } | { event: 'need-settled' }> {
  return announced.event === 'head-settled' || announced.event === 'need-settled';
}

/** Announcements with the same subject go into one thread: that of the issue, else that of the repository. */
export function subjectKey({ repositoryId, number }: Subject): string {
  return number === undefined ? `repository/${repositoryId}` : `thread/${repositoryId}/${number}`;
}
