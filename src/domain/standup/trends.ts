/** Themes: what standups say again and again, and whether it was settled (LS-10). */
import { wordsByStem } from '../text/words.ts';
import type { Insight } from './insight.ts';
import { corpusOf, cosine, heaviest, vectorOf, type TermVector } from '../tension/tf-idf.ts';

/** An insight with when it was said. */
export interface DatedInsight extends Pick<Insight, 'id' | 'run' | 'message' | 'type' | 'refs'> {
  /** ISO 8601. */
  at: string;
}

export interface Theme {
  /** What its messages have in common, in their own words. */
  label: string;
  /** Runs in which it was said. */
  count: number;
  /** ISO 8601. */
  firstSeen: string;
  lastSeen: string;
  isResolved: boolean;
  /** Said in three runs, and not resolved: people hear of it in the weekly digest. */
  isRaised: boolean;
  /** Ids, oldest first. */
  insights: string[];
  /** Paths that it is about, most cited first. */
  paths: string[];
}

export interface TrendInput {
  insights: readonly DatedInsight[];
  /** Runs that had a standup: one that a theme is missing from speaks for it. */
  runs: readonly { run: string; at: string }[];
  /** Ids of insights whose tension is closed. */
  closed: ReadonlySet<string>;
}

const SAME_THEME_ABOVE = 0.3;
const RAISED_AT = 3;
const LABEL_WORDS = 4;

interface Cluster {
  members: DatedInsight[];
  vectors: TermVector[];
}

/** Groups insights by their words. The same input gives the same themes, in whatever order it comes. */
export function findThemes({ insights, runs, closed }: TrendInput): Theme[] {
  const ordered = insights
    .filter(({ type }) => type !== 'none')
    .toSorted((a, b) => compare(a.at, b.at) || compare(a.id, b.id));
  const corpus = corpusOf(ordered.map(({ message }) => message));
  const clusters: Cluster[] = [];
  for (const insight of ordered) {
    const vector = vectorOf(insight.message, corpus);
    const nearest = nearestOf(vector, clusters);
    if (nearest === undefined) clusters.push({ members: [insight], vectors: [vector] });
    else {
      nearest.members.push(insight);
      nearest.vectors.push(vector);
    }
  }
  return clusters.map((cluster) => toTheme(cluster, { runs, closed })).toSorted(compareThemes);
}

/** What themes are sorted by. */
export type ThemeOrder = Pick<Theme, 'count' | 'lastSeen' | 'label'>;

/** Seen most often first, of these the latest. */
export function compareThemes(a: ThemeOrder, b: ThemeOrder): number {
  return b.count - a.count || compare(b.lastSeen, a.lastSeen) || compare(a.label, b.label);
}

/** The first message of a cluster says what it is about: it does not drift with each one that joins. */
function nearestOf(vector: TermVector, clusters: readonly Cluster[]): Cluster | undefined {
  let best: { cluster: Cluster; score: number } | undefined;
  for (const cluster of clusters) {
    const [first] = cluster.vectors;
    const score = first === undefined ? 0 : cosine(vector, first);
    if (score >= SAME_THEME_ABOVE && score > (best?.score ?? 0)) best = { cluster, score };
  }
  return best?.cluster;
}

function toTheme(
  { members, vectors }: Cluster,
  { runs, closed }: Pick<TrendInput, 'runs' | 'closed'>,
): Theme {
  const own = new Set(members.map(({ run }) => run));
  const lastSeen = members.at(-1)?.at ?? '';
  const isQuiet = runs.some(({ run, at }) => at > lastSeen && !own.has(run));
  const isResolved = isQuiet && members.some(({ id }) => closed.has(id));
  return {
    label: labelOf(members, vectors),
    count: own.size,
    firstSeen: members[0]?.at ?? '',
    lastSeen,
    isResolved,
    isRaised: own.size >= RAISED_AT && !isResolved,
    insights: members.map(({ id }) => id),
    paths: pathsOf(members),
  };
}

function labelOf(members: readonly DatedInsight[], vectors: readonly TermVector[]): string {
  const sum = new Map<string, number>();
  for (const vector of vectors)
    for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight);
  const words = wordsByStem(members.map(({ message }) => message).join(' '));
  return heaviest(sum, LABEL_WORDS)
    .map((term) => words.get(term) ?? term)
    .join(' ');
}

function pathsOf(members: readonly DatedInsight[]): string[] {
  const paths = Map.groupBy(
    members.flatMap(({ refs }) => refs.map(({ path }) => path)),
    (path) => path,
  );
  return [...paths]
    .toSorted(([one, a], [other, b]) => b.length - a.length || compare(one, other))
    .map(([path]) => path);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
