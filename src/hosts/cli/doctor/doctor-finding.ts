/** What one check of the doctor found. */

export type Level = 'ok' | 'warn' | 'fail';

export interface Finding {
  level: Level;
  /** What was checked, in a word or two. */
  about: string;
  /** What is the case. */
  says: string;
  /** What to do about it. */
  fix?: string;
}
