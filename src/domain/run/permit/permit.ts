/** Whether something may go on, and why it may not: the one shape of such an answer. */

export type Permit = Permitted | Refusal;

export interface Permitted {
  kind: 'allowed';
}

export interface Refusal {
  kind: 'refused';
  /** As people would say it. */
  reason: string;
}

export const ALLOWED: Permitted = { kind: 'allowed' };

export function forbid(reason: string): Refusal {
  return { kind: 'refused', reason };
}

/** Forbids for the first reason that applies. */
export function permitUnless(checks: readonly (readonly [boolean, string])[]): Permit {
  const refusal = checks.find(([applies]) => applies);
  return refusal === undefined ? ALLOWED : forbid(refusal[1]);
}

/** Of a reason that an earlier step recorded; absent where it found none. */
export function permitOf(reason: string | undefined): Permit {
  return reason === undefined ? ALLOWED : forbid(reason);
}

/** The first refusal; later ones are not asked for. */
export function permitAll(...permits: readonly (() => Permit)[]): Permit {
  for (const permit of permits) {
    const found = permit();
    if (found.kind === 'refused') return found;
  }
  return ALLOWED;
}
