/** What Quorum tells people outside GitHub. */
/** What an announcement is about. Names and titles are foreign text. */
export interface Subject {
  repositoryId: number;
  /** `owner/repo`. */
  repository: string;
  /** As it was when the announcement was decided; it is read again before it is sent. */
  isPrivate: boolean;
  /** The issue or pull request; announcements about the same one share a thread. */
  number?: number;
  title?: string;
  /** Its page on GitHub. */
  url: string;
}

/** What is told of each event. `details` are Markdown. */
interface Told {
  'run-started': { run: string; personas: readonly string[] };
  verdict: { verdict: string; details: string };
  'plan-proposed': { tasks: number; details: string };
  'plan-approved': { by: string };
  'plan-complete': { tasks: number };
  'task-claimed': { task: string; by: string };
  'pr-opened': { task?: string; by: string };
  merged: { by?: string };
  failed: { task?: string; reason: string };
  standup: { date: string; details: string };
  weekly: { week: string; details: string };
  'needs-human': { question: string };
}

export type Announced<Event extends keyof Told = keyof Told> = {
  [Each in Event]: { event: Each } & Told[Each];
}[Event];

export type Announcement = Announced & {
  subject: Subject;
  /** Somebody asked for it just now: quiet hours do not hold it back. */
  isAsked?: true;
};

/** Announcements with the same subject go into one thread: that of the issue, else that of the repository. */
export function subjectKey({ repositoryId, number }: Subject): string {
  return number === undefined ? `repository/${repositoryId}` : `thread/${repositoryId}/${number}`;
}
