/**
 * Proposes, in the background, a shorter text for a persona's memory. A model words it, and a pull request onto the
 * memory branch shows the old and the new lines. Nothing changes before a person merges it.
 */
import type { RunKind } from '../../run/thread-context.ts';
import { onConsolidation } from './on-consolidation.ts';

export const CONSOLIDATION: RunKind<'consolidation'> = {
  name: 'Consolidation',
  waitsForWrites: true,
  look: ({ thread, handle = '' }) => ({ kind: 'look-consolidation', thread, persona: handle }),
  onEvent: onConsolidation,
  show: () => undefined,
  end: () => undefined,
};
