/** Looks back on a run, in the background: one answer says what each voice learned, and memory keeps it. Nobody waits for it. */
import type { RunKind } from '../../run/thread-context.ts';
import { onReflection } from './on-reflection.ts';

export const REFLECTION: RunKind<'reflection'> = {
  name: 'Reflection',
  waitsForWrites: true,
  look: ({ thread, material }) => ({
    kind: 'look-memory',
    thread,
    handles: material?.voices.map(({ handle }) => handle) ?? [],
  }),
  onEvent: onReflection,
  show: () => undefined,
  end: () => undefined,
};
