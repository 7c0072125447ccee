/** Ticks: what no event triggers. The reconcile pass finds what was lost on the way, each installation by itself. */
import type { Event, EventData } from '../domain/event/event.ts';
import { derivedId } from '../domain/run/ids.ts';
import {
  PURGE_KEY,
  SWEEP_KEY,
  sweepKey,
  type OwedRepository,
  type SweepState,
} from '../domain/tenant/recovery.ts';
import type { EffectResults } from '../domain/event/result.ts';
import type { Trigger } from '../domain/event/trigger.ts';
import { createStep, ignored, readState, emitEvent, emitEffect } from './run/decision.ts';
import type { Decision, DecisionContext, Step } from './run/decision.ts';

/** GitHub keeps deliveries three days; an hour's overlap costs nothing. */
const WINDOW_MS = 3 * 24 * 3_600_000;
const OVERLAP_MS = 3_600_000;
/** A pass that has not finished after this time counts as dead. */
const GIVE_UP_MS = 30 * 60_000;
/** Installations that are looked at side by side: most workers stay free for what people wait for. */
const LANES = 2;

type Ended = Extract<EventData, { kind: 'done' | 'failed' }>;
type Tick = Extract<Trigger, { kind: 'tick' }>;

export function decideTick(before: unknown, event: Event, { now }: DecisionContext): Decision {
  if (event.key === PURGE_KEY) return decidePurge(before, event, now);
  const state = readState<SweepState>(before, { v: 1 });
  const { data } = event;
  if (data.kind === 'done' || data.kind === 'failed')
    return event.key === SWEEP_KEY
      ? addPart(state, event, { data, now })
      : onInstallation(state, data);
  if (data.kind !== 'trigger' || data.trigger.kind !== 'tick') return ignored(state, 'not a tick');
  if (state.running !== undefined && now - Date.parse(startOf(state.running)) < GIVE_UP_MS)
    return ignored(state, 'the last pass is still going on');
  state.running = `reconcile:${new Date(now).toISOString()}:${derivedId(event.id, now)}`;
  const step = createStep(event.key, { id: state.running, step: 0 }, now);
  beginPass(step, state, data.trigger);
  return { state, effects: step.effects, events: [] };
}

/** Which places that is about is found out when it is carried out, by what GitHub says then. */
function decidePurge(before: unknown, event: Event, now: number): Decision {
  const state = readState<SweepState>(before, { v: 1 });
  const { data } = event;
  if (data.kind !== 'trigger') return { state, effects: [], events: [] };
  const run = { id: `purge:${new Date(now).toISOString()}:${derivedId(event.id, now)}`, step: 0 };
  const step = createStep(event.key, run, now);
  emitEffect(step, { kind: 'erase', target: { kind: 'past' } }, inSlot('purge'));
  return { state, effects: step.effects, events: [] };
}

/** In an outage the passes given up for dead would pile up: a waiting effect makes room for the next in its slot. */
function beginPass(step: Step, state: SweepState, { installationId, since: from }: Tick): void {
  const { now } = step;
  if (installationId !== undefined) {
    // The first pass of an installation goes on from the last one of the App.
    const since = state.doneSince === undefined && from !== undefined ? from : sinceOf(state, now);
    const part = { installationId, owed: (state.owed ?? []).map((one) => within(one, now)) };
    const order = {
      lane: `reconcile:${installationId % LANES}`,
      slot: `reconcile:${installationId}`,
    };
    emitEffect(step, { kind: 'reconcile', since, foundSince: since, part }, order);
    return;
  }
  const since = sinceOf(state, now);
  state.begunAt ??= state.doneSince ?? new Date(now).toISOString();
  state.foundSince = later(since, state.begunAt);
  const { foundSince } = state;
  emitEffect(step, { kind: 'reconcile', since, part: 'deliveries' }, inSlot('reconcile'));
  state.listing = emitEffect(
    step,
    { kind: 'reconcile', since, foundSince, part: 'installations' },
    inSlot('reconcile-installations'),
  );
}

function inSlot(slot: string) {
  return { lane: slot, slot };
}

/** Deliveries are asked for beside the rest: while GitHub does not list them, passes go on. */
function addPart(
  state: SweepState,
  event: Event,
  { data, now }: { data: Ended; now: number },
): Decision {
  const isListing = data.effectId === state.listing;
  const isWhole = state.listing === undefined && data.run === state.running;
  if (isListing || isWhole) {
    delete state.running;
    delete state.listing;
  }
  const result = resultOf(data);
  if (result === undefined) return { state, effects: [], events: [] };
  const { installations } = result;
  if (installations === undefined) {
    state.doneSince = later(startOf(data.run), state.doneSince ?? '');
    return { state, effects: [], events: [] };
  }
  if (!isListing) return ignored(state, 'an older pass');
  const step = createStep(event.key, { id: data.run, step: 0 }, now);
  for (const id of installations) notifyInstallation(step, id, state.foundSince);
  return { state: { ...state, installations }, effects: [], events: step.events };
}

function resultOf(data: Ended): EffectResults['reconcile'] | undefined {
  return data.kind === 'done' && data.effectKind === 'reconcile' ? data.result : undefined;
}

function notifyInstallation(step: Step, installationId: number, since: string | undefined): void {
  const about = { installationId, ...(since && { since }) };
  emitEvent(
    step,
    { kind: 'trigger', trigger: { kind: 'tick', loop: 'reconcile', ...about } },
    { key: sweepKey(installationId), suffix: `installation-${installationId}` },
  );
}

function onInstallation(state: SweepState, data: Ended): Decision {
  if (state.running !== data.run) return ignored(state, 'an older pass');
  const { running: _, failure: _before, owed = [], ...rest } = state;
  if (data.kind === 'failed')
    return { state: { ...rest, owed, failure: data.failure.code }, effects: [], events: [] };
  const { failure, owed: left = [] } = resultOf(data) ?? {};
  const told = failure === undefined ? { doneSince: startOf(data.run) } : { failure };
  return { state: { ...rest, owed: left, ...told }, effects: [], events: [] };
}

function startOf(run: string): string {
  return run.slice('reconcile:'.length, 'reconcile:'.length + 24);
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

function within(one: OwedRepository, now: number): OwedRepository {
  const oldest = new Date(now - WINDOW_MS).toISOString();
  return one.since === undefined ? one : { ...one, since: later(one.since, oldest) };
}

function sinceOf(state: SweepState, now: number): string {
  const last = state.doneSince === undefined ? 0 : Date.parse(state.doneSince) - OVERLAP_MS;
  return new Date(Math.max(last, now - WINDOW_MS)).toISOString();
}
