/** Where comments on the diff are after a push: their line moves with the text, and is gone when the text is. */
import { placeInDiff } from './diff-places.ts';
import { compareRevisions, type FileChange } from '../git/compare-revisions.ts';
import { gitOutput } from '../git/git-process.ts';
import type { Repository, ReviewComment, Thread } from '../world/world-model.ts';

export async function moveReviewLines(
  repository: Repository,
  thread: Thread,
  move: { from: string; to: string },
): Promise<void> {
  const { pull } = thread;
  const placed = (pull?.reviewComments ?? []).filter((one) => one.position !== undefined);
  if (pull === undefined || placed.length === 0) return;
  const comparison = await compareRevisions(repository.gitDir, pull.baseSha, move.to);
  const files = comparison?.files ?? [];
  for (const comment of placed) await follow(repository, comment, { ...move, files });
}

async function follow(
  repository: Repository,
  comment: ReviewComment,
  move: { from: string; to: string; files: readonly FileChange[] },
): Promise<void> {
  const { path, side } = comment;
  const line = side === 'LEFT' ? comment.line : await newLine(repository, comment, move);
  const place = line === undefined ? undefined : placeInDiff(move.files, { path, line, side });
  const length = (comment.line ?? 0) - (comment.startLine ?? 0);
  if (comment.startLine !== undefined)
    comment.startLine = place?.line === undefined ? undefined : place.line - length;
  comment.line = place?.line;
  comment.position = place?.position;
  if (place !== undefined) comment.commitId = move.to;
}

/** Undefined when the line was changed or deleted, or its file is not there under this name any more. */
async function newLine(
  repository: Repository,
  comment: ReviewComment,
  move: { from: string; to: string },
): Promise<number | undefined> {
  const { line, path } = comment;
  if (line === undefined) return undefined;
  const args = ['diff', '-U0', '--no-renames', move.from, move.to, '--', `:(literal)${path}`];
  const diff = await gitOutput(repository.gitDir, args);
  let shift = 0;
  for (const match of diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/gm)) {
    const [at, removed, added] = [match[1], match[2] ?? 1, match[3] ?? 1].map(Number);
    if (at === undefined || removed === undefined || added === undefined) continue;
    if (line < at || (removed === 0 && line === at)) break;
    if (line < at + removed) return undefined;
    shift += added - removed;
  }
  return line + shift;
}
