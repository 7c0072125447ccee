/** Whether two tensions are the same matter: they cite a common file, and their words are alike. */
import type { Insight } from '../standup/insight.ts';
import { corpusOf, cosine, vectorOf } from './tf-idf.ts';

type Matter = Pick<Insight, 'message' | 'refs' | 'type'>;

/** Where both cite a common file, and where neither cites any: then only words can tell, and more of them have to. */
export const SAME_ABOVE = 0.35;
export const SAME_WITHOUT_FILES_ABOVE = 0.6;

/** Of those about the same matter, the most alike; undefined when nothing matches. */
export function findSame<T extends Matter>(insight: Matter, among: readonly T[]): T | undefined {
  if (among.length === 0) return undefined;
  const corpus = corpusOf([insight, ...among].map(({ message }) => message));
  const wanted = vectorOf(insight.message, corpus);
  let best: { matter: T; score: number } | undefined;
  for (const matter of among) {
    const least = leastFor(insight, matter);
    if (least === undefined) continue;
    const score = cosine(wanted, vectorOf(matter.message, corpus));
    if (score >= least && score > (best?.score ?? 0)) best = { matter, score };
  }
  return best?.matter;
}

function leastFor(a: Matter, b: Matter): number | undefined {
  const [ours, theirs] = [a, b].map(({ refs }) => new Set(refs.map(({ path }) => path)));
  if (ours === undefined || theirs === undefined) return undefined;
  if (ours.size === 0 && theirs.size === 0)
    return a.type === b.type ? SAME_WITHOUT_FILES_ABOVE : undefined;
  return [...ours].some((path) => theirs.has(path)) ? SAME_ABOVE : undefined;
}
