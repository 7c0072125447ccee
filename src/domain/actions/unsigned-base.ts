/** For a day, workflows remember on which base commits need no signature, in `state/actions.json`. */
import type { ActionsState } from './actions-state.ts';

/** Rules change rarely; where they did, GitHub itself refuses the push. */
const UNSIGNED_MS = 24 * 3_600_000;

/** The base on which commits without a signature were allowed within the last day. */
export function unsignedBaseOf({ unsigned }: ActionsState, now: number): string | undefined {
  if (unsigned === undefined) return undefined;
  const ageMs = now - Date.parse(unsigned.at);
  return ageMs >= 0 && ageMs < UNSIGNED_MS ? unsigned.base : undefined;
}

/** Keeps that commits without a signature are allowed on this base. The branches of tasks are asked about once a day. */
export function keepUnsigned(state: ActionsState, base: string, now: number): ActionsState {
  const known = unsignedBaseOf(state, now);
  if (known === base) return state;
  const at = new Date(now).toISOString();
  const first = known === undefined ? undefined : state.unsigned?.at;
  return { ...state, unsigned: { at: first ?? at, base } };
}

/** After a push that GitHub refused, the rules are asked about again. */
export function forgetUnsigned(state: ActionsState): ActionsState {
  const { unsigned: _, ...rest } = state;
  return rest;
}
