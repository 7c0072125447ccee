/** What a person types next for a task that waits for one. */
import type { TaskNews } from './task.ts';

export function blockedStep(
  task: number,
  news: Pick<TaskNews, 'asks' | 'lacksTests'> | undefined,
): string {
  if (news?.asks === true)
    return `\`/pm unblock ${task} your answer\` answers the coder's question.`;
  if (news?.lacksTests === true)
    return `\`/pm unblock ${task}\` lets the task continue without tests.`;
  return `\`/pm retry ${task}\` tries the task again, \`/pm why ${task}\` says more.`;
}
