/** Why a task's job opened no pull request, for the summary of the job. */
import type { TaskStream } from '../../../domain/task/task.ts';
import type { TaskPlayed } from './play-task.ts';

export function reasonOfEnd(
  played: Pick<TaskPlayed, 'run' | 'stream' | 'failed'>,
  earlier: TaskStream | undefined,
): string {
  const publish = played.failed.find(({ kind }) => kind === 'publish')?.failure.message;
  return newNote(played, earlier) ?? publish ?? 'The task was given back.';
}

/** The last one. An attempt begins with the notes of the last attempt, which say nothing about this job. */
function newNote(
  { run, stream }: Pick<TaskPlayed, 'run' | 'stream'>,
  earlier: TaskStream | undefined,
): string | undefined {
  const notes = run?.notes ?? [];
  const inherited = earlier?.run?.notes ?? [];
  const hasFailed = stream.failures > (earlier?.failures ?? 0);
  return hasFailed || notes.join('\0') !== inherited.join('\0') ? notes.at(-1) : undefined;
}
