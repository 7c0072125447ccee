/** The pool: a model made of models, which finds one that can answer. */
import { ConfigError, QuorumError, RefusedError } from '../../../domain/event/errors.ts';
import type { MissedModel, ModelCall, Price } from '../../../domain/run/ledger.ts';
import type { ModelAlias } from '../../../domain/config/config-limits.ts';
import { OFFLINE, TIERS } from '../../../domain/run/model-pool.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import {
  callsOf,
  hasBegun,
  withCalls,
  type Model,
  type ModelAnswer,
  type ModelRequest,
} from '../../../ports/model.ts';
import { PROVIDERS, type Providers } from '../providers.ts';
import type { RetryRules } from '../round-trip.ts';
import {
  createHealth,
  idOf,
  isOffline,
  type Health,
  type MemberReport,
  type PoolNotice,
} from './pool-health.ts';
import type { ModelBreak } from '../../../domain/run/model-breaks.ts';
import { PATIENCE_MS, type Caller } from './limiter.ts';
import {
  buildMembers,
  gatherAliases,
  missingBehind,
  smallestWindow,
  type Env,
  type Member,
  type PoolAliases,
  type PoolEntries,
} from './members.ts';
import { comparablePrice, estimateUsd } from './prices.ts';
import { createWarmUp, type WarmUp } from './warm-up.ts';

export interface PoolOptions {
  /** Configured models by name; a key in the environment brings some of its own. */
  entries: PoolEntries;
  aliases: PoolAliases;
  /** The environment as a value: keys and base URLs are read from it. */
  env: Env;
  /** Answers when nobody else can. */
  offline: Model;
  clock: Clock;
  random: Random;
  retry?: RetryRules;
  providers?: Providers;
  /** Told once for each model that goes out or comes back. */
  onNotice?: (notice: PoolNotice) => void;
  /** Told of each breaker that opens or closes here, so that other workers can {@link Pool.adopt} it. */
  onBreak?: (told: ModelBreak) => void;
}

export type { PoolNotice } from './pool-health.ts';

export interface MemberState extends MemberReport {
  name: string;
  provider: string;
  model: string;
  label: string;
  endpoint: string;
  price: Price | undefined;
}

export interface Pool extends Model {
  /** What is in the pool and what state it is in, for `doctor` and `config show`, or as one installation sees it. */
  describe(installation?: number): { members: MemberState[]; aliases: Record<string, string> };
  /** Takes over the breakers that other workers found open; those that are not among them any more close. */
  adopt(breaks: readonly ModelBreak[]): void;
  /** Whether a name or alias is in the pool. */
  has(name: string): boolean;
  /**
   * What a request may cost at most by its length, in US dollars; undefined when the price is unknown. Where what it
   * shares is cached, by a call that goes before it, that much is taken as read from there.
   */
  estimateUsd(request: ModelRequest, known?: { isCached: boolean }): number | undefined;
  /** The smallest context window that is declared, in tokens; absent where none is. */
  contextTokens?: number;
  /** Name of the member behind a name or alias; undefined when there is none. */
  resolve(name: string): string | undefined;
}

/** Names come from repositories: no more of them are kept. */
const MAX_UNKNOWN = 1_000;

interface State {
  members: Map<string, Member>;
  /** Alias to name. */
  aliases: ReadonlyMap<string, string>;
  /** Aliases that are set to what cannot be asked. */
  missing: ReadonlyMap<string, string>;
  health: Health;
  /** Names that were asked for and are not there; told once each. */
  unknown: Set<string>;
  warmUp: WarmUp;
  notify: (notice: PoolNotice) => void;
}

