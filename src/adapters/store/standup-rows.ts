/** How standups are kept, alike in both stores. */
import { INSIGHT_TYPES, type Insight } from '../../domain/standup/insight.ts';
import type { KeptInsight, KeptStandup, StandupEntry } from '../../domain/standup/kept-standup.ts';
import type { InsightFilter, InsightPage } from '../../ports/standup-store.ts';
import type { StandupText } from './kept-rows.ts';
import { number, plain, requireRepository, text, word, type Row } from './row.ts';

/** A standup's own columns. `data` is its entry as JSON, without what people thought of it. */
export function toStandupRow(standup: KeptStandup): {
  repository: number;
  name: string;
  run: string;
  thread: number | null;
  at: string;
  data: string;
} {
  requireRepository(standup.repository);
  const { insights: _, ...entry } = standup;
  const { repository, name, run, thread, at } = entry;
  return {
    repository,
    name: plain(name.toLowerCase()),
    run: plain(run),
    thread: thread ?? null,
    at,
    data: JSON.stringify(entry),
  };
}

export function toEntry(row: Row): StandupEntry {
  const entry: Omit<StandupEntry, 'thumbs'> = JSON.parse(text(row, 'data'));
  return { ...entry, thumbs: { up: number(row, 'up'), down: number(row, 'down') } };
}

/** Costs that are unknown are left out of the JSON, and stay unknown. */
export function toInsight(row: Row): KeptInsight {
  const insight: Insight = JSON.parse(text(row, 'data'));
  return {
    ...insight,
    costUsd: insight.costUsd,
    type: word(row, 'type', INSIGHT_TYPES),
    repository: number(row, 'repository'),
    at: text(row, 'at'),
  };
}

/** One row more than the limit tells whether there is another page. */
export function toPage(
  rows: readonly Row[],
  { limit }: InsightFilter,
  counts: { total: number; noTension: number },
): InsightPage {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    insights: shown.map(toInsight),
    ...counts,
    ...(last !== undefined && rows.length > limit && { next: number(last, 'ord') }),
  };
}

/** A row of what was said, as an erasure reads it. */
export function toSaid(table: 'standups' | 'insights', row: Row): StandupText {
  return { table, ord: number(row, 'ord'), read: text(row, 'data') };
}

/** A value that a repository keeps, as an erasure reads it. */
export function toValue(row: Row): StandupText {
  return {
    table: 'repository_values',
    repository: number(row, 'repository'),
    name: text(row, 'name'),
    read: text(row, 'value'),
  };
}
