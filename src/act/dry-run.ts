/** A dry run carries out what only reads, and answers for what would write without writing it. */
import { RefusedError } from '../domain/event/errors.ts';
import type { Result } from '../domain/event/result.ts';
import { EFFECTS } from './effects.ts';
import type { Perform } from './perform.ts';

/** What a write brings when nothing is written. */
const UNWRITTEN: readonly Result[] = [
  { effectKind: 'comment', result: { id: 0, url: '', outcome: 'unchanged' } },
  { effectKind: 'labels', result: null },
  { effectKind: 'react', result: null },
  { effectKind: 'check', result: null },
  { effectKind: 'issue', result: { outcome: 'created', number: 0, url: '' } },
  { effectKind: 'close', result: 'closed' },
];

/** @throws RefusedError `dry-run` for a kind that writes and has no answer here */
export function createDryRun(perform: Perform): Perform {
  return async (effect, attempt) => {
    const { kind } = effect.data;
    if (!EFFECTS[kind].writes) return perform(effect, attempt);
    const unwritten = UNWRITTEN.find(({ effectKind }) => effectKind === kind);
    if (unwritten !== undefined) return { ...unwritten, githubCalls: {} };
    throw new RefusedError({
      code: 'dry-run',
      message: `A dry run cannot carry out ${kind}: it changes something outside.`,
    });
  };
}
