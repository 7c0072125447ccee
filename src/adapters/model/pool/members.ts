/** Builds the members of a pool from configuration and environment, one client for each endpoint and key. */
import type { Price } from '../../../domain/run/ledger.ts';
import { MODEL_ALIASES, type ModelAlias } from '../../../domain/config/config-limits.ts';
import { isForText, OFFLINE, type ModelEntry } from '../../../domain/run/model-pool.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import type { Model } from '../../../ports/model.ts';
import type { Endpoint, ModelOptions } from '../model-options.ts';
import type { ProviderEntry, Providers } from '../providers.ts';
import type { RetryRules } from '../round-trip.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { BUILT_IN, findPrice } from './prices.ts';

/** The environment as a value. */
export type Env = Readonly<Record<string, string | undefined>>;

export type PoolEntries = Readonly<Record<string, ModelEntry>>;
export type PoolAliases = { readonly [A in ModelAlias]?: string | undefined };

export interface MemberSetup {
  entries: PoolEntries;
  env: Env;
  providers: Providers;
  offline: Model;
  clock: Clock;
  random: Random;
  retry: RetryRules | undefined;
}

/** A model of the pool and the client that it shares with others. */
export interface Member {
  name: string;
  entry: ModelEntry;
  price: Price | undefined;
  /** Undefined when it cannot be asked: `missing` says why. */
  model: Model | undefined;
  missing: string | undefined;
  /** Same for all members that share endpoint and key; a bad key takes all of them out. */
  client: string;
  /** Where calls go, for people; never the key. */
  endpoint: string;
  limiter: Limiter;
}

/** Calls at the same time to one endpoint, unless an entry says otherwise. */
const CONCURRENCY = 8;

/** Entries that a key alone gives come first, so that configured ones of the same name win. */
export function gatherEntries(entries: PoolEntries, env: Env): PoolEntries {
  const given = BUILT_IN.filter((built) => isSet(env[built.env]));
  return Object.fromEntries([
    ...given.flatMap((built) => Object.entries(built.gives.entries)),
    ...Object.entries(entries),
  ]);
}

/** Without the models that only aliases for images, sound or vectors name: no question goes to those. */
export function entriesForText(entries: PoolEntries, aliases: PoolAliases): PoolEntries {
  const isAsked = (name: string): boolean => {
    const own = MODEL_ALIASES.filter((alias) => aliases[alias] === name);
    return own.length === 0 || own.some(isForText);
  };
  return Object.fromEntries(Object.entries(entries).filter(([name]) => isAsked(name)));
}

/** Of what is declared, the smallest: a prompt that fits in there fits wherever it may be sent. */
export function smallestWindow(entries: PoolEntries): { contextTokens?: number } {
  const declared = Object.values(entries).flatMap(({ contextTokens }) => contextTokens ?? []);
  return declared.length === 0 ? {} : { contextTokens: Math.min(...declared) };
}

/** Every alias points somewhere: to what is configured, to what a key gives, else to `offline`. */
export function gatherAliases(
  aliases: PoolAliases,
  members: ReadonlyMap<string, Member>,
  env: Env,
): ReadonlyMap<string, string> {
  const given = BUILT_IN.find((built) => isSet(env[built.env]))?.gives.aliases ?? {};
  const target = (alias: ModelAlias): string => {
    const name = aliases[alias] ?? given[alias] ?? OFFLINE;
    return members.get(name)?.model === undefined ? OFFLINE : name;
  };
  return new Map(MODEL_ALIASES.map((alias) => [alias, target(alias)]));
}

/** Aliases that are set to a model which cannot be asked, so that `offline` answers for them. */
export function missingBehind(
  aliases: PoolAliases,
  members: ReadonlyMap<string, Member>,
): ReadonlyMap<string, string> {
  const isMissing = (name: string): boolean => members.get(name)?.model === undefined;
  const set = MODEL_ALIASES.map((alias) => [alias, aliases[alias]] as const);
  return new Map(
    set.filter((pair): pair is [ModelAlias, string] => pair[1] !== undefined && isMissing(pair[1])),
  );
}

