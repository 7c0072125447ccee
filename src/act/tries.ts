/** How often the queue has asked a model the same already. */
import { MODEL_AGAIN } from '../ports/model.ts';
import type { Waits } from '../ports/store.ts';

export function earlierTries(waits: Waits | undefined): number {
  return waits?.code === MODEL_AGAIN ? (waits.times ?? 1) : 0;
}
