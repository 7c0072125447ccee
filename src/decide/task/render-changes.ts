/** A change as its pull request tells it: file by file, and what it leaves to do (CB-8). */
import { parseDiff } from '../../domain/diff/parse-diff.ts';
import type { DiffFile } from '../../domain/diff/diff.ts';
import { codeSpan } from '../../domain/text/code-span.ts';
import { redactSecrets } from '../../domain/secrets/secret-text.ts';
import type { TaskChange, TaskText } from '../../domain/task/task.ts';

/** More are counted. */
const MAX_FILES = 50;
const MAX_LEFT = 10;
const LONGEST_LINE = 160;

/** Not in the middle of a word: `mastodon` leaves nothing to do. */
const LEFT_TO_DO = /\b(?:TODO|FIXME)\b/;

/** Lines of a list: each file with its sizes and what the task wanted of it. */
export function fileLines(
  { patch, paths }: Pick<TaskChange, 'patch' | 'paths'>,
  text: Pick<TaskText, 'files'> | undefined,
): string[] {
  const changed = new Map(parseDiff(patch).files.map((file) => [file.path, file]));
  const notes = new Map((text?.files ?? []).map(({ path, note }) => [path, note]));
  const lines = paths.slice(0, MAX_FILES).map((path) => {
    const note = notes.get(path) ?? '';
    const parts = [codeSpan(path), ...sizesOf(changed.get(path)), ...(note === '' ? [] : [note])];
    return parts.join(' · ');
  });
  const more = paths.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function sizesOf(file: DiffFile | undefined): string[] {
  if (file === undefined) return [];
  const { status, additions, deletions, content } = file;
  const sizes = content === 'text' ? ` +${additions} −${deletions}` : ` ${content}`;
  const from =
    file.oldPath === undefined || status !== 'renamed' ? '' : ` from ${codeSpan(file.oldPath)}`;
  return [`${status}${from}${content === 'none' ? '' : sizes}`];
}

/** Added lines that say something is left to do, as `path:line` with the line itself. */
export function leftToDo({ patch }: Pick<TaskChange, 'patch'>): string[] {
  const found = parseDiff(patch).files.flatMap(({ path, hunks }) =>
    hunks
      .flatMap(({ lines }) => lines)
      .flatMap((line) =>
        line.kind === 'added' && LEFT_TO_DO.test(line.text)
          ? [`${codeSpan(`${path}:${line.newLine}`)} ${codeSpan(shorten(line.text))}`]
          : [],
      ),
  );
  const more = found.length - MAX_LEFT;
  return more > 0 ? [...found.slice(0, MAX_LEFT), `and ${more} more`] : found;
}

function shorten(text: string): string {
  return redactSecrets(text.trim()).slice(0, LONGEST_LINE);
}