/** Members by name; `offline` is always one of them and comes last. */
export function buildMembers(setup: MemberSetup): Map<string, Member> {
  const clients = new Map<string, SharedClient>();
  const members = Object.entries(gatherEntries(setup.entries, setup.env))
    .filter(([name]) => name !== OFFLINE)
    .map(([name, entry]) => buildMember(name, entry, { setup, clients }));
  const own: ModelEntry = { provider: 'offline', model: OFFLINE, label: 'Offline' };
  const all = [...members, offlineMember(setup, OFFLINE, own)];
  return new Map(all.map((member) => [member.name, member]));
}

interface SharedClient {
  id: string;
  make: (options: ModelOptions) => Model;
  limiter: Limiter;
}

interface MemberParts {
  setup: MemberSetup;
  clients: Map<string, SharedClient>;
}

function buildMember(name: string, entry: ModelEntry, parts: MemberParts): Member {
  const { setup } = parts;
  if (entry.provider === 'offline') return offlineMember(setup, name, entry);
  const { provider, apiKey, baseUrl, missing } = findEndpoint(entry, setup);
  const price = findPrice(entry);
  const base = { name, entry, price, endpoint: baseUrl ?? entry.provider };
  if (provider === undefined || missing !== undefined) {
    const limiter = createLimiter({ concurrency: CONCURRENCY, rpm: undefined }, setup.clock);
    return { ...base, model: undefined, missing, client: name, limiter };
  }
  const client = openClient(parts, { entry, provider, apiKey, baseUrl });
  const { clock, random, retry } = setup;
  const { effort, structured, model = '' } = entry;
  const options = { name, model, price, clock, random, retry, effort, structured };
  return {
    ...base,
    model: client.make(options),
    missing: undefined,
    client: client.id,
    limiter: client.limiter,
  };
}

/** How an entry's server is reached; `missing` says why it cannot be. */
export function findEndpoint(
  entry: ModelEntry,
  { providers, env }: Pick<MemberSetup, 'providers' | 'env'>,
): Endpoint & { provider: ProviderEntry | undefined; missing: string | undefined } {
  const provider = providers[entry.provider];
  const keyEnv = entry.keyEnv ?? provider?.keyEnv;
  const apiKey = keyEnv === undefined ? '' : (env[keyEnv] ?? '');
  const baseUrl = entry.baseUrl ?? findBaseUrl(provider, env);
  const missing = findMissing(entry, provider, { keyEnv, apiKey, baseUrl });
  return { provider, apiKey, baseUrl, missing };
}

interface ClientOf {
  entry: ModelEntry;
  provider: ProviderEntry;
  apiKey: string;
  baseUrl: string | undefined;
}

/** The first entry of an endpoint and key sets its limits. */
function openClient(parts: MemberParts, of: ClientOf): SharedClient {
  const key = JSON.stringify([of.entry.provider, of.baseUrl, of.apiKey]);
  const known = parts.clients.get(key);
  if (known !== undefined) return known;
  const opened: SharedClient = {
    id: `client-${parts.clients.size + 1}`,
    make: of.provider.open({ apiKey: of.apiKey, baseUrl: of.baseUrl }),
    limiter: createLimiter(
      { concurrency: of.entry.concurrency ?? CONCURRENCY, rpm: of.entry.requestsPerMinute },
      parts.setup.clock,
    ),
  };
  parts.clients.set(key, opened);
  return opened;
}

function findBaseUrl(provider: ProviderEntry | undefined, env: Env): string | undefined {
  const name = provider?.baseUrlEnv;
  const url = name === undefined ? undefined : env[name];
  return isSet(url) ? url : undefined;
}

function findMissing(
  entry: ModelEntry,
  provider: ProviderEntry | undefined,
  has: { keyEnv: string | undefined; apiKey: string; baseUrl: string | undefined },
): string | undefined {
  if (entry.model === undefined) return 'model is not set';
  if (provider === undefined) return `provider ${entry.provider} has no effect yet`;
  const wantsKey = entry.keyEnv !== undefined || !provider.isKeyOptional;
  if (wantsKey && has.apiKey === '') return `${has.keyEnv ?? 'its API key'} is not set`;
  if (provider.baseUrlEnv === undefined && has.baseUrl === undefined) return 'baseUrl is not set';
  return undefined;
}

function offlineMember(setup: MemberSetup, name: string, entry: ModelEntry): Member {
  return {
    name,
    entry,
    price: findPrice(entry),
    model: setup.offline,
    missing: undefined,
    client: OFFLINE,
    endpoint: OFFLINE,
    limiter: createLimiter({ concurrency: 64, rpm: undefined }, setup.clock),
  };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
