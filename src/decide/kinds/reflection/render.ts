/** Lessons that wait for a person, numbered so that they can be answered. */
import { renderLesson } from '../../../domain/memory/entry-line.ts';
import type { MemoryEntry } from '../../../domain/memory/memory-entry.ts';

export function renderProposal(waiting: readonly MemoryEntry[]): string {
  const lines = waiting.map(
    (entry, at) =>
      `${at + 1}. ${renderLesson(entry).slice('- '.length)} (${entry.persona}, \`${entry.id}\`)`,
  );
  return [
    '### To remember?',
    'The team learned this from words of people without write access, so it is not used before somebody with write access approves it.',
    lines.join('\n'),
    'Answer with `/pm memory approve`, `/pm memory approve [1,2]` or `/pm memory reject`.',
  ].join('\n\n');
}
