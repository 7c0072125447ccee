/** The copy of a plan's journal that goes into a task's pull request, as part of the task's change (CB-11). */
import type { ChangedFile } from './patch.ts';
import type { CopyLeftOut, TaskChange, TaskRef } from './task.ts';

/** One a task: tasks of one plan are merged in any order, and a common file would conflict. */
export function journalCopyPath({ plan, task }: TaskRef): string {
  return `.quorum/journal/${plan.number}-${task}.md`;
}

/** Path on the memory branch of the journal itself. */
export function journalPath({ number }: { number: number }): string {
  return `journal/${number}.md`;
}

const WHY_LEFT_OUT: Readonly<Record<CopyLeftOut, string>> = {
  place: 'nothing could be put at its path',
  size: 'it is too large',
  credential: 'it seems to hold a credential',
};

export function tellLeftOut(why: CopyLeftOut): string {
  return `The copy of the journal was left out: ${WHY_LEFT_OUT[why]}.`;
}

/**
 * Names the copy in a change that the gates let through before: they refuse one that is not Quorum's own. A later commit
 * of the same pull request may have none, and the whole change still has it.
 */
export function knownCopyOf(
  { paths }: Pick<TaskChange, 'paths'>,
  ref: TaskRef,
): Pick<TaskChange, 'journal'> {
  const journal = journalCopyPath(ref);
  return paths.includes(journal) ? { journal } : {};
}

export interface JournalCopy {
  path: string;
  /** The text where the change begins, undefined without one. A person may have edited it. */
  before: string | undefined;
  /** Ends with a line end. */
  text: string;
}

/** The change with the copy in it. The change itself must not touch that path. */
export function withJournalCopy(patch: string, { path, before, text }: JournalCopy): string {
  if (before === text) return patch;
  const old = linesOf(before ?? '');
  const now = linesOf(text);
  const isNew = before === undefined;
  const section = [
    `diff --git a/${path} b/${path}`,
    ...(isNew ? ['new file mode 100644'] : []),
    `--- ${isNew ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
    `@@ -${isNew ? '0,0' : `1,${old.length}`} +1,${now.length} @@`,
    ...old.map((line) => `-${line}`),
    ...(isNew || before.endsWith('\n') ? [] : ['\\ No newline at end of file']),
    ...now.map((line) => `+${line}`),
  ].join('\n');
  return `${patch.replace(/\n?$/, '\n')}${section}\n`;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The files that a coder changed. A file that was moved to the path of the copy is one of them. */
export function withoutJournalCopy(
  files: readonly ChangedFile[],
  path: string | undefined,
): ChangedFile[] {
  return files.filter((file) => file.path !== path || file.from !== undefined);
}
