/** Whom Quorum asks to review its pull request where nobody is named (TG-6). */
import type { Actor } from '../domain/run/thread-ref.ts';
import type { TaskRef } from '../domain/task/task.ts';

/**
 * One of them, other than the person who asked for the work and approved it. The same task and people give the same
 * reviewer, and the next task another one.
 */
export function chooseReviewer(
  writers: readonly Actor[],
  { task, requester }: { task: TaskRef; requester: Pick<Actor, 'id'> },
): Actor | undefined {
  const others = writers
    .filter(({ id, isBot }) => !isBot && id !== requester.id)
    .toSorted((a, b) => a.id - b.id);
  return others[(task.plan.number + task.task) % Math.max(1, others.length)];
}
