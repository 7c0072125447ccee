/** How rows of the tables, which both stores share in shape, become the words of the port. */
import type { Effect, EffectData } from '../../domain/event/effect.ts';
import type { Event, EventData, EventStatus, NewEvent } from '../../domain/event/event.ts';
import type { CallCounts, LedgerEntry } from '../../domain/run/ledger.ts';
import type { Suspicion } from '../../domain/event/suspicion.ts';
import { installationOf, NO_INSTALLATION } from '../../domain/tenant/tenant.ts';
import type {
  Records,
  EffectStatus,
  SpendLimit,
  Spender,
  StoreCounts,
  StoredEffect,
  StoredEvent,
  Waits,
} from '../../ports/store.ts';
import { number, numberOrNone, text, textOrNone, timeOrNone, word, type Row } from './row.ts';

const EVENT_STATUSES: readonly EventStatus[] = ['pending', 'done', 'ignored', 'parked', 'dead'];
const EFFECT_STATUSES: readonly EffectStatus[] = [
  'pending',
  'done',
  'superseded',
  'refused',
  'dead',
];

export function toEvent(row: Row): Event {
  const data: EventData = JSON.parse(text(row, 'data'));
  return {
    id: text(row, 'id'),
    key: text(row, 'key'),
    version: number(row, 'version'),
    at: text(row, 'at'),
    data,
  };
}

export function toStoredEvent(row: Row): StoredEvent {
  return {
    ...toEvent(row),
    status: word(row, 'status', EVENT_STATUSES),
    reason: textOrNone(row, 'reason'),
    attempts: number(row, 'attempts'),
    seq: numberOrNone(row, 'seq') ?? 0,
    settledAt: timeOrNone(row, 'settled_at'),
  };
}

/**
 * Whether the effect's result is reported has no column: it is kept beside the data, where older workers overlook it.
 */
type KeptData = EffectData & { isUnheard?: true };

export function toEffect(row: Row): Effect {
  const { isUnheard, ...data }: KeptData = JSON.parse(text(row, 'data'));
  const lane = textOrNone(row, 'lane');
  const slot = textOrNone(row, 'slot');
  return {
    id: text(row, 'id'),
    key: text(row, 'key'),
    run: text(row, 'run'),
    at: text(row, 'at'),
    ...(lane === undefined ? {} : { lane }),
    ...(slot === undefined ? {} : { slot }),
    ...(isUnheard === true && { isUnheard }),
    data,
  };
}

/** What an effect waits for, where a retry said so. */
export function waitsOf(row: Row): { waits?: Waits } {
  const kept = textOrNone(row, 'waits');
  if (kept === undefined) return {};
  const waits: Waits = JSON.parse(kept);
  return { waits };
}

/** What is known of a suspect; undefined for any other row. */
export function suspicionOf(row: Row): Suspicion | undefined {
  const kept = textOrNone(row, 'suspicion');
  if (kept === undefined) return undefined;
  const suspicion: Suspicion = JSON.parse(kept);
  return suspicion;
}

/** The installation that a row belongs to; rows of before this was kept share one group. */
export function installationIn(row: Row): number {
  return numberOrNone(row, 'installation') ?? NO_INSTALLATION;
}

/** The attempt that a row is in, once it was given out. */
export function attemptOf(row: Row): number {
  return number(row, 'attempts') - number(row, 'interruptions');
}

/** Why a waiting effect may have been begun, where its attempts do not tell. */
export const PUT_BACK = 'put back';
export const FROM_BEFORE = 'waited while the store was closed';

/** Claimed for the first time: releasing or requeuing an item leaves a reason. `taken` counts this claim. */
export function isFirstTime(row: Row, taken: 0 | 1): boolean {
  return number(row, 'attempts') === taken && textOrNone(row, 'reason') === undefined;
}

export function toLedgerEntry(row: Row): LedgerEntry {
  const entry: LedgerEntry = JSON.parse(text(row, 'entry'));
  return entry;
}

export function toStoredEffect(row: Row): StoredEffect {
  const githubCalls: CallCounts = JSON.parse(text(row, 'github_calls'));
  return {
    ...toEffect(row),
    status: word(row, 'status', EFFECT_STATUSES),
    reason: textOrNone(row, 'reason'),
    attempts: number(row, 'attempts'),
    githubCalls,
    createdAt: new Date(number(row, 'created_at')).toISOString(),
    settledAt: timeOrNone(row, 'settled_at'),
  };
}

/** How a new event enters the log. */
export interface Admission {
  /** Why it is kept without being reduced; null when it is to be reduced. */
  ignored: string | null;
  /** Milliseconds since the epoch. */
  runAt: number;
  /** Waits for its time before it joins its lane. */
  isTimer: boolean;
  dedupKey: string | null;
}

