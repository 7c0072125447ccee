/** The demonstration's repository as steps: each commit writes files or edits existing ones. */

/** What one commit does to the files. */
export interface Edits {
  message: string;
  /** Whole files by path. */
  write?: Readonly<Record<string, string>>;
  /** Pieces of files that stand already: path, what was there, what is there now. */
  edit?: readonly (readonly [path: string, from: string, to: string])[];
}

/** One commit of the demonstration's history. */
export interface Change extends Edits {
  /** Login of the author. */
  author: string;
  /** How long ago, in days. */
  daysAgo: number;
}

/** One commit as the emulator takes it. */
export interface Commit {
  message: string;
  author: string;
  date: string;
  files: Record<string, string>;
}

const DAY_MS = 24 * 3_600_000;

/** Applies the changes in order. Throws when an edit does not fit the text before it. */
export function toCommits(changes: readonly Change[], now: number): Commit[] {
  const files = new Map<string, string>();
  return changes.map((change) => {
    const touched = applyProjectEdits(change, (path) => files.get(path));
    for (const [path, text] of Object.entries(touched)) files.set(path, text);
    const { message, author, daysAgo } = change;
    return {
      message,
      author,
      date: new Date(now - daysAgo * DAY_MS).toISOString(),
      files: touched,
    };
  });
}

/** The files that a commit leaves, from those before it. Throws when an edit does not fit. */
export function applyProjectEdits(
  { write = {}, edit = [] }: Edits,
  textOf: (path: string) => string | undefined,
): Record<string, string> {
  const files: Record<string, string> = { ...write };
  for (const [path, from, to] of edit)
    files[path] = replaceOnce(path, files[path] ?? textOf(path) ?? '', { from, to });
  return files;
}

function replaceOnce(
  path: string,
  text: string,
  { from, to }: { from: string; to: string },
): string {
  if (text.split(from).length !== 2)
    throw new Error(`the history does not fit: ${path} has not exactly one "${from}"`);
  return text.replace(from, () => to);
}
