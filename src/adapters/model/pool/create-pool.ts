/** The pool: a model made of models, which finds one that can answer. */
import { ConfigError } from '../../../domain/event/errors.ts';
import type { MissedModel, ModelCall } from '../../../domain/run/ledger.ts';
import { OFFLINE } from '../../../domain/run/model-pool.ts';
import {
  callsOf,
  hasBegun,
  withCalls,
  type ModelAnswer,
  type ModelRequest,
} from '../../../ports/model.ts';
import { PROVIDERS } from '../providers.ts';
import { createHealth, idOf, isOffline } from './pool-health.ts';
import { PATIENCE_MS, type Caller } from './limiter.ts';
import {
  buildMembers,
  gatherAliases,
  missingBehind,
  entriesForText,
  smallestWindow,
  type Member,
} from './members.ts';
import { estimateUsd } from './prices.ts';
import { createWarmUp } from './warm-up.ts';
import type { PoolOptions, MemberState, Pool, State } from './pool-state.ts';
import { goesOn, fallbackOrder, findMember, standIn } from './fallback-order.ts';

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
    ...smallestWindow(entriesForText(options.entries, options.aliases)),
  };
}

/**
 * Asks the named model; when it is out, or this failure takes it out, the next ones in {@link fallbackOrder}. A
 * failure that does not take the model out is thrown: the caller that queued the question retries later.
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

/** Records in the call that answered which model it replaces. */
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