/** Builds clients for what is configured; nothing is loaded or asked yet. */
export function createPool(options: PoolOptions): Pool {
  const { clock, env } = options;
  const members = buildMembers({
    ...options,
    retry: options.retry,
    providers: options.providers ?? PROVIDERS,
  });
  const notify = options.onNotice ?? (() => undefined);
  const state: State = {
    members,
    aliases: gatherAliases(options.aliases, members, env),
    missing: missingBehind(options.aliases, members),
    health: createHealth(clock, notify, options.onBreak),
    unknown: new Set(),
    warmUp: createWarmUp(clock),
    notify,
  };
  return {
    name: 'pool',
    generate: (request) => ask(state, request),
    describe: (installation) => describePool(state, installation),
    adopt: (breaks) => state.health.adopt(breaks),
    has: (name) => findMember(state, name) !== undefined,
    estimateUsd: (request, known) => estimateUsd(request, standIn(state, request)?.price, known),
    resolve: (name) => findMember(state, name)?.name,
    ...smallestWindow(options.entries),
  };
}

/**
 * Asks the named model; when it is out, or this failure takes it out, the next ones in {@link fallbackOrder}.
 * A failure that leaves it in is thrown: whoever queued the question asks again later.
 */
async function ask(state: State, request: ModelRequest): Promise<ModelAnswer> {
  const { health } = state;
  const wanted = standIn(state, request);
  if (wanted === undefined) throw toNobody(request.model);
  const failed: ModelCall[] = [];
  let missed = findMissing(state, wanted, request);
  let last: unknown;
  for (const member of fallbackOrder(state, wanted)) {
    const reason = health.refusalReason(member, request.installation);
    if (reason !== undefined) {
      missed ??= { name: member.name, code: reason };
      continue;
    }
    try {
      const answer = await askMember(state, member, request);
      return { ...answer, calls: [...failed, ...withMissed(answer.calls, missed)] };
    } catch (error) {
      if (!goesOn(state, { member, request }, error)) throw toError(error, failed);
      missed ??= { name: member.name, code: error.code };
      failed.push(...callsOf(error));
      last = error;
    }
  }
  throw toError(last ?? toNobody(wanted.name), failed);
}

/** The host's alias leads to a model that is not set up, so that rules answer in its place. */
function findMissing(
  state: State,
  wanted: Member,
  { model }: ModelRequest,
): MissedModel | undefined {
  const name = isOffline(wanted) ? state.missing.get(model) : undefined;
  return name === undefined ? undefined : { name, code: 'model-not-set-up' };
}

/** Says in the call that answered whom it stands in for. */
function withMissed(calls: readonly ModelCall[], missed: MissedModel | undefined): ModelCall[] {
  if (missed === undefined) return [...calls];
  return calls.map((call, n) => (n === calls.length - 1 ? { ...call, insteadOf: missed } : call));
}

async function askMember(
  state: State,
  member: Member,
  request: ModelRequest,
): Promise<ModelAnswer> {
  const { model } = member;
  const { health } = state;
  const { installation } = request;
  if (model === undefined) throw toNobody(member.name);
  if (isOffline(member)) return model.generate({ ...request, model: OFFLINE });
  health.began(member, installation);
  try {
    const turn = await state.warmUp.enter(member.name, request);
    const onStart = (): void => {
      turn.started();
      request.onStart?.();
    };
    try {
      const answer = await member.limiter.run(toCaller(request), () =>
        model.generate({ ...fitRequest(member, request), onStart }),
      );
      health.answered(member, installation);
      return answer;
    } finally {
      turn.ended();
    }
  } catch (error) {
    health.failed(member, installation, error);
    throw error;
  }
}

/** A conversation that has begun waits: the queue would begin it again. */
function toCaller(request: ModelRequest): Caller {
  const { installation, signal, maxWaitMs, timeoutMs } = request;
  return {
    who: idOf(installation),
    signal,
    maxWaitMs: maxWaitMs ?? (hasBegun(request) ? timeoutMs : PATIENCE_MS),
  };
}

