/**
 * The circuit breaker of one model as a value: pure, so that it can be kept anywhere and tried in any order.
 *
 * It has two parts. Each installation has a circuit of its own, which its own failures open. What keeps everybody away
 * needs several installations that saw the model fail: one installation's requests never decide for another one.
 */

/** Failures in a row that open an installation's own circuit, and for how long (CB-15). */
export const FAILURES_TO_OPEN = 3;
export const OPEN_MS = 5 * 60 * 1000;

/** So many installations, each counted once however often it failed, open the breaker for everybody. */
export const WITNESSES_TO_OPEN = 3;

/** What one installation has seen. */
export interface Circuit {
  failuresInRow: number;
  /** When it may be tried again, in ms since the epoch; undefined while it is closed. */
  openUntil: number | undefined;
  /** It is being tried after the pause, and until then no other call of this installation is. */
  tryingUntil: number | undefined;
}

export interface Breaker {
  /** By installation, of those that have something against the model. */
  own: Readonly<Record<string, Circuit>>;
  /** Installations that saw the model itself fail, since it last answered anybody. */
  witnesses: readonly string[];
  /** When every installation may try again; undefined while the breaker is closed. */
  openUntil: number | undefined;
}

export const CLOSED: Breaker = { own: {}, witnesses: [], openUntil: undefined };

const UNTRIED: Circuit = { failuresInRow: 0, openUntil: undefined, tryingUntil: undefined };

export type BreakerState = 'closed' | 'open' | 'half-open';

/** The state of the breaker for one installation. */
export function breakerState(breaker: Breaker, who: string, now: number): BreakerState {
  const ends = [breaker.openUntil, circuitOf(breaker, who).openUntil].filter(
    (end) => end !== undefined,
  );
  if (ends.length === 0) return 'closed';
  return now < Math.max(...ends) ? 'open' : 'half-open';
}

/** Whether a call may go through; after the pause one of each installation may, until it is known how that went. */
export function mayCall(breaker: Breaker, who: string, now: number): boolean {
  const state = breakerState(breaker, who, now);
  if (state !== 'half-open') return state === 'closed';
  return now >= (circuitOf(breaker, who).tryingUntil ?? now);
}

/** A call begins. */
export function recordCall(breaker: Breaker, who: string, now: number): Breaker {
  if (breakerState(breaker, who, now) !== 'half-open') return breaker;
  return withCircuit(breaker, who, { ...circuitOf(breaker, who), tryingUntil: now + OPEN_MS });
}

/** A call was answered: closed for this installation and for everybody, but for those that have circuits of their own. */
export function recordSuccess(breaker: Breaker, who: string): Breaker {
  return { own: withoutKey(breaker.own, who), witnesses: [], openUntil: undefined };
}

/**
 * The third failed call in a row opens the installation's own circuit. So does a failed trial.
 *
 * @param isWitness - whether the failure also counts for other callers
 */
export function recordFailure(
  breaker: Breaker,
  who: string,
  { now, isWitness }: { now: number; isWitness: boolean },
): Breaker {
  const before = circuitOf(breaker, who);
  const failuresInRow = before.failuresInRow + 1;
  const state = breakerState(breaker, who, now);
  // A call that began before the circuit opened changes nothing.
  if (state === 'open') return withCircuit(breaker, who, { ...before, failuresInRow });
  const opens = state === 'half-open' || failuresInRow >= FAILURES_TO_OPEN;
  const openUntil = opens ? now + OPEN_MS : undefined;
  const noted = withCircuit(breaker, who, { failuresInRow, openUntil, tryingUntil: undefined });
  return isWitness ? countWitness(noted, who, now) : noted;
}

/** A call ended without telling anything about the model. */
export function recordNoAnswer(breaker: Breaker, who: string): Breaker {
  return withCircuit(breaker, who, { ...circuitOf(breaker, who), tryingUntil: undefined });
}

/** What other workers know of a model: when everybody, and when an installation, may try it again. */
export interface KnownBreaks {
  all: number | undefined;
  own: Readonly<Record<string, number>>;
}

/**
 * Adopts what other workers found. A circuit that they opened is open here as long, and then allows one trial. One
 * that they closed is closed here if it was adopted from them.
 *
 * @param before - what was adopted last
 */
export function adopt(breaker: Breaker, known: KnownBreaks, before: KnownBreaks): Breaker {
  const openUntil = later(breaker.openUntil, known.all, before.all);
  const ids = new Set([...Object.keys(known.own), ...Object.keys(before.own)]);
  const start: Breaker = { ...breaker, openUntil };
  return [...ids].reduce((result, id) => {
    const circuit = circuitOf(result, id);
    const until = later(circuit.openUntil, known.own[id], before.own[id]);
    if (until === circuit.openUntil) return result;
    if (until === undefined) return { ...result, own: withoutKey(result.own, id) };
    const failuresInRow = Math.max(circuit.failuresInRow, FAILURES_TO_OPEN);
    return withCircuit(result, id, { failuresInRow, openUntil: until, tryingUntil: undefined });
  }, start);
}

function later(
  own: number | undefined,
  known: number | undefined,
  before: number | undefined,
): number | undefined {
  if (known !== undefined) return Math.max(own ?? 0, known);
  return before !== undefined && own === before ? undefined : own;
}

function countWitness(breaker: Breaker, who: string, now: number): Breaker {
  const witnesses = [...new Set([...breaker.witnesses, who])];
  if (witnesses.length < WITNESSES_TO_OPEN) return { ...breaker, witnesses };
  return { ...breaker, witnesses: [], openUntil: now + OPEN_MS };
}

function circuitOf({ own }: Breaker, who: string): Circuit {
  return own[who] ?? UNTRIED;
}

/** Keeps no circuit that says nothing. */
function withCircuit(breaker: Breaker, who: string, circuit: Circuit): Breaker {
  const isUntried = circuit.failuresInRow === 0 && circuit.tryingUntil === undefined;
  const own = withoutKey(breaker.own, who);
  return { ...breaker, own: isUntried ? own : { ...own, [who]: circuit } };
}

function withoutKey<T>(all: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([each]) => each !== key));
}
