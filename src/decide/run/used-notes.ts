/** Notes of memory that an answer or a plan rests on: their marks are taken out, and their use is counted. */
import { takeCitations, type ShownNote } from '../../domain/memory/recall/recalled.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import { codeSpan } from '../../domain/text/code-span.ts';
import { emitEffect, type Step } from './decision.ts';

/** Takes marks out of texts one after the other. A mark that stands for no shown note is invented. */
export function createNoteTaker(shown: readonly ShownNote[]): {
  take: (text: string) => string;
  used: () => ShownNote[];
} {
  const cited = new Set<string>();
  return {
    take: (source) => {
      const found = takeCitations(source);
      for (const id of found.cited) cited.add(id);
      return found.text;
    },
    used: () => shown.filter(({ id }) => cited.has(id)),
  };
}

/** Nothing is learned: the notes were useful once more, and what they cite was there. */
export function countUse(step: Step, thread: ThreadRef, used: readonly ShownNote[]): void {
  if (used.length === 0) return;
  const cited = used.map(({ id }) => id);
  const about = { run: step.run.id, subject: 'issue' as const, headSha: '' };
  const from = { ...about, trust: 'stranger' as const, cited };
  const change = { kind: 'learn' as const, from, learned: [], paths: [] };
  const lane = `memory:${thread.repositoryId}`;
  emitEffect(step, { kind: 'remember', thread, change }, { lane, isUnheard: true });
}

/** As people read it. */
export function usedLine({ id, text }: Pick<ShownNote, 'id' | 'text'>): string {
  return `remembered and used: ${codeSpan(text)} (\`${id}\`)`;
}
