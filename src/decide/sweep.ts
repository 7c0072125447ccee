/** Ticks: what no event triggers. Now the reconcile pass, which finds what was lost on the way. */
import type { Event } from '../domain/event.ts';
import { derivedId } from '../domain/ids.ts';
import { createStep, readState, want, type Decision, type Moment } from './decision.ts';

export interface SweepState {
  v: number;
  /** The pass that is going on; the next one waits for it. */
  running?: string;
  /** Start of the first pass, ISO 8601: what happened before it is not looked for. */
  begunAt?: string;
  /** Start of the last pass that ended well, ISO 8601: failed deliveries are looked for since then. */
  doneSince?: string;
}

/** GitHub keeps deliveries three days; an hour's overlap costs nothing. */
const WINDOW_MS = 3 * 24 * 3_600_000;
const OVERLAP_MS = 3_600_000;
/** A pass that has not come back by then is taken for dead. */
const GIVE_UP_MS = 30 * 60_000;

export function decideTick(before: unknown, event: Event, { now }: Moment): Decision {
  const state = readState<SweepState>(before, { v: 1 });
  const { data } = event;
  if (data.kind === 'done' || data.kind === 'failed') {
    if (state.running !== data.run)
      return { state, effects: [], events: [], ignored: 'an older pass' };
    delete state.running;
    if (data.kind === 'done') state.doneSince = startOf(data.run);
    return { state, effects: [], events: [] };
  }
  if (data.kind !== 'trigger' || data.trigger.kind !== 'tick')
    return { state, effects: [], events: [], ignored: 'not a tick' };
  if (state.running !== undefined && now - Date.parse(startOf(state.running)) < GIVE_UP_MS)
    return { state, effects: [], events: [], ignored: 'the last pass is still going on' };
  const run = `reconcile:${new Date(now).toISOString()}:${derivedId(event.id, now)}`;
  state.running = run;
  state.begunAt ??= state.doneSince ?? new Date(now).toISOString();
  const step = createStep(event.key, { id: run, step: 0 }, now);
  // In an outage the passes given up for dead would pile up: a waiting one makes room for the next.
  const since = sinceOf(state, now);
  const order = { lane: 'reconcile', slot: 'reconcile' };
  want(step, { kind: 'reconcile', since, foundSince: later(since, state.begunAt) }, order);
  return { state, effects: step.effects, events: [] };
}

function startOf(run: string): string {
  return run.slice('reconcile:'.length, 'reconcile:'.length + 24);
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

function sinceOf(state: SweepState, now: number): string {
  const last = state.doneSince === undefined ? 0 : Date.parse(state.doneSince) - OVERLAP_MS;
  return new Date(Math.max(last, now - WINDOW_MS)).toISOString();
}
