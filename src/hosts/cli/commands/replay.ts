/** `quorum replay`: reduces the stored events of a run's stream again, and holds the result against what was recorded. */
import { isDeepStrictEqual } from 'node:util';
import { decide } from '../../../decide/route.ts';
import { EVENT_VERSION, UNHEARD, type Event } from '../../../domain/event/event.ts';
import type { StoredEffect, StoredEvent, StoreReader } from '../../../ports/store.ts';
import { openStoreReader } from '../../open-store.ts';
import { readHostSettings } from '../../environment/host-settings.ts';
import { secretsIn, usageError } from '../report-failure.ts';
import { renderPrompts, replayPrompts, type ReplayedAsk } from './replay-prompts.ts';
import { EXIT, outJson, type ExitCode, type Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';
import { counted } from '../../../domain/text/counted.ts';

/** More than a thread ever has. */
const MAX_EVENTS = 10_000;

interface ReplayStep {
  event: string;
  at: string;
  /** Kind of the event, with what it was about. */
  what: string;
  /** Why there was nothing to do, when there was nothing. */
  ignored?: string;
  /** Kinds and ids of the effects that were decided. */
  effects: string[];
  /** Timers, and messages to other streams. */
  events: string[];
  /** What was recorded otherwise. */
  differences: string[];
}

export interface Replay {
  run: string;
  key: string;
  steps: ReplayStep[];
  /** Whether the last state is the stored one; undefined while events wait to be reduced. */
  sameState: boolean | undefined;
  /** Whether nothing at all differs. */
  isSame: boolean;
}

interface ReplayOptions {
  json?: true;
  run: string;
  /** Also what models were asked and answered. */
  prompts?: true;
  private?: true;
}

export async function replay(options: ReplayOptions, io: Io): Promise<ExitCode> {
  const store = await openStoreReader(readHostSettings(io.env));
  try {
    const replayed = await replayRun(store, options.run);
    const asks = options.prompts === true ? await promptsOf(replayed, options, { store, io }) : [];
    const isSame = replayed.isSame && asks.every((each) => each.isSame);
    if (options.json === true)
      outJson(io, { ok: isSame, ...replayed, ...(options.prompts === true && { asks }) });
    else io.out(`${render(replayed, io)}${asks.length > 0 ? `\n${renderPrompts(asks, io)}` : ''}`);
    return isSame ? EXIT.ok : EXIT.failure;
  } finally {
    await store.close();
  }
}

function promptsOf(
  { run, key }: Replay,
  options: Pick<ReplayOptions, 'private'>,
  { store, io }: { store: StoreReader; io: Io },
): Promise<ReplayedAsk[]> {
  return replayPrompts(
    store,
    { run, key },
    {
      secrets: secretsIn(io),
      withPrivate: options.private === true,
    },
  );
}

/** ConfigError `run-unknown`. */
export async function replayRun(store: StoreReader, run: string): Promise<Replay> {
  const { records } = store;
  const key = await keyOf(records, run);
  const events = await records.events({ key, limit: MAX_EVENTS });
  const effects = await records.effects({ key, limit: MAX_EVENTS });
  const recorded: Recorded = {
    effects: new Map(effects.map((effect) => [effect.id, effect])),
    runs: new Set(effects.map((effect) => effect.run)),
  };
  const isPending = events.some(
    ({ status, data }) => status === 'pending' && data.kind !== 'timer',
  );
  const reduced = events.filter(isReduced).toSorted((a, b) => a.seq - b.seq);
  let state: unknown;
  const steps = reduced.map((event) => {
    const again = reduceAgain(state, event, recorded);
    state = again.state;
    return again.step;
  });
  const stored = await store.load(key);
  const sameState = isPending ? undefined : sameJson(state, stored?.state);
  const isSame = sameState !== false && steps.every(({ differences }) => differences.length === 0);
  return { run, key, steps, sameState, isSame };
}

const REDUCED: ReadonlySet<string> = new Set(['done', 'ignored']);

/** What was only kept never went through a reducer. */
function isReduced({ status, reason, data }: StoredEvent): boolean {
  return REDUCED.has(status) && data.kind !== 'refused' && reason !== UNHEARD;
}

async function keyOf(records: StoreReader['records'], run: string): Promise<string> {
  const [effect] = await records.effects({ run, limit: 1 });
  if (effect !== undefined) return effect.key;
  throw usageError(
    'run-unknown',
    `The store has no run ${run}. The last line of each of Quorum’s comments names its run; old ones are pruned after 90 days.`,
  );
}

interface Recorded {
  effects: ReadonlyMap<string, StoredEffect>;
  runs: ReadonlySet<string>;
}

function reduceAgain(state: unknown, event: StoredEvent, recorded: Recorded) {
  const now = whenReduced(state, event, recorded);
  const decision = decide(state, toEvent(event), { now });
  const differences = decision.effects.flatMap((effect) => {
    const before = recorded.effects.get(effect.id);
    if (before === undefined) return [`${effect.id} was not recorded`];
    return sameJson(before.data, effect.data) ? [] : [`${effect.id} was recorded otherwise`];
  });
  const wasIgnored = event.status === 'ignored';
  if (wasIgnored !== (decision.ignored !== undefined))
    differences.push(`it was ${event.status}${wasIgnored ? ` (${event.reason ?? ''})` : ''}`);
  const step: ReplayStep = {
    event: event.id,
    at: event.at,
    what: describe(event),
    ...(decision.ignored === undefined ? {} : { ignored: decision.ignored }),
    effects: decision.effects.map(({ id }) => id),
    events: decision.events.map(({ id, data }) => `${data.kind} ${id}`),
    differences,
  };
  return { state: decision.state, step };
}

/**
 * The moment at which an event was reduced is not stored, but decisions of that moment carry it. A new run has it in
 * the first ten characters of its id, an effect in `at`. An event that led to neither does not depend on it.
 */
function whenReduced(state: unknown, event: StoredEvent, { effects, runs }: Recorded): number {
  const near = Date.parse(event.settledAt ?? event.at);
  const draft = decide(state, toEvent(event), { now: near });
  for (const { id, run } of draft.effects) {
    const recorded = effects.get(id);
    if (recorded !== undefined) return Date.parse(recorded.at);
    const same = [...runs].find((each) => tailOf(each) === tailOf(run));
    if (same !== undefined) return timeOf(same);
  }
  return near;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;

/** The part of a run's id that derives from its cause alone. */
function tailOf(run: string): string {
  return run.slice(TIME_LENGTH);
}

function timeOf(run: string): number {
  return Array.from(run.slice(0, TIME_LENGTH)).reduce(
    (time, sign) => time * CROCKFORD.length + CROCKFORD.indexOf(sign),
    0,
  );
}

function toEvent({ id, key, at, data }: StoredEvent): Event {
  return { id, key, version: EVENT_VERSION, at, data };
}

/** Equal once written down: what is undefined is absent there. */
function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(written(a), written(b));
}

function written(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function describe({ data }: StoredEvent): string {
  if (data.kind === 'trigger') return `${data.trigger.kind} (trigger)`;
  if (data.kind === 'done' || data.kind === 'failed') return `${data.effectKind} ${data.kind}`;
  return data.kind === 'timer' ? `timer ${data.timer}` : data.kind;
}

function render({ run, key, steps, sameState, isSame }: Replay, io: Io): string {
  const paint = createPaint(io);
  const lines = steps.flatMap((step, at) => [
    `${String(at + 1).padStart(3)}  ${step.at.slice(0, 19).replace('T', ' ')}  ${paint.bold(step.what)}`,
    ...(step.ignored === undefined ? [] : [`     ${paint.dim(`nothing to do: ${step.ignored}`)}`]),
    ...step.effects.map((id) => `     → ${withoutRun(id)}`),
    ...step.events.map((what) => `     → ${withoutRun(what)}`),
    ...step.differences.map((what) => `     ${paint.red('≠')} ${withoutRun(what)}`),
  ]);
  const state =
    sameState === undefined
      ? 'Events are waiting: the state was not compared.'
      : `The state is ${sameState ? 'the same' : paint.red('not the same')}.`;
  const result = isSame
    ? paint.green('Reduced again, everything is as it was recorded.')
    : paint.red('Reduced again, something is not as it was recorded.');
  return `run ${run} of ${key}: ${counted(steps.length, 'event')}\n\n${lines.join('\n')}\n\n${state} ${result}\n`;
}

/** Ids begin with the run, which is said at the top. */
function withoutRun(text: string): string {
  return text.replace(/\b[0-9A-Z]{26}\//, '');
}
