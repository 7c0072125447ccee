/** One installation's line to GitHub: credentials, budget, cache and counting around each request. */
import type { Params, Answer } from '../github-answer.ts';
import type { CallCounts } from '../../../domain/run/ledger.ts';
import type { Clock, Random } from '../../../ports/clock.ts';
import { toRestAddress } from './rest-address.ts';
import type { Budget, Cost } from './budget.ts';
import type { Credentials } from './credentials.ts';
import { parseAnswer } from './expected-answer.ts';
import { isDoubtful, isNotFound, isPassing, toError } from './github-failure.ts';
import { mayHaveGrown, nextPage } from './link.ts';
import type { Operation } from '../rest-operations.ts';
import type { ReadCache } from '../cache/read-cache.ts';
import type { Wire } from './wire.ts';
import type { Calls, ReadOptions, InstallationClient } from '../installation-client.ts';

export interface LineParts {
  /** Owner of the cached reads. */
  installationId: number;
  wire: Wire;
  credentials: Credentials;
  budget: Budget;
  cache: ReadCache;
  clock: Clock;
  random: Random;
}

interface Ask {
  /** Under which it is counted. */
  route: string;
  /** Route or absolute address that is really sent. */
  target: string;
  params: Params;
  counts: CallCounts;
  signal?: AbortSignal | undefined;
  isImmutable?: boolean | undefined;
  /** What of an answer is kept; all of it when absent. */
  keep?: ((data: unknown) => unknown) | undefined;
  /** Of what we have already. */
  etag?: string | undefined;
  /** A media type other than JSON. */
  accept?: string | undefined;
  /** The answer is an address. */
  isAddress?: boolean;
  /** Throws for an answer that the operation does not expect: it is not kept, and asked for again. */
  assert?: (answer: Answer) => void;
}

const READ_ATTEMPTS = 3;

export function createLine(given: LineParts): InstallationClient {
  const parts = { ...given, credentials: withOwnTags(given) };
  const flights: Flights = { pending: new Map(), writes: 0 };
  return {
    forget: () => {
      parts.credentials.forget();
      parts.cache.forget(parts.installationId);
    },
    calls: (counts, signal) => createCalls(parts, flights, { counts, signal }),
  };
}

/** GitHub makes an ETag of the token too: with a new one (each hour, for an installation) the kept ones match nothing. */
function withOwnTags({ credentials, cache, installationId }: LineParts): Credentials {
  let last: string | undefined;
  return {
    ...credentials,
    authorization: async (counts) => {
      const value = await credentials.authorization(counts);
      if (last !== undefined && value !== last) cache.forgetTags(installationId);
      last = value;
      return value;
    },
  };
}

interface Session {
  counts: CallCounts;
  signal: AbortSignal | undefined;
}

function toAsk(operation: Operation<unknown>, given: Params): Omit<Ask, keyof Session> {
  const { route: target, params } = toRestAddress(operation.route, given);
  return {
    keep: operation.isSlim === true ? slimmer(operation) : undefined,
    params,
    route: operation.route,
    target,
    accept: operation.accept,
    assert: (answer) => void parseAnswer(operation, answer),
  };
}

