/** Whom a pull request of ours is put before where nobody is named (TG-6). */
import type { Actor } from '../domain/run/thread-ref.ts';
import type { TaskRef } from '../domain/task/task.ts';

/**
 * One of them, other than who asked for the work and said yes to it: the same for the same task and people, and another
 * one for the next task.
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
