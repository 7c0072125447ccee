/** What one check of the doctor found. */

/** `skip`: it was not checked, so it is neither fine nor wrong. */
export type Level = 'ok' | 'warn' | 'fail' | 'skip';

export interface Finding {
  level: Level;
  /** What was checked, in a word or two. */
  about: string;
  /** What is the case. */
  says: string;
  /** What to do about it. */
  fix?: string;
}
