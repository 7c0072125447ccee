/** State that no event reports is looked at again, at growing intervals. */
import { emitTimer, type Step } from './decision.ts';

const FIRST_LOOK_MS = 60_000;
/** However long nothing changed: a person's thumb or another instance's work is seen within this time. */
export const LONGEST_LOOK_MS = 15 * 60_000;

/** The timer `look`, due after `firstMs` doubled once for each look that brought nothing. Returns its id. */
export function wantLook(
  step: Step,
  looks: number,
  {
    firstMs = FIRST_LOOK_MS,
    longestMs = LONGEST_LOOK_MS,
  }: { firstMs?: number; longestMs?: number } = {},
): string {
  return emitTimer(step, 'look', Math.min(LONGEST_LOOK_MS, longestMs, firstMs * 2 ** looks));
}
