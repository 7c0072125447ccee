/** Builds what a host needs from its environment to do work: models and GitHub. */
import { createGitHub } from '../adapters/github/create-github.ts';
import { DEFAULT_BUDGETS, type GitHubBudgets } from '../adapters/github/client/github-options.ts';
import { createOfflineModel } from '../adapters/model/offline/offline.ts';
import { createOpenAiEmbeddings } from '../adapters/model/openai/openai-embeddings.ts';
import { createOpenAiClient } from '../adapters/model/openai/openai-model.ts';
import { createOpenAiTranscriber } from '../adapters/model/openai/openai-transcriber.ts';
import { createPool } from '../adapters/model/pool/create-pool.ts';
import { findEndpoint } from '../adapters/model/pool/members.ts';
import { findPrice } from '../adapters/model/pool/prices.ts';
import { PROVIDERS } from '../adapters/model/providers.ts';
import type { PoolNotice } from '../adapters/model/pool/pool-health.ts';
import { type Pool } from '../adapters/model/pool/pool-state.ts';
import type { ModelEntry } from '../domain/run/model-pool.ts';
import type { ModelBreak } from '../domain/run/model-breaks.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Embeddings } from '../ports/embeddings.ts';
import type { GitHubWork } from '../ports/github/work.ts';
import type { Log } from '../ports/log.ts';
import type { Transcriber } from '../ports/model/transcriber.ts';
import type { AppCredentials } from './environment/app-credentials.ts';
import type { Env } from './environment/env-file.ts';
import { readModelsFile } from './environment/models-file.ts';
import { markerSecretFrom } from './environment/host-settings.ts';

export interface Basics {
  env: Env;
  clock: Clock;
  random: Random;
  log: Log;
}

const MESSAGES: Readonly<Record<PoolNotice['kind'], string>> = {
  unusable: 'model unusable until the configuration changes',
  'breaker-open': 'model breaker opened',
  'breaker-closed': 'model breaker closed',
  'request-rejected': 'model request rejected',
  'unknown-name': 'model name unknown',
};

/** The model pool of this host: what its keys bring, and what `QUORUM_MODELS` adds. With neither everything is offline. */
export function openModelPool(
  { env, clock, random, log }: Basics,
  onBreak?: (told: ModelBreak) => void,
): Pool {
  const { pool, aliases } = readModelsFile(env);
  return createPool({
    entries: pool,
    aliases,
    env,
    offline: createOfflineModel(),
    clock,
    random,
    onNotice: (notice) => log.warn({ ...notice }, MESSAGES[notice.kind]),
    ...(onBreak !== undefined && { onBreak }),
  });
}

/** The embedding model of this host: what `embedding` of `QUORUM_MODELS` names. Undefined without one, its key or its price. */
export function openEmbeddings(basics: Omit<Basics, 'random'>): Embeddings | undefined {
  const found = findNamedModel(basics, {
    alias: 'embedding',
    what: 'embeddings',
    without: 'embedding model unusable; memory is ordered by words',
  });
  return found && createOpenAiEmbeddings(found.client, found.options);
}

const UNHEARD = 'transcription model unusable; recordings are not heard';

/** What turns recordings into text: what `transcription` of `QUORUM_MODELS` names. Undefined without one, its key or its price. */
export function openTranscriber(basics: Omit<Basics, 'random'>): Transcriber | undefined {
  const found = findNamedModel(basics, {
    alias: 'transcription',
    what: 'transcription',
    without: UNHEARD,
  });
  if (found === undefined) return undefined;
  const { name, model, price } = found.options;
  if (price !== undefined) return createOpenAiTranscriber(found.client, found.options);
  const missing = `its price is not known: give ${name} a price in QUORUM_MODELS, such as price: { input: 6, output: 10 }`;
  basics.log.warn({ name, model, missing }, UNHEARD);
  return undefined;
}

interface NamedModel {
  alias: 'embedding' | 'transcription';
  /** For the log: what other providers do not have, and what is done without it. */
  what: string;
  without: string;
}

function findNamedModel(
  { env, clock, log }: Omit<Basics, 'random'>,
  { alias, what, without }: NamedModel,
) {
  const { pool, aliases } = readModelsFile(env);
  const name = aliases[alias];
  if (name === undefined) return undefined;
  const entry = pool[name];
  const provider = OPENAI_PROTOCOL.find((each) => each === entry?.provider);
  const missing = whyUnusable(entry, { env, what });
  if (entry === undefined || provider === undefined || missing !== undefined) {
    log.warn({ name, missing }, without);
    return undefined;
  }
  const { model = '' } = entry;
  const client = createOpenAiClient(findEndpoint(entry, { providers: PROVIDERS, env }));
  return { client, options: { name, model, price: findPrice(entry), clock, provider } };
}

/** Those that speak OpenAI's protocol. */
const OPENAI_PROTOCOL = ['openai', 'openai-compatible'] as const;

function whyUnusable(
  entry: ModelEntry | undefined,
  { env, what }: { env: Env; what: string },
): string | undefined {
  if (entry === undefined) return 'it is not in the file';
  if (!OPENAI_PROTOCOL.some((each) => each === entry.provider))
    return `${entry.provider} has no ${what}`;
  return findEndpoint(entry, { providers: PROVIDERS, env }).missing;
}

export interface GitHubPlace {
  apiUrl: string;
  workers: number;
  budgets?: GitHubBudgets | 'off' | undefined;
}

/** What one of several processes may take of GitHub, so that all together stay within one installation's share. */
function shared(workers: number): GitHubBudgets {
  const share = (whole: number): number => Math.max(1, Math.floor(whole / workers));
  return {
    contentPerMinute: share(DEFAULT_BUDGETS.contentPerMinute),
    contentPerHour: share(DEFAULT_BUDGETS.contentPerHour),
    pointsPerMinute: share(DEFAULT_BUDGETS.pointsPerMinute),
    concurrent: share(DEFAULT_BUDGETS.concurrent),
  };
}

/** GitHub as the App. */
export function openGitHub(
  { env, clock, random, log }: Basics,
  { appId, privateKey }: Pick<AppCredentials, 'appId' | 'privateKey'>,
  { apiUrl, workers, budgets = shared(workers) }: GitHubPlace,
): { github: GitHubWork; markerSecret: string } {
  const markerSecret = markerSecretFrom(env, privateKey);
  const github = createGitHub({
    auth: { kind: 'app', appId, privateKey },
    baseUrl: apiUrl,
    markerSecret,
    clock,
    random,
    log,
    budgets,
  });
  return { github, markerSecret };
}
