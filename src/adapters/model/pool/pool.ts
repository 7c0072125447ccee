/** The pool: a model made of models, which finds one that can answer. */
import { ConfigError, QuorumError } from '../../../domain/errors.ts';
import type { ModelCall, Price } from '../../../domain/ledger.ts';
import type { ModelAlias } from '../../../domain/config-limits.ts';
import { OFFLINE, TIERS } from '../../../domain/model-pool.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import {
  callsOf,
  withCalls,
  type Model,
  type ModelAnswer,
  type ModelRequest,
} from '../../../ports/model.ts';
import { PROVIDERS, type Providers } from '../providers.ts';
import type { RetryRules } from '../round-trip.ts';
import {
  breakerState,
  CLOSED,
  mayCall,
  onCall,
  onFailure,
  onNothing,
  onSuccess,
  type Breaker,
} from './breaker.ts';
import {
  buildMembers,
  gatherAliases,
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
}

export interface PoolNotice {
  kind: 'unusable' | 'breaker-open' | 'breaker-closed' | 'unknown-name';
  name: string;
  /** Code and words of the failure that led to it. */
  code?: string;
  message?: string;
}

export interface MemberState {
  name: string;
  provider: string;
  model: string;
  label: string;
  endpoint: string;
  price: Price | undefined;
  state: 'ready' | 'open' | 'half-open' | 'unusable' | 'missing';
  /** Why it cannot be asked. */
  reason?: string;
}

export interface Pool extends Model {
  /** What is in the pool and what state it is in, for `doctor` and `config show`. */
  describe(): { members: MemberState[]; aliases: Record<string, string> };
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

/** Codes that say the key is no good, so that every model behind it is out. */
const KEY_CODES = new Set(['model-unauthorised', 'model-credits', 'model-forbidden']);

interface State {
  members: Map<string, Member>;
  /** Alias to name. */
  aliases: ReadonlyMap<string, string>;
  breakers: Map<string, Breaker>;
  /** Out until the configuration changes: members by name, clients by id. */
  unusable: Map<string, string>;
  /** Names that were asked for and are not there; told once each. */
  unknown: Set<string>;
  warmUp: WarmUp;
  clock: Clock;
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
  const state: State = {
    members,
    aliases: gatherAliases(options.aliases, members, env),
    breakers: new Map(),
    unusable: new Map(),
    unknown: new Set(),
    warmUp: createWarmUp(clock),
    clock,
    notify: options.onNotice ?? (() => undefined),
  };
  return {
    name: 'pool',
    generate: (request) => ask(state, request),
    describe: () => describePool(state),
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
  const wanted = standIn(state, request);
  if (wanted === undefined) throw toNobody(request.model);
  const failed: ModelCall[] = [];
  let last: unknown;
  for (const member of fallbackOrder(state, wanted)) {
    if (!isReady(state, member)) continue;
    try {
      const answer = await askMember(state, member, request);
      return { ...answer, calls: [...failed, ...answer.calls] };
    } catch (error) {
      if (!goesOn(state, member, error)) throw toError(error, failed);
      failed.push(...callsOf(error));
      last = error;
    }
  }
  throw toError(last ?? toNobody(wanted.name), failed);
}

async function askMember(
  state: State,
  member: Member,
  request: ModelRequest,
): Promise<ModelAnswer> {
  const { model } = member;
  if (model === undefined) throw toNobody(member.name);
  if (isOffline(member)) return model.generate({ ...request, model: OFFLINE });
  changeBreaker(state, member, (breaker) => onCall(breaker, state.clock.now()));
  try {
    const turn = await state.warmUp.enter(member.name, request);
    const onStart = (): void => {
      turn.started();
      request.onStart?.();
    };
    try {
      const answer = await member.limiter.run(request.signal, () =>
        model.generate({ ...fitRequest(member, request), onStart }),
      );
      if (changeBreaker(state, member, onSuccess) === 'closed')
        state.notify({ kind: 'breaker-closed', name: member.name });
      return answer;
    } finally {
      turn.ended();
    }
  } catch (error) {
    noteFailure(state, member, error);
    throw error;
  }
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

function isOffline(member: Member): boolean {
  return member.entry.provider === OFFLINE;
}

/** What a failure says about its model: nothing, one more failure in a row, or that it is out. */
function noteFailure(state: State, member: Member, error: unknown): void {
  if (!(error instanceof QuorumError)) {
    changeBreaker(state, member, onNothing);
    return;
  }
  const words = { code: error.code, message: error.message };
  const isKey = error instanceof ConfigError && KEY_CODES.has(error.code);
  if (isKey || error.code === 'model-unknown') {
    changeBreaker(state, member, onNothing);
    const out = isKey ? member.client : member.name;
    if (state.unusable.has(out)) return;
    state.unusable.set(out, error.message);
    state.notify({ kind: 'unusable', name: member.name, ...words });
    return;
  }
  const isNew = changeBreaker(state, member, (b) => onFailure(b, state.clock.now())) === 'opened';
  if (isNew) state.notify({ kind: 'breaker-open', name: member.name, ...words });
}

/** Tells whether the change opened or closed it. */
function changeBreaker(
  state: State,
  member: Member,
  change: (breaker: Breaker) => Breaker,
): 'opened' | 'closed' | undefined {
  const before = breakerOf(state, member);
  const after = change(before);
  state.breakers.set(member.name, after);
  if ((before.openUntil === undefined) === (after.openUntil === undefined)) return undefined;
  return after.openUntil === undefined ? 'closed' : 'opened';
}

/** Goes on to the next model when this one is out now, or refuses this request as it stands. */
function goesOn(state: State, member: Member, error: unknown): boolean {
  if (!(error instanceof QuorumError)) return false;
  return error instanceof ConfigError || !isReady(state, member);
}

function isReady(state: State, member: Member): boolean {
  if (member.model === undefined || findUnusable(state, member) !== undefined) return false;
  return isOffline(member) || mayCall(breakerOf(state, member), state.clock.now());
}

function findUnusable(state: State, member: Member): string | undefined {
  return state.unusable.get(member.name) ?? state.unusable.get(member.client);
}

function breakerOf(state: State, member: Member): Breaker {
  return state.breakers.get(member.name) ?? CLOSED;
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

function describePool(state: State): ReturnType<Pool['describe']> {
  const members = [...state.members.values()].map((member): MemberState => {
    const reason = member.missing ?? findUnusable(state, member);
    return {
      name: member.name,
      provider: member.entry.provider,
      model: member.entry.model ?? '',
      label: member.entry.label ?? member.name,
      endpoint: member.endpoint,
      price: member.price,
      state: describeState(state, member),
      ...(reason !== undefined && { reason }),
    };
  });
  return { members, aliases: Object.fromEntries(state.aliases) };
}

function describeState(state: State, member: Member): MemberState['state'] {
  if (member.missing !== undefined) return 'missing';
  if (findUnusable(state, member) !== undefined) return 'unusable';
  const breaker = breakerState(breakerOf(state, member), state.clock.now());
  return breaker === 'closed' ? 'ready' : breaker;
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
