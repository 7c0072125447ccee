/** Prices and default models, for keys that come without a `models:` section. */
import {
  costUsd,
  NO_USAGE,
  type Price,
  type Rates,
  type Usage,
} from '../../../domain/run/ledger.ts';
import type { ModelAlias, PoolModel } from '../../../domain/config/config-limits.ts';
import type { ModelEntry } from '../../../domain/run/model-pool.ts';
import type { ModelRequest } from '../../../ports/model.ts';

/*
 * US dollars for a million tokens, as published on 2026-10-27:
 * platform.claude.com/docs/en/about-claude/pricing and developers.openai.com/api/docs/pricing.
 * `price:` of an entry wins over this table. A model that is not in it has an unknown price.
 */
const CLAUDE: Readonly<Record<string, Price>> = {
  'claude-haiku-5-5': {
    ...toRates([0.1, 0.5, 0.125, 0.01]),
    longPrompt: { overTokens: 100_000, ...toRates([0.5, 2.5, 0.625, 0.05]) },
  },
  'claude-haiku-4-5': toRates([1, 5, 1.25, 0.1]),
  'claude-sonnet-5-5': toRates([2, 10, 2.5, 0.1]),
  'claude-sonnet-5': toRates([2, 10, 2.5, 0.2]),
  'claude-opus-5-5': toRates([4, 20, 5, 0.2]),
  'claude-opus-5': toRates([5, 25, 6.25, 0.5]),
};

const GPT: Readonly<Record<string, Price>> = {
  'gpt-6-luna': toGptPrice([0.1, 0.5, 0.125, 0.01]),
  'gpt-6.1-terra': toGptPrice([1, 5, 1.25, 0.05]),
  'gpt-6-sol': toGptPrice([2, 10, 2.5, 0.2]),
};

function toRates(figures: readonly [number, number, number, number]): Rates {
  const [input, output, cacheWrite, cacheRead] = figures;
  return { input, output, cacheWrite, cacheRead };
}

/** Above 272,000 tokens of prompt a GPT-6 call costs twice as much for input and half as much again for output. */
function toGptPrice(figures: readonly [number, number, number, number]): Price {
  const [input, output, cacheWrite, cacheRead] = figures;
  const long = toRates([input * 2, output * 1.5, cacheWrite * 2, cacheRead * 2]);
  return { ...toRates(figures), longPrompt: { overTokens: 272_000, ...long } };
}

/** What a cache write costs against plain input, at both providers. */
const DEAREST_WRITE = 1.25;

/** The entry's own price, else the published one of its provider, else unknown. */
export function findPrice(
  entry: Pick<ModelEntry, 'provider' | 'model' | 'price'>,
): Price | undefined {
  if (entry.price !== undefined) return completePrice(entry.price);
  if (entry.provider === 'offline') return toRates([0, 0, 0, 0]);
  if (entry.provider === 'anthropic') return CLAUDE[entry.model ?? ''];
  if (entry.provider === 'openai') return GPT[entry.model ?? ''];
  // A server elsewhere has prices of its own, even for a model of the same name.
  return undefined;
}

/** Cache prices that are left out are taken at their dearest, so that a cap is rather met early than passed. */
function completePrice(price: NonNullable<PoolModel['price']>): Price | undefined {
  const { input, output } = price;
  if (input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    cacheWrite: price.cacheWrite ?? input * DEAREST_WRITE,
    cacheRead: price.cacheRead ?? input,
  };
}

/** English takes about four characters a token, code about three; estimates take the dearer. */
const CHARS_A_TOKEN = 3;

/**
 * The most that a request is likely to cost: every output token is used. Nothing is read from a cache, unless what
 * others share with it is known to be cached already.
 */
export function estimateUsd(
  request: ModelRequest,
  price: Price | undefined,
  known: { isCached: boolean } = { isCached: false },
): number | undefined {
  return costUsd({ ...usageOf(request, known), outputTokens: request.maxOutputTokens }, price);
}

