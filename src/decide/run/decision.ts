/** What a reducer gives back, and the small ledger of effects and timers that it writes while it thinks. */
import { ConfigError } from '../../domain/event/errors.ts';
import type { Effect, EffectData, EffectKind } from '../../domain/event/effect.ts';
import type { EventData, NewEvent } from '../../domain/event/event.ts';
import { EVENT_VERSION } from '../../domain/event/event.ts';

/** The outcome of one reduction. Nothing in it has happened yet. */
export interface Decision {
  state: unknown;
  effects: Effect[];
  /** Timers, and messages to other streams. */
  events: NewEvent[];
  /** Why nothing was to be done, when nothing was. */
  ignored?: string;
}

/** Nothing is done, and the record says why. */
export function ignored(state: unknown, reason: string): Decision {
  return { state, effects: [], events: [], ignored: reason };
}

/** What the outside world lends a reducer: the time, and nothing else. */
export interface DecisionContext {
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * A reducer's own copy of its stream's state, or the empty one.
 *
 * Throws ConfigError `state-newer` for a state that a newer worker wrote: it is left alone.
 */
export function readState<S extends { v: number }>(before: unknown, empty: S): S {
  if (before === undefined || before === null) return structuredClone(empty);
  if (isStateLike(before, empty)) return structuredClone(before);
  throw new ConfigError({
    code: 'state-newer',
    message: `This state is of another version than ${empty.v}; run a newer worker.`,
  });
}

function isStateLike<S extends { v: number }>(value: unknown, empty: S): value is S {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === empty.v;
}

/** Collects what one step of a run wants; ids derive from the run and its step counter. */
export interface Step {
  key: string;
  /** The run's id and counter; the counter is advanced in place on the reducer's own copy. */
  run: { id: string; step: number };
  now: number;
  effects: Effect[];
  events: NewEvent[];
}

export function createStep(key: string, run: { id: string; step: number }, now: number): Step {
  return { key, run, now, effects: [], events: [] };
}

/** Kinds whose result says nothing that any reducer could use. */
const NEVER_HEARD: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'react',
  'fold',
  'drop-branch',
  'describe',
  'report-group',
  'test-head',
  'erase',
  'write-journal',
  'chat-react',
]);

/** Wants an effect and returns its id, the run's next. `isUnheard`: nothing waits for its result. */
export function emitEffect(
  step: Step,
  data: EffectData,
  { isUnheard, ...order }: Pick<Effect, 'lane' | 'slot' | 'isUnheard'> = {},
): string {
  step.run.step += 1;
  const id = `${step.run.id}/${step.run.step}-${data.kind}`;
  step.effects.push({
    id,
    key: step.key,
    run: step.run.id,
    at: new Date(step.now).toISOString(),
    ...order,
    ...((isUnheard === true || NEVER_HEARD.has(data.kind)) && { isUnheard: true }),
    data,
  });
  return id;
}

/** Whether a run writes under this name for the first time; then there is nothing that would have to be looked for. */
export function firstWrite(run: { written?: string[] }, name: string): { isNew?: true } {
  if (run.written?.includes(name) === true) return {};
  run.written = [...(run.written ?? []), name];
  return { isNew: true };
}

/** Sets a timer on this stream and returns its name. */
export function emitTimer(step: Step, what: string, delayMs: number): string {
  step.run.step += 1;
  const timer = `${step.run.step}-${what}`;
  emitEvent(
    step,
    { kind: 'timer', timer, run: step.run.id },
    { key: step.key, suffix: timer, delayMs },
  );
  return timer;
}

interface EventTarget {
  key: string;
  /** Makes the event's id, after the run's. */
  suffix: string;
  delayMs?: number;
}

/** Tells a stream something: its own, or another one. */
export function emitEvent(
  step: Step,
  data: EventData,
  { key, suffix, delayMs }: EventTarget,
): void {
  step.events.push({
    id: `${step.run.id}/${suffix}`,
    key,
    version: EVENT_VERSION,
    at: new Date(step.now).toISOString(),
    ...(delayMs === undefined ? {} : { delayMs }),
    data,
  });
}
