/** What people said to approve a task's pull request: of each of them the newest word about a head. Pure. */
import type { PullWord, TaskRun } from '../domain/task/task.ts';

/** More people than a repository asks for their review. Where they are more, the oldest words go. */
const MOST_WORDS = 50;

/**
 * Keeps `old` before a newer word takes its place. What one person said never removes what another said: whether
 * somebody may approve is known only when the pull request is looked at.
 */
export function keepWord(
  run: Pick<TaskRun, 'approvals' | 'headSha'>,
  old: PullWord | undefined,
  next: PullWord,
): void {
  const isSame = old?.by.id === next.by.id && old.headSha === next.headSha;
  if (old === undefined || isSame || old.headSha !== run.headSha) return;
  const others = (run.approvals ?? []).filter(
    ({ by, headSha }) => by.id !== old.by.id && headSha === run.headSha,
  );
  run.approvals = [...others, old].slice(-MOST_WORDS);
}

type Spoken = Pick<TaskRun, 'approved' | 'approvals' | 'mergeWanted'>;

/** Of each person, for each head that they spoke of. */
export function pullWords({ approved, approvals = [], mergeWanted }: Spoken): PullWord[] {
  const all = [approved, ...approvals, mergeWanted].filter((word) => word !== undefined);
  return [...new Map(all.map((word) => [`${word.by.id} ${word.headSha}`, word])).values()];
}
