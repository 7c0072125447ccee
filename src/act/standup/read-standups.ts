/** Reads what the store keeps of standups: insights with what became of them, and the trends of a repository. */
import { healthOf, type StandupHealth } from '../../domain/standup/health.ts';
import { toListedInsight, type ListedInsight } from '../../domain/standup/listed-insight.ts';
import { recallInsights, type Recalled } from '../../domain/standup/past-insights.ts';
import { findThemes, type Theme } from '../../domain/standup/trends.ts';
import type { KeptInsight } from '../../domain/standup/kept-standup.ts';
import { toListedTension, type ListedTension } from '../../domain/tension/listed-tension.ts';
import type { TensionBook, TensionState } from '../../domain/tension/tension.ts';
import type { InsightFilter, StandupStore } from '../../ports/standup-store.ts';
import { readValue } from './change-value.ts';

/** What only reads standups. */
export type StandupReads = Pick<StandupStore, 'standups' | 'insights' | 'load'>;

export interface ListedPage {
  insights: ListedInsight[];
  total: number;
  noTension: number;
  /** Position of the next page; absent on the last one. */
  next?: number;
}

/** Clusters are found among so many of the newest insights: older ones say little about today. */
const MAX_CLUSTERED = 500;
const MAX_RUNS = 200;

/** A page of insights, newest first. */
export async function listInsights(
  store: StandupReads,
  filter: InsightFilter,
): Promise<ListedPage> {
  const { insights, ...page } = await store.insights(filter);
  const books = await readBooks(store, insights);
  return { ...page, insights: insights.map((insight) => toListedInsight(insight, books)) };
}

async function readBooks(
  store: StandupReads,
  insights: readonly KeptInsight[],
): Promise<Map<number, TensionBook>> {
  const ids = [...new Set(insights.map(({ repository }) => repository))];
  const books = await Promise.all(
    ids.map(async (id) => [id, await readValue(store, id, 'tensions')] as const),
  );
  return new Map(books);
}

/** Themes and figures of one repository. */
export interface Trends {
  themes: Theme[];
  health: StandupHealth;
}

/** Past insights for planning: actionable ones that are alike or recent, those of themes that return first (LS-9). */
export async function recallForPlan(
  store: StandupReads,
  { repository, wish, now }: { repository: number; wish: string; now: number },
): Promise<Recalled[]> {
  const of = { repositories: [repository] };
  const { insights } = await store.insights({ ...of, limit: MAX_CLUSTERED });
  if (insights.length === 0) return [];
  const runs = await store.standups({ ...of, limit: MAX_RUNS });
  const { tensions } = await readValue(store, repository, 'tensions');
  const over = tensions.filter(({ state }) => state === 'rejected' || state === 'closed');
  const settled = new Set(over.flatMap((each) => each.insights));
  const closed = over.filter(({ state }) => state === 'closed').flatMap((each) => each.insights);
  const themes = findThemes({ insights, runs, closed: new Set(closed) });
  const open = insights.filter(({ id }) => !settled.has(id));
  return recallInsights(open, { wish, themes, now });
}

/** A page of the repository's tensions, the newest first. */
export interface TensionPage {
  tensions: ListedTension[];
  /** Of this state, on all pages. */
  total: number;
  /** The next page begins below this number; absent on the last one. */
  next?: number;
}

export async function readTensionPage(
  store: StandupReads,
  {
    repository,
    state,
    before,
    limit,
  }: {
    repository: number;
    state: TensionState | undefined;
    /** Only those with a lower number. */
    before: number | undefined;
    limit: number;
  },
): Promise<TensionPage> {
  const { tensions } = await readValue(store, repository, 'tensions');
  const wanted = tensions
    .filter((each) => state === undefined || each.state === state)
    .toSorted((a, b) => b.number - a.number);
  const rest = wanted.filter(({ number }) => before === undefined || number < before);
  const shown = rest.slice(0, limit);
  const last = shown.at(-1);
  return {
    tensions: shown.map(toListedTension),
    total: wanted.length,
    ...(last !== undefined && rest.length > limit && { next: last.number }),
  };
}

/** Of what was said in the newest standups of a repository. */
export async function readTrends(store: StandupReads, repository: number): Promise<Trends> {
  const of = { repositories: [repository] };
  const { insights } = await store.insights({ ...of, limit: MAX_CLUSTERED });
  const standups = (await store.standups({ ...of, limit: MAX_RUNS })).toReversed();
  const book = await readValue(store, repository, 'tensions');
  const closed = new Set(
    book.tensions.filter(({ state }) => state === 'closed').flatMap((each) => each.insights),
  );
  return {
    themes: findThemes({ insights, runs: standups, closed }),
    health: healthOf({
      insights,
      book,
      thumbs: {
        up: sum(standups.map(({ thumbs }) => thumbs.up)),
        down: sum(standups.map(({ thumbs }) => thumbs.down)),
      },
      invented: sum(standups.map(({ invented }) => invented)),
      skipped: sum(standups.map(({ skipped }) => skipped)),
      runs: standups,
    }),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
