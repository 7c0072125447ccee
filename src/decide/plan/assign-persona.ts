/** Which persona works on a task, and why. */
import type { PlanTask } from '../../domain/plan/plan.ts';
import { scoreDomains, scoreRelevance } from '../../domain/persona/relevance.ts';
import { resolvePersona } from '../../domain/persona/roster.ts';
import type { Persona } from '../../domain/persona/persona.ts';

export interface Assignment {
  /** Handle. */
  persona: string;
  /** For people. */
  why: string;
}

/** The PM plans, and who works with pictures writes no code. */
export function canCode({ handle, model }: Pick<Persona, 'handle' | 'model'>): boolean {
  return handle !== 'pm' && model !== 'image';
}

const MAX_WORDS = 3;

/**
 * Of those who are free: whose domain fits better than the implementer's, else the implementer, else the first of the
 * team. Undefined where nobody is free.
 */
export function assignPersona(free: readonly Persona[], task: PlanTask): Assignment | undefined {
  const topic = {
    text: `${task.title}\n${task.description}`,
    paths: task.files.map(({ path }) => path),
  };
  const implementer = resolvePersona(free, 'implementer');
  const [first] = implementer === undefined ? free : [implementer];
  if (first === undefined) return undefined;
  const least = scoreRelevance(first, topic);
  const ranked = free
    .map((persona) => ({ persona, score: scoreRelevance(persona, topic) }))
    .filter(({ score }) => score > least)
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0]?.persona;
  if (best === undefined) return { persona: first.handle, why: byDefault(first, implementer) };
  const words = scoreDomains(best, topic)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_WORDS)
    .map(({ domain }) => domain);
  return { persona: best.handle, why: `the task mentions ${words.join(', ')}` };
}

function byDefault(persona: Persona, implementer: Persona | undefined): string {
  return persona === implementer
    ? 'the implementer does what no other domain fits better'
    : 'the first of the team who is free';
}