function createCalls(parts: LineParts, flights: Flights, session: Session): Calls {
  const ask = (operation: Operation<unknown>, params: Params, more?: ReadOptions): Ask => ({
    ...session,
    ...more,
    ...toAsk(operation, params),
  });
  const get = async <T>(operation: Operation<T>, one: Ask): Promise<Answer<T>> =>
    parseAnswer(operation, await readShared(parts, flights, one));
  return {
    get: (operation, params, options) => get(operation, ask(operation, params, options)),
    find: async (operation, params, options) => {
      try {
        return await get(operation, ask(operation, params, options));
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    next: async (operation, params, from) => {
      const first = ask(operation, params);
      const url = nextPage(from, parts.wire.urlOf(first.target, first.params));
      return url === undefined
        ? undefined
        : get(operation, { ...first, params: {}, target: `GET ${url}` });
    },
    send: async (operation, params, cost = 'write') =>
      parseAnswer(operation, await write(parts, flights, { ...ask(operation, params), cost })),
    locate: async (operation, params) => {
      const one = { ...ask(operation, params), isAddress: true };
      const answer = await withRetries(parts, () => settle(parts, one, 'read'));
      return answer.headers['location'] ?? '';
    },
    read: async (url, { take, maxBytes }) => {
      const decoder = new TextDecoder();
      const decode = (piece: Uint8Array): void => take(decoder.decode(piece, { stream: true }));
      const want = { take: decode, maxBytes, signal: session.signal };
      const isWhole = await parts.wire.read(url, want);
      if (isWhole) take(decoder.decode());
      return isWhole;
    },
    readBytes: (url, want) => parts.wire.read(url, { ...want, signal: session.signal }),
    mint: async (operation, params) =>
      parseAnswer(
        operation,
        await withRetries(parts, () => settle(parts, ask(operation, params), 'read')),
      ),
  };
}

/** An answer that is not of the documented form is kept as it is, and refused where it is read. */
function slimmer({ answer }: Operation<unknown>): (data: unknown) => unknown {
  return (data) => {
    const parsed = answer.safeParse(data);
    return parsed.success ? parsed.data : data;
  };
}

interface Flights {
  /** Reads under way, so that the same question is asked once. */
  pending: Map<string, Promise<Answer>>;
  /** Grows with each write: a read begun before it is not shared with one who asks after it. */
  writes: number;
}

async function readShared(parts: LineParts, flights: Flights, ask: Ask): Promise<Answer> {
  ask.signal?.throwIfAborted();
  const address = parts.wire.urlOf(ask.target, ask.params);
  // One address has an answer of its own for each media type.
  const url = ask.accept === undefined ? address : `${address} ${ask.accept}`;
  const key = `${flights.writes} ${url}`;
  const shared = flights.pending.get(key);
  if (shared !== undefined) return abortable(shared, ask.signal);
  // Without the caller's signal: others may wait for the same answer.
  const read = (): Promise<Answer> => readOnce(parts, { ...ask, signal: undefined }, url);
  const own = withRetries(parts, read, mayPass(ask)).finally(() => flights.pending.delete(key));
  flights.pending.set(key, own);
  return abortable(own, ask.signal);
}

async function readOnce(parts: LineParts, ask: Ask, url: string): Promise<Answer> {
  const { cache, installationId } = parts;
  if (ask.isImmutable === true) {
    const known = cache.get(installationId, url);
    if (known !== undefined) return known;
  }
  // First, since a new token drops the answers that the old one got.
  await parts.credentials.authorization(ask.counts);
  const kept = cache.get(installationId, url);
  const etag = kept === undefined || mayHaveGrown(kept, url) ? undefined : kept.headers['etag'];
  const answer = await settle(parts, { ...ask, etag }, 'read');
  if (answer.status === 304 && kept !== undefined) return withLink(kept, answer.headers['link']);
  // Before it is kept: each 304 would return a wrong answer again.
  ask.assert?.(answer);
  keep(parts, { ask, url, answer });
  return answer;
}

function keep(
  { cache, installationId }: LineParts,
  { ask, url, answer }: { ask: Ask; url: string; answer: Answer },
): void {
  const { isImmutable = false } = ask;
  if (answer.headers['etag'] === undefined && !isImmutable) return;
  const data = ask.keep?.(answer.data) ?? answer.data;
  cache.put(installationId, url, { ...answer, data, isImmutable });
}

/** A 304 that names pages names those of now. */
function withLink(kept: Answer, link: string | undefined): Answer {
  return link === undefined ? kept : { ...kept, headers: { ...kept.headers, link } };
}

async function write(
  parts: LineParts,
  flights: Flights,
  ask: Ask & { cost: Cost },
): Promise<Answer> {
  flights.writes += 1;
  try {
    return await settle(parts, ask, ask.cost);
  } finally {
    flights.writes += 1;
  }
}

/** Sends, once more after a 401 that a new token can fix, and throws for anything but success. */
async function settle(parts: LineParts, ask: Ask, cost: Cost): Promise<Answer> {
  const first = await sendCounted(parts, ask, cost);
  const isWorthAgain = first.status === 401 && (await parts.credentials.renew(first));
  const answer = isWorthAgain ? await sendCounted(parts, ask, cost) : first;
  if (isExpected(answer, ask)) return answer;
  throw toError(answer, ask.route);
}

function isExpected({ status, headers }: Answer, { isAddress = false }: Ask): boolean {
  if (isAddress) return status === 302 && headers['location'] !== undefined;
  return status === 304 || (status >= 200 && status < 300);
}

async function sendCounted(parts: LineParts, ask: Ask, cost: Cost): Promise<Answer> {
  const authorization = await parts.credentials.authorization(ask.counts);
  const call = {
    route: ask.target,
    params: ask.params,
    authorization,
    etag: ask.etag,
    accept: ask.accept,
    isAddress: ask.isAddress,
    signal: ask.signal,
  };
  const send = async (): Promise<Answer> => {
    let name = ask.route;
    try {
      const answer = await parts.wire.send(call);
      if (answer.status === 304) name = `304 ${ask.route}`;
      return answer;
    } finally {
      ask.counts[name] = (ask.counts[name] ?? 0) + 1;
    }
  };
  const answer = await parts.budget.spend(cost, send, ask.signal);
  const refusal = parts.budget.note(answer);
  if (refusal !== undefined) throw refusal;
  return answer;
}

/** Text that GitHub does not want to write, such as a huge diff, stays refused. */
function mayPass({ accept }: Ask): (error: unknown) => boolean {
  return (error) => isPassing(error) || (accept === undefined && isDoubtful(error));
}

/** Repeats a read twice after what may pass, with short waits, 0.45 s in all at most; the queue waits longer. */
async function withRetries(
  parts: LineParts,
  read: () => Promise<Answer>,
  isWorthAgain: (error: unknown) => boolean = isPassing,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt >= READ_ATTEMPTS || !isWorthAgain(error)) throw error;
      await parts.clock.sleep(100 * attempt * (0.5 + parts.random.next()));
    }
  }
}

async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const cancelled = Promise.withResolvers<never>();
  const abort = (): void => cancelled.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, cancelled.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
