/** Words of the model pool: its entries, the model that is always there, and which model a question goes to. */
import { ModelAlias, type PoolModel } from '../config/config-limits.ts';
import type { Persona } from '../persona/persona.ts';

/** One model of the pool: as `models:` in the configuration names it, and finer settings for hosts. */
export interface ModelEntry extends PoolModel {
  /** Calls at the same time, for all models at this endpoint and key. */
  concurrency?: number | undefined;
  /** How to ask for JSON: servers without JSON Schema want `json_object`. */
  structured?: 'json_schema' | 'json_object' | undefined;
  /** How hard the model thinks; the provider's default when absent. */
  effort?: 'low' | 'medium' | 'high' | undefined;
}

/** Name of the model that is always there. */
export const OFFLINE = 'offline';

/** Aliases of models that write text, cheapest first; the others make images, sound or vectors. */
export const TIERS: readonly ModelAlias[] = ['cheap', 'standard', 'strong'];

/** Whether the model behind an alias can answer a question. */
export function isForText(alias: ModelAlias): boolean {
  return alias === 'memoryExtraction' || TIERS.includes(alias);
}

/** Where a choice of model came from, strongest first (NW-16). */
export const MODEL_SOURCES = [
  'persona',
  'thread',
  'repository',
  'organisation',
  'environment',
] as const;
export type ModelSource = (typeof MODEL_SOURCES)[number];

export type ModelChoices = { [S in ModelSource]?: string | undefined };

/** The model to ask, and whose choice it was. */
export interface ResolvedModel {
  name: string;
  source: ModelSource | typeof OFFLINE;
}

/** Takes the strongest choice that the pool knows; `offline` when it knows none. */
export function resolveModel(
  choices: ModelChoices,
  isKnown: (name: string) => boolean,
): ResolvedModel {
  for (const source of MODEL_SOURCES) {
    const name = choices[source];
    if (name !== undefined && isKnown(name)) return { name, source };
  }
  return { name: OFFLINE, source: OFFLINE };
}

/** What a persona's question asks of the pool. */
export interface ModelWish {
  model: string;
  /** The alias that answers where the pool has no such model. */
  tier: ModelAlias;
}

/** What was chosen for a thread, and what its repository makes of each alias. */
export interface ModelSettings {
  aliases: Readonly<Partial<Record<string, string>>>;
  /** A name or alias; undefined when nobody chose one for the thread. */
  thread: string | undefined;
}

/**
 * NW-16, as far as a repository and a thread decide it. A persona that names an alias has a tier and no model of its
 * own. The alias of a model that makes pictures or sound is no tier, since a question is answered in words.
 */
export function wishFor(
  { model, tier: own = 'standard' }: Pick<Persona, 'model' | 'tier'>,
  { aliases, thread }: ModelSettings,
): ModelWish & ResolvedModel {
  const alias = ModelAlias.safeParse(model);
  const asked = ModelAlias.safeParse(thread);
  const persona = typeof model === 'string' ? model : `${model.provider}/${model.model}`;
  const tier = alias.success && isForText(alias.data) ? alias.data : own;
  const choices: ModelChoices = {
    persona: alias.success ? undefined : persona,
    thread: thread === undefined ? undefined : (aliases[thread] ?? thread),
    repository: aliases[tier],
    environment: tier,
  };
  const found = resolveModel(choices, () => true);
  const isAsked = found.source === 'thread' && asked.success;
  return { ...found, model: found.name, tier: isAsked ? asked.data : tier };
}
