/** Recorded events of a thread, a plan and a task, as the store gives them. */
import type { EffectData } from '../../src/domain/event/effect.ts';
import { EVENT_VERSION, type EventData } from '../../src/domain/event/event.ts';
import type { EffectResults } from '../../src/domain/event/result.ts';
import type { LedgerEntry } from '../../src/domain/run/ledger.ts';
import type { RecordedStream, ThreadRecord } from '../../src/record/thread-record.ts';
import { projectJournal } from '../../src/record/journal/project-journal.ts';
import { renderJournal } from '../../src/record/journal/render-journal.ts';

export const THREAD_KEY = 'thread:7/12';
export const TASK_KEY = 'task:7/12-1';
export const RUN = '01KJQ0000000000000000000AB';
export const ANA = { id: 1, login: 'ana', isBot: false };
const START = Date.parse('2026-03-02T09:00:00.000Z');

export const THREAD = {
  installationId: 1,
  repositoryId: 7,
  owner: 'acme',
  repo: 'shop',
  number: 12,
};

/** One stream; its events happen a minute after each other, from the given position in the log on. */
export function aStream(
  key: string,
  events: readonly EventData[],
  more: Partial<RecordedStream> & { from?: number } = {},
): RecordedStream {
  const { from = 1, ...over } = more;
  return {
    key,
    events: events.map((data, n) => ({
      id: `${key}-${n}`,
      key,
      version: EVENT_VERSION,
      at: new Date(START + (from + n - 1) * 60_000).toISOString(),
      seq: from + n,
      data,
    })),
    effects: [],
    calls: [],
    switches: [],
    ...over,
  };
}

export function aRecord(...streams: readonly RecordedStream[]): ThreadRecord {
  return { key: THREAD_KEY, streams };
}

/** Of the events of the thread alone. */
export function journalOf(
  events: readonly EventData[],
  more: Partial<RecordedStream> = {},
): string {
  return renderJournal(projectJournal(aRecord(aStream(THREAD_KEY, [OPENED, ...events], more))));
}

export const OPENED: EventData = {
  kind: 'trigger',
  trigger: { kind: 'opened', thread: THREAD, actor: ANA, labels: [] },
};

/** The result of an effect, as far as a journal reads it. */
export function done(
  effectKind: keyof EffectResults,
  result: unknown,
  effectId = `${RUN}/1-${effectKind}`,
): EventData {
  return { kind: 'done', effectKind, result, effectId, run: RUN } as EventData;
}

export function anEffect(id: string, data: unknown) {
  return { id, run: RUN, data: data as EffectData };
}

/** A comment that was read; a delivery told of it before. */
export function said(body: string, more: { id?: number; isBot?: boolean; plan?: string } = {}) {
  const { id = 100, isBot = false, plan } = more;
  const actor = { ...ANA, isBot };
  const address = {
    place: 'thread',
    updatedAt: '2026-03-02T09:00:00Z',
    digest: 'd',
    isOnlyCommands: false,
    ...(plan === undefined ? {} : { planDigest: plan }),
  } as const;
  const trigger = {
    kind: 'commented',
    thread: THREAD,
    actor,
    commentId: id,
    isByBot: isBot,
    address,
  } as const;
  const view = {
    repository: { fullName: 'acme/shop' },
    issue: { number: 12, title: 'Sorted rows', body: 'Please sort.', author: ANA, isPull: false },
    comment: { id, author: actor, body, createdAt: '2026-03-02T09:00:00Z' },
  };
  return [
    { kind: 'trigger', trigger },
    done('look-comment', { kind: 'read', view }),
  ] satisfies EventData[];
}

export function go(task = 1): EventData {
  const ref = { plan: THREAD, task };
  const order = { ref, title: 'Sort rows', digest: 't', approvedBy: { id: 1, login: 'ana' } };
  return { kind: 'task-go', run: RUN, order: { ...order, persona: 'priya' } } as EventData;
}

export function aCall(more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: 'c1',
    at: '2026-03-02T09:00:00.000Z',
    repositoryId: 7,
    key: THREAD_KEY,
    run: RUN,
    role: 'contributor',
    persona: 'maya',
    provider: 'anthropic',
    pool: 'standard',
    model: 'claude-x',
    usage: { inputTokens: 1000, outputTokens: 200, cacheReadTokens: 500, cacheWriteTokens: 0 },
    costUsd: 0.02,
    latencyMs: 5,
    outcome: 'ok',
    retries: 0,
    ...more,
  };
}
