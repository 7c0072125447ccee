/** Public keys of apply jobs, kept in the claim that they work under until what they wrote is recorded. */
import type { ActionsState } from '../actions/actions-state.ts';

const MOST_JOB_KEYS = 10;

/** Before a job writes what it signs with this key. An event that nobody claims is left alone. */
export function announceJobKey(
  state: ActionsState,
  event: string,
  publicKey: string,
): ActionsState {
  const claim = Object.hasOwn(state.claims, event) ? state.claims[event] : undefined;
  if (claim === undefined) return state;
  const [first, ...later] = new Set([...(claim.jobKeys ?? []), publicKey]);
  // What the first job wrote keeps its signature as long as nothing changes it.
  const jobKeys = [...(first === undefined ? [] : [first]), ...later.slice(1 - MOST_JOB_KEYS)];
  return { ...state, claims: { ...state.claims, [event]: { ...claim, jobKeys } } };
}

/** Of jobs that may have written under this claim. */
export function jobKeysOf({ claims }: ActionsState, event: string): readonly string[] {
  return (Object.hasOwn(claims, event) ? claims[event]?.jobKeys : undefined) ?? [];
}