/** Decides how an event enters: `twin` is the id of another event with its dedup key. */
export function admit(event: NewEvent, twin: string | undefined, now: number): Admission {
  const ignored = twin === undefined ? event.ignoredReason : `duplicate of ${twin}`;
  if (ignored !== undefined)
    return { ignored: toReason(ignored), runAt: now, isTimer: false, dedupKey: null };
  const delayMs = Math.max(0, Math.ceil(event.delayMs ?? 0));
  const dedupKey = event.dedupKey ?? null;
  return { ignored: null, runAt: now + delayMs, isTimer: delayMs > 0, dedupKey };
}

type EventColumns = [string, string, string | null, number, string, string, number];

/**
 * id, key, run, version, at, data and installation of an event, in column order.
 *
 * @param from - the installation of the work that it follows from
 */
export function eventColumns(event: NewEvent, from = NO_INSTALLATION): EventColumns {
  const { id, key, version, at, data } = event;
  const run = 'run' in data ? data.run : null;
  return [id, key, run, version, at, JSON.stringify(data), installationOf(data) ?? from];
}

type EffectColumns = [string, string, string, string, string | null, string | null, string, number];

/** id, key, run, at, lane, slot, data and installation of an effect, in the order of both tables; `from` as for events. */
export function effectColumns(effect: Effect, from = NO_INSTALLATION): EffectColumns {
  const { id, key, run, at, lane, slot, isUnheard, data } = effect;
  const installation = installationOf(data) ?? from;
  const kept: KeptData = isUnheard === true ? { ...data, isUnheard } : data;
  return [id, key, run, at, lane ?? null, slot ?? null, JSON.stringify(kept), installation];
}

/** A reason as text columns can hold it: PostgreSQL refuses NUL. */
export function toReason(reason: string | undefined): string | null {
  return reason === undefined ? null : reason.replaceAll('\u0000', '\uFFFD');
}

/** Ledger times are compared as text, so every one is brought to the same form. */
export function toUtc(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : new Date(ms).toISOString();
}

type LedgerColumns = [string, string, number | null, number, string, string, number | null, string];

/** The columns of {@link LEDGER_COLUMNS}, in their order. */
export function ledgerColumns(entry: LedgerEntry): LedgerColumns {
  const { id, at, installationId, repositoryId, key, run } = entry;
  const costUsd = toCost(entry.costUsd);
  return [
    id,
    toUtc(at),
    installationId ?? null,
    repositoryId,
    key,
    run,
    costUsd ?? null,
    JSON.stringify({ ...entry, costUsd }),
  ];
}

/** One cost that is no amount would break every sum: it is unknown. */
function toCost(usd: number | undefined): number | undefined {
  return usd !== undefined && Number.isFinite(usd) && usd >= 0 ? usd : undefined;
}

export const LEDGER_COLUMNS = 'id, at, installation_id, repository_id, key, run, cost_usd, entry';

/** Counts with a zero for what is not there; rows are those of the totals: `of` (a table), `name` and `value`. */
export function toCounts(totals: Row[], lagMs: number): StoreCounts {
  const counts: StoreCounts = {
    events: { pending: 0, done: 0, ignored: 0, parked: 0, dead: 0 },
    effects: { pending: 0, done: 0, superseded: 0, refused: 0, dead: 0 },
    lagMs,
  };
  for (const row of totals) {
    const of = text(row, 'of');
    if (of === 'events') counts.events[word(row, 'name', EVENT_STATUSES)] = number(row, 'value');
    if (of === 'effects') counts.effects[word(row, 'name', EFFECT_STATUSES)] = number(row, 'value');
  }
  return counts;
}

type Spent = Awaited<ReturnType<Records['spent']>>;

/** What was spent; the row has `usd`, `unknown_calls` and `calls`. */
export function toSpent(row: Row): Spent {
  return {
    usd: number(row, 'usd'),
    unknownCalls: number(row, 'unknown_calls'),
    calls: number(row, 'calls'),
  };
}

/** Whether one of the limits is passed by its sum. */
export function isPassed(limits: readonly SpendLimit[], sums: readonly number[]): boolean {
  return limits.some(({ capUsd }, n) => (sums[n] ?? 0) > capUsd);
}

/** Rows have `id` and `usd`. */
export function toSpender(row: Row): Spender {
  return { id: number(row, 'id'), usd: number(row, 'usd') };
}

/** What the whole ledger holds; rows are those of the totals. */
export function toSpentInAll(totals: Row[]): Spent {
  const ledger = totals.filter((row) => text(row, 'of') === 'ledger');
  const values = new Map(ledger.map((row) => [text(row, 'name'), number(row, 'value')]));
  return {
    usd: values.get('usd') ?? 0,
    unknownCalls: values.get('unpriced') ?? 0,
    calls: values.get('calls') ?? 0,
  };
}

/**
 * Milliseconds after which a state's `saved_at` is moved. The column has an index, so a row is cheaper to write while it
 * stays. States expire after days: an hour more or less does not count.
 */
export const SAVED_AT_STEP_MS = 3_600_000;