/** An answer of some 120 words with a few findings, as JSON. */
const ANSWER_TOKENS = 600;

/**
 * What the requests of one run are likely to cost together. Each reads from the cache what an earlier one of the same
 * model left there. Undefined when a price is unknown.
 */
export function expectUsd(
  requests: readonly ModelRequest[],
  memberOf: (request: ModelRequest) => { name: string; price: Price | undefined } | undefined,
): number | undefined {
  const cached = new Set<string>();
  let sum = 0;
  for (const request of requests) {
    const member = memberOf(request);
    const key = JSON.stringify([member?.name, request.output, prefixOf(request)]);
    const usage = {
      ...usageOf(request, { isCached: cached.has(key) }),
      outputTokens: ANSWER_TOKENS,
    };
    const usd = costUsd(usage, member?.price);
    if (usd === undefined) return undefined;
    cached.add(key);
    sum += usd;
  }
  return sum;
}

function usageOf(request: ModelRequest, { isCached }: { isCached: boolean }): Usage {
  const { system, messages } = request;
  const prefix = prefixOf(request);
  const shared = prefix.length === 0 ? 0 : tokensIn(request, prefix);
  const inputTokens = tokensIn(request, [...system, ...messages]) - shared;
  const kept = isCached ? { cacheReadTokens: shared } : { cacheWriteTokens: shared };
  return { ...NO_USAGE, inputTokens, ...kept };
}

/** What comes before the last mark of what is shared. */
function prefixOf({ system }: ModelRequest): ModelRequest['system'] {
  return system.slice(0, system.findLastIndex(({ cache }) => cache === true) + 1);
}

function tokensIn({ tools, output }: ModelRequest, parts: readonly unknown[]): number {
  const prompt = JSON.stringify([parts, tools ?? [], output ?? null]);
  return Math.ceil(prompt.length / CHARS_A_TOKEN);
}

/** One figure to compare models by: a million tokens in and a quarter of it out, as a review uses them. */
export function comparablePrice(price: Price | undefined): number {
  return price === undefined ? Number.POSITIVE_INFINITY : price.input + price.output / 4;
}

export interface BuiltIn {
  entries: Readonly<Record<string, ModelEntry>>;
  aliases: { [A in ModelAlias]?: string };
}

/** What a key alone gives, by the environment variable that holds it; the first key found names the aliases. */
export const BUILT_IN: readonly { env: string; baseUrlEnv: string; gives: BuiltIn }[] = [
  {
    env: 'ANTHROPIC_API_KEY',
    baseUrlEnv: 'ANTHROPIC_BASE_URL',
    gives: {
      entries: {
        haiku: { provider: 'anthropic', model: 'claude-haiku-5-5', label: 'Claude Haiku 5.5' },
        sonnet: {
          provider: 'anthropic',
          model: 'claude-sonnet-5-5',
          label: 'Claude Sonnet 5.5',
          effort: 'medium',
        },
        opus: { provider: 'anthropic', model: 'claude-opus-5-5', label: 'Claude Opus 5.5' },
      },
      aliases: { cheap: 'haiku', standard: 'sonnet', strong: 'opus', memoryExtraction: 'haiku' },
    },
  },
  {
    env: 'OPENAI_API_KEY',
    baseUrlEnv: 'OPENAI_BASE_URL',
    gives: {
      entries: {
        luna: { provider: 'openai', model: 'gpt-6-luna', label: 'GPT-6 Luna' },
        terra: { provider: 'openai', model: 'gpt-6.1-terra', label: 'GPT-6.1 Terra' },
        sol: { provider: 'openai', model: 'gpt-6-sol', label: 'GPT-6 Sol' },
      },
      aliases: { cheap: 'luna', standard: 'terra', strong: 'sol', memoryExtraction: 'luna' },
    },
  },
];
