/** The circuit breaker of one model as a value: pure, so that it can be kept anywhere and tried in any order. */

/** Failures in a row that open it, and for how long (CB-15). */
export const FAILURES_TO_OPEN = 3;
export const OPEN_MS = 5 * 60 * 1000;

export interface Breaker {
  failuresInRow: number;
  /** When it may be tried again, in ms since the epoch; undefined while it is closed. */
  openUntil: number | undefined;
  /** Someone is trying it after the pause; others wait for the outcome elsewhere. */
  isTrying: boolean;
}

export const CLOSED: Breaker = { failuresInRow: 0, openUntil: undefined, isTrying: false };

export type BreakerState = 'closed' | 'open' | 'half-open';

export function breakerState(breaker: Breaker, now: number): BreakerState {
  if (breaker.openUntil === undefined) return 'closed';
  return now < breaker.openUntil ? 'open' : 'half-open';
}

/** Whether a call may go through; after the pause exactly one may. */
export function mayCall(breaker: Breaker, now: number): boolean {
  const state = breakerState(breaker, now);
  return state === 'closed' || (state === 'half-open' && !breaker.isTrying);
}

/** A call begins. */
export function onCall(breaker: Breaker, now: number): Breaker {
  return breakerState(breaker, now) === 'half-open' ? { ...breaker, isTrying: true } : breaker;
}

/** A call answered: closed, whatever was before. */
export function onSuccess(): Breaker {
  return CLOSED;
}

/** A call failed: the third in a row opens, and so does a failed trial. */
export function onFailure(breaker: Breaker, now: number): Breaker {
  const failuresInRow = breaker.failuresInRow + 1;
  // A call that began before it opened says nothing new.
  if (breakerState(breaker, now) === 'open') return { ...breaker, failuresInRow };
  const opens = failuresInRow >= FAILURES_TO_OPEN;
  return { failuresInRow, openUntil: opens ? now + OPEN_MS : undefined, isTrying: false };
}

/** A call ended without telling anything about the model: aborted by its caller. */
export function onNothing(breaker: Breaker): Breaker {
  return { ...breaker, isTrying: false };
}
