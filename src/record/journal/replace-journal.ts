/** What a journal's file should say next. */
import type { Journal } from './journal.ts';
import { renderJournal } from './render-journal.ts';

/** Undefined: the file stays. It tells of events that the store has deleted since, and the new text would not. */
export function replaceJournal(before: string | undefined, journal: Journal): string | undefined {
  return before !== undefined && journal.missingBefore !== undefined
    ? undefined
    : renderJournal(journal);
}