/** Keeps a request within what the configuration says of its model. */
function fitRequest(member: Member, request: ModelRequest): ModelRequest {
  const { model = '', maxOutputTokens = Number.POSITIVE_INFINITY, temperature } = member.entry;
  return {
    ...request,
    model,
    maxOutputTokens: Math.min(request.maxOutputTokens, maxOutputTokens),
    ...(request.temperature === undefined && temperature !== undefined && { temperature }),
  };
}

/** Goes on to the next model when this one is out now, or refuses this request as it stands. */
function goesOn(
  { health }: State,
  { member, request }: { member: Member; request: ModelRequest },
  error: unknown,
): error is QuorumError {
  if (!(error instanceof QuorumError)) return false;
  const isRefused = error instanceof ConfigError || error instanceof RefusedError;
  return isRefused || health.refusalReason(member, request.installation) !== undefined;
}

/**
 * The wanted one; then cheaper ones, dearest first, because they stay within what was reserved; then dearer ones,
 * cheapest first; then those of unknown price; at last `offline`. Models that only make images, sound or vectors are left out.
 */
function fallbackOrder(state: State, wanted: Member): Member[] {
  if (isOffline(wanted)) return [wanted];
  const price = comparablePrice(wanted.price);
  const others = [...state.members.values()].filter(
    (m) => m !== wanted && !isOffline(m) && writesText(state, m),
  );
  const byPrice = others.toSorted((a, b) => comparablePrice(a.price) - comparablePrice(b.price));
  const cheaper = byPrice.filter((m) => comparablePrice(m.price) <= price && m.price !== undefined);
  const rest = byPrice.filter((m) => !cheaper.includes(m));
  const offline = state.members.get(OFFLINE);
  const last = offline === undefined ? [] : [offline];
  return [wanted, ...cheaper.toReversed(), ...rest, ...last];
}

const TEXT_ALIASES: readonly ModelAlias[] = [...TIERS, 'memoryExtraction'];
const OTHER_ALIASES: readonly ModelAlias[] = ['image', 'embedding', 'speech', 'transcription'];

function writesText(state: State, member: Member): boolean {
  const isFor = (alias: ModelAlias): boolean => state.aliases.get(alias) === member.name;
  return TEXT_ALIASES.some(isFor) || !OTHER_ALIASES.some(isFor);
}

function findMember(state: State, name: string): Member | undefined {
  return state.members.get(state.aliases.get(name) ?? name);
}

/** A repository may name what this host does not have; that costs it its choice, and not its team nor its tier. */
function standIn(
  state: State,
  { model: name, tier = 'standard' }: Pick<ModelRequest, 'model' | 'tier'>,
): Member | undefined {
  const found = findMember(state, name);
  if (found !== undefined) return found;
  if (!state.unknown.has(name) && state.unknown.size < MAX_UNKNOWN) {
    state.unknown.add(name);
    const message = `There is no model named ${JSON.stringify(name)} in the pool; \`${tier}\` answers.`;
    state.notify({ kind: 'unknown-name', name, code: 'model-name-unknown', message });
  }
  return findMember(state, tier) ?? findMember(state, 'standard');
}

function describePool(
  { members, aliases, health }: State,
  installation: number | undefined,
): ReturnType<Pool['describe']> {
  const described = [...members.values()].map((member): MemberState => ({
    name: member.name,
    provider: member.entry.provider,
    model: member.entry.model ?? '',
    label: member.entry.label ?? member.name,
    endpoint: member.endpoint,
    price: member.price,
    ...health.report(member, installation),
  }));
  return { members: described, aliases: Object.fromEntries(aliases) };
}

function toError(error: unknown, failed: readonly ModelCall[]): Error {
  return withCalls(error instanceof Error ? error : new Error(String(error)), failed);
}

function toNobody(name: string): ConfigError {
  return new ConfigError({
    code: 'model-none-usable',
    message: `No model can answer in place of ${name}.`,
    details: '`quorum doctor` shows what is wrong with each model of the pool.',
  });
}
