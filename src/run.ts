/**
 * The way from a delivery to a written comment. `receive` stores an event, `reduce` turns it into a new state and
 * effects, and `carryOut` performs an effect. Its result is the next event. Each step ends in one transaction.
 */
import type { Perform } from './act/perform.ts';
import type { Decision, DecisionContext } from './decide/run/decision.ts';
import { toFailure } from './domain/event/errors.ts';
import { EVENT_VERSION, type Event } from './domain/event/event.ts';
import { toResultEvent } from './domain/event/result-event.ts';
import type { Delivery, Receipt, Receiver } from './domain/github/delivery.ts';
import { parseDelivery } from './events/parse-delivery.ts';
import type { Clock, Random } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import type { EffectWork, EventWork, Settlement, Store, Work } from './ports/store.ts';
import { afterFailure, giveUp, poisonOf, failureReason, type Ending } from './retry.ts';

export interface Engine {
  store: Store;
  clock: Clock;
  random: Random;
  perform: Perform;
  /** The reducer; `decide` in production. */
  decide: (state: unknown, event: Event, moment: DecisionContext) => Decision;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** An older decision looks for its own traces before it writes: the world may have changed. */
const FRESH_MS = 60_000;
const DONE = { kind: 'finish', status: 'done' } as const;

/** Turns a delivery into an event and stores it; a refused delivery is stored with the reason. Durable when it resolves. */
export async function receive(
  delivery: Delivery & Receiver,
  store: Pick<Store, 'append'>,
): Promise<Receipt> {
  const verdict = parseDelivery(delivery);
  const results = await store.append(verdict.events);
  if (results.every((result) => result === 'duplicate')) return { status: 'duplicate' };
  if (verdict.kind === 'ignored') return { status: 'ignored', reason: verdict.reason };
  return { status: 'queued' };
}

/** Takes one piece of work to its end. Throws only when the store does; then the work is given out again. */
export async function consume(work: Work, engine: Engine): Promise<void> {
  const settlement =
    work.kind === 'event' ? await reduce(work, engine) : await carryOut(work, engine);
  await engine.store.settle(work, settlement);
}

async function reduce(work: EventWork, { store, clock, decide, log }: Engine): Promise<Settlement> {
  const { id, key, version } = work.event;
  if (version > EVENT_VERSION)
    return toEnd('parked', `event version ${version} is newer than this worker`);
  const poison = poisonOf(work);
  if (poison !== undefined) {
    const fields = { event: id, key, attempts: work.attempt, code: poison.code };
    log.error(fields, `event dead-lettered: ${poison.message}`);
    return toEnd('dead', failureReason(poison));
  }
  const before = await store.load(key);
  try {
    const decision = decide(before?.state, work.event, { now: clock.now() });
    const { state: value, effects, events, ignored } = decision;
    const end = ignored === undefined ? DONE : toEnd('ignored', ignored);
    const state = { key, expected: before?.version ?? 0, value };
    return { ...end, state, events, effects };
  } catch (error) {
    const { code, message } = toFailure(error);
    if (code === 'state-newer') return toEnd('parked', message);
    log.error({ err: error, event: id, key }, 'reducer threw; event dead-lettered');
    return toEnd('dead', message);
  }
}

function toEnd(status: 'parked' | 'dead' | 'ignored', reason: string) {
  return { kind: 'finish', status, reason } as const;
}

async function carryOut(work: EffectWork, engine: Engine): Promise<Settlement> {
  const { effect, waits, isFirst: isUntouched } = work;
  const { clock, random } = engine;
  const poison = poisonOf(work);
  if (poison !== undefined) return logged(giveUp(work, poison, { now: clock.now() }), engine);
  try {
    const isFirst = isUntouched && clock.now() - Date.parse(effect.at) < FRESH_MS;
    const attempt = { isFirst, isUntouched, ...(waits === undefined ? {} : { waits }) };
    const { githubCalls, ...result } = await engine.perform(effect, attempt);
    const event = toResultEvent(effect, { kind: 'done', ...result }, clock.now());
    return { ...DONE, githubCalls, events: [event] };
  } catch (error) {
    return logged(afterFailure(work, error, { now: clock.now(), random: random.next() }), engine);
  }
}

function logged({ settlement, level, fields, message }: Ending, { log }: Engine): Settlement {
  log[level](fields, message);
  return settlement;
}
