/** Which remembered note a signal brings to mind: one about the same file, or in the same words. */
import { sharedWords, significantWords } from '../../../domain/memory/memory-text.ts';
import type { BriefNote } from '../../../domain/run/evidence.ts';
import type { Signal } from '../../../domain/review/signal.ts';

/** So many telling words in common are the same matter. */
const SAME_MATTER = 3;

/** The note's mark, to be put behind what rests on it; empty where none fits. */
export function markOf(signal: Signal, notes: readonly BriefNote[] = []): string {
  const words = significantWords(signal.title);
  const fits = notes.find(
    ({ text, paths }) =>
      sharedWords(words, significantWords(text)) >= SAME_MATTER ||
      (signal.place !== undefined &&
        paths.includes(signal.place.path) &&
        sharedWords(words, significantWords(text)) > 1),
  );
  return fits === undefined ? '' : ` [m:${fits.id}]`;
}
