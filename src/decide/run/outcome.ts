/** What a reducer made of an event. */

export type Outcome =
  | { kind: 'handled' }
  /** Nothing was to be done; the record says why. */
  | { kind: 'ignored'; reason: string };

export const HANDLED: Outcome = { kind: 'handled' };

export function ignore(reason: string): Outcome {
  return { kind: 'ignored', reason };
}

/** As the record of an event keeps it. */
export function toIgnored(outcome: Outcome): { ignored?: string } {
  return outcome.kind === 'ignored' ? { ignored: outcome.reason } : {};
}
