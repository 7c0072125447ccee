/** When models may be asked again after they failed, as the workers on one store tell each other (CB-15). */

/** The one stream of all models of a host. */
export const MODELS_KEY = 'models:host';

/** A breaker opened or closed, for everybody or for one installation. */
export interface ModelBreak {
  /** Name of the model in the pool. */
  model: string;
  /** Whose breaker it is; everybody's when absent. */
  installation?: string;
  /** When it may be tried again, in milliseconds since the epoch; closed when absent. */
  openUntil?: number;
}

/** The breakers that are open. */
export interface ModelBreaks {
  v: 1;
  breaks: ModelBreak[];
}

/** The breakers that a store kept; empty without any, or where a newer version wrote them. */
export function toModelBreaks(state: unknown): readonly ModelBreak[] {
  return isModelBreaks(state) ? state.breaks : [];
}

function isModelBreaks(state: unknown): state is ModelBreaks {
  return typeof state === 'object' && state !== null && 'v' in state && state.v === 1;
}

export const NO_BREAKS: ModelBreaks = { v: 1, breaks: [] };

/** Replaces one breaker; breakers that may be retried now are removed. */
export function noteBreak(
  breaks: readonly ModelBreak[],
  told: ModelBreak,
  now: number,
): ModelBreak[] {
  const others = breaks.filter(
    (each) =>
      (each.model !== told.model || each.installation !== told.installation) &&
      (each.openUntil ?? 0) > now,
  );
  return (told.openUntil ?? 0) > now ? [...others, told] : others;
}
