/** The events of one stream in the order in which they were reduced, and what was decided about each. */
import type { Decision } from '../../src/decide/run/decision.ts';
import type { Event } from '../../src/domain/event/event.ts';
import type { Plain } from './plain.ts';

/** Where in the state something is another now; without a value it is gone. */
export type Change = [path: string[], value?: Plain];

export interface Step {
  now: number;
  event: Event;
  decided: Decided;
}

export interface Decided extends Partial<Pick<Decision, 'effects' | 'events' | 'ignored'>> {
  /** What the reducer changed in the state. */
  changes?: Change[];
}

export interface Walk {
  /** Which test recorded it. */
  from: string;
  steps: Step[];
}

export type Reduce = (state: unknown, event: Event, moment: { now: number }) => Decision;

/** Reduces the walk's events again, each on the state that came of those before. */
export function replayWalk({ steps }: Pick<Walk, 'steps'>, decide: Reduce): Decided[] {
  let state: unknown;
  return steps.map(({ event, now }) => {
    const decision = decide(state, structuredClone(event), { now });
    const decided = toDecided(state, decision);
    state = asStored(decision.state);
    return decided;
  });
}

export function toDecided(before: unknown, { state, effects, events, ignored }: Decision): Decided {
  const changes = changesOf(asStored(before), asStored(state));
  return asStored({
    ...(effects.length > 0 && { effects }),
    ...(events.length > 0 && { events }),
    ...(ignored !== undefined && { ignored }),
    ...(changes.length > 0 && { changes }),
  });
}

/** What a store gives back: JSON and nothing else. */
export function asStored<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

function changesOf(before: unknown, after: unknown, path: string[] = []): Change[] {
  if (!isRecord(before) || !isRecord(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [[path, after as Plain]];
  const gone = Object.keys(before).filter((key) => !(key in after));
  return [
    ...gone.map((key): Change => [[...path, key]]),
    ...Object.keys(after).flatMap((key) => changesOf(before[key], after[key], [...path, key])),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
