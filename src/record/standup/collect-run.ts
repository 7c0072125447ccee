/** What the store keeps of a run, put together for a standup (LS-3): nothing is asked of GitHub. */
import type { Event } from '../../domain/event/event.ts';
import type { GateReceipt } from '../../domain/gates/receipt.ts';
import { parsePlan } from '../../domain/plan/body/parse-plan.ts';
import type { PlanView } from '../../domain/plan/plan-view.ts';
import type { LedgerFinding } from '../../domain/review/review.ts';
import { latestSaid, type SaidInRun } from './said-in-run.ts';
import type { ModelCall } from '../../domain/run/ledger.ts';
import { threadKey } from '../../domain/run/thread-ref.ts';
import type { RecordInput, TaskHistory } from '../../domain/standup/look-back/build-record.ts';
import type { StandupSource } from '../../domain/standup/standup-run.ts';
import {
  threadOfPull,
  type TaskChange,
  type TaskNews,
  type TaskStream,
} from '../../domain/task/task.ts';
import { placeOfKey, type RecordedStream, type ThreadRecord } from '../thread-record.ts';

/** What is stored of the streams of a record, by key. */
export type StoredStates = ReadonlyMap<string, unknown>;

export interface CollectedRun {
  input: RecordInput;
  /** The plan as it was read last; absent where the thread has none. */
  view?: PlanView;
  /** Whether a person stopped all that did not come to its end (LS-1). */
  isAborted: boolean;
}

interface StoredThread {
  ledger?: { findings: LedgerFinding[] };
}

/** @param body the thread's own text, where no plan was read */
export function collectRun(
  record: ThreadRecord,
  states: StoredStates,
  { source, body }: { source: StandupSource; body: string },
): CollectedRun {
  const own = record.streams.find(({ key }) => key === record.key);
  const view = own === undefined ? undefined : lastPlanView(own);
  const text = view?.issue.body ?? body;
  const planner = plannerOf(record);
  const histories = own === undefined ? [] : historiesOf(record, states, own);
  const said = latestSaid(record.streams.flatMap(({ key }) => states.get(key) ?? []));
  return {
    input: {
      run: source.run,
      thread: placeOfKey(record.key)?.number ?? 0,
      outcome: source.outcome,
      request: requestOf(record) ?? text,
      ...(view === undefined ? {} : { plan: parsePlan(text) }),
      ...(planner === undefined ? {} : { planner }),
      tasks: histories,
      ...(histories.length === 0 ? { reviews: said.map(toStep) } : {}),
      calls: record.streams
        .filter(({ key }) => !key.startsWith('task:'))
        .flatMap(({ calls }) => [...calls]),
    },
    ...(view === undefined ? {} : { view }),
    isAborted: isAborted(histories),
  };
}

function toStep({ handle, title, result }: SaidInRun) {
  return { title, persona: handle, kind: 'review' as const, result };
}

/** What did not come to its end was stopped by people, all of it. */
function isAborted(histories: readonly TaskHistory[]): boolean {
  const open = histories.filter(({ state }) => state !== 'completed');
  return open.length > 0 && open.every(({ run }) => run.cancelled !== undefined);
}

function lastPlanView({ events }: RecordedStream): PlanView | undefined {
  const seen = events.findLast(
    ({ data }) => data.kind === 'done' && data.effectKind === 'look-plan',
  );
  return seen?.data.kind === 'done' && seen.data.effectKind === 'look-plan'
    ? seen.data.result
    : undefined;
}

/** Who made the plan, where the PM did; a person's plan is no persona's step. */
function plannerOf({ streams }: ThreadRecord): string | undefined {
  for (const { effects } of streams.toReversed()) {
    const asked = effects.findLast(({ data }) => data.kind === 'propose');
    if (asked?.data.kind === 'propose') return asked.data.brief.persona.handle;
  }
  return undefined;
}

/** The words that a plan was made of, where it was made of any. */
function requestOf({ streams }: ThreadRecord): string | undefined {
  for (const { effects } of streams) {
    const asked = effects.find(({ data }) => data.kind === 'propose');
    if (asked?.data.kind !== 'propose') continue;
    const { title = '', body = '' } = asked.data.brief.plan ?? {};
    return `${title}\n\n${body}`.trim();
  }
  return undefined;
}

function historiesOf(
  record: ThreadRecord,
  states: StoredStates,
  plan: RecordedStream,
): TaskHistory[] {
  const news = latestNews(plan.events);
  return record.streams.flatMap((stream): TaskHistory[] => {
    const place = placeOfKey(stream.key);
    const run = taskStream(states.get(stream.key))?.run;
    const told = place?.task === undefined ? undefined : news.get(place.task);
    if (run === undefined || told === undefined) return [];
    const findings = findingsOf(run, states);
    return [
      {
        run,
        state: told.state,
        receipts: receiptsIn(stream.events),
        changes: changesIn(stream),
        calls: callsBefore(stream.events, run.id),
        ...(findings === undefined ? {} : { findings }),
        notes: notesIn(stream.events),
        ...(told.state === 'completed' || told.state === 'blocked' || told.state === 'failed'
          ? { endedAt: told.at }
          : {}),
      },
    ];
  });
}

function latestNews(events: readonly Event[]): Map<number, TaskNews> {
  return new Map(
    events.flatMap(({ data }) =>
      data.kind === 'task-told' ? [[data.news.task, data.news] as const] : [],
    ),
  );
}

/** A state of another version is left alone, as by everybody. */
function taskStream(state: unknown): TaskStream | undefined {
  return isTaskStream(state) ? state : undefined;
}

function findingsOf(
  { order, pull }: NonNullable<TaskStream['run']>,
  states: StoredStates,
): LedgerFinding[] | undefined {
  if (pull === undefined) return undefined;
  const state = states.get(threadKey(threadOfPull(order.ref.plan, pull)));
  return isStoredThread(state) ? state.ledger?.findings : undefined;
}

function isTaskStream(state: unknown): state is TaskStream {
  return isVersioned(state);
}

function isStoredThread(state: unknown): state is StoredThread {
  return isVersioned(state);
}

function isVersioned(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'v' in state && state.v === 1;
}

/** All that gates said, in every attempt. */
function receiptsIn(events: readonly Event[]): GateReceipt[] {
  return events.flatMap(({ data }): GateReceipt[] => {
    if (data.kind !== 'done') return [];
    if (data.effectKind === 'verify' || data.effectKind === 'publish') return data.result.receipts;
    return data.effectKind === 'retest' && data.result.outcome === 'tested'
      ? [data.result.receipt]
      : [];
  });
}

/** What went to the gates, each change once. */
function changesIn({ effects }: RecordedStream): TaskChange[] {
  const all = effects.flatMap(({ data }) => (data.kind === 'verify' ? [data.commit.change] : []));
  return [...new Map(all.map((change) => [`${change.from}\n${change.patch}`, change])).values()];
}

/** Of earlier attempts: what the last one spent, its own record has. */
function callsBefore(events: readonly Event[], run: string): ModelCall[] {
  return events.flatMap(({ data }) =>
    data.kind === 'done' && data.effectKind === 'code' && data.run !== run
      ? data.result.report.calls
      : [],
  );
}

function notesIn(events: readonly Event[]): string[] {
  return events.flatMap(({ data }) =>
    data.kind === 'done' && data.effectKind === 'code' ? data.result.report.notes : [],
  );
}
