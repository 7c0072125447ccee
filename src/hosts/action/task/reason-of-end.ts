/** Why a task's job opened no pull request, for the summary of the job. */
import type { TaskStream } from '../../../domain/task/task.ts';
import type { TaskPlayed } from './play-task.ts';

/** An attempt begins with the notes of the last one, which say nothing about this job. */
export function reasonOfEnd(
  { run, stream, failed }: Pick<TaskPlayed, 'run' | 'stream' | 'failed'>,
  earlier: TaskStream | undefined,
): string {
  const inherited = earlier?.run?.notes ?? [];
  const hasFailed = stream.failures > (earlier?.failures ?? 0);
  const isNoted = hasFailed || run?.notes.join('\0') !== inherited.join('\0');
  const publish = failed.find(({ kind }) => kind === 'publish')?.failure.message;
  return (isNoted ? run?.notes.at(-1) : undefined) ?? publish ?? 'The task was given back.';
}
