/** Lessons that wait for a person, numbered so that they can be answered. */
import { renderLesson } from '../../../domain/memory/file/entry-line.ts';
import type { MemoryEntry } from '../../../domain/memory/memory-entry.ts';

/** A lesson that several voices learned is one line with one number. */
export function groupLessons(waiting: readonly MemoryEntry[]): MemoryEntry[][] {
  return [...Map.groupBy(waiting, renderLesson).values()];
}

export function renderNotesToRemember(waiting: readonly MemoryEntry[], first: number): string {
  const lines = groupLessons(waiting).flatMap((group, at) => {
    const who = group.map(({ persona, id }) => `${persona}, \`${id}\``).join('; ');
    return group
      .slice(0, 1)
      .map((entry) => `${first + at}. ${renderLesson(entry).slice('- '.length)} (${who})`);
  });
  return [
    '### To remember?',
    'The team learned this from words of people without write access, or it contradicts something that is remembered. It is not used before somebody with write access approves it.',
    lines.join('\n'),
    `Answer with \`/pm memory approve\`, \`/pm memory approve [${first}]\` or \`/pm memory reject\`.`,
  ].join('\n\n');
}
