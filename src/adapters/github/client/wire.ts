/** One HTTP request to GitHub through Octokit: any status is an answer, only a lost or cut connection is an error. */
import type { Answer } from '../github-answer.ts';
import { Octokit } from '@octokit/core';
import { z } from 'zod';
import { RefusedError, TransientError } from '../../../domain/event/errors.ts';
import { followWithin, isById } from './rest-address.ts';
import { assertMediaType } from './expected-answer.ts';

export interface WireCall {
  /** A route template, or `GET https://…` for a further page. */
  route: string;
  params: Record<string, unknown>;
  /** Value of the authorization header. */
  authorization: string;
  /** ETag of what we have already. */
  etag?: string | undefined;
  /** A media type other than JSON: then the answer's data is text. */
  accept?: string | undefined;
  /** The answer is an address: it is returned, and not followed. */
  isAddress?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** What is taken piece by piece, and how much of it. */
export interface BytesWanted {
  take: (piece: Uint8Array) => void;
  /** What comes after is left unread. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

export interface Wire {
  /** The address without the scheme's trailing slash; further pages are asked of its origin only. */
  readonly baseUrl: string;
  urlOf(route: string, params: Record<string, unknown>): string;
  /**
   * Sends once, never twice. Reads follow redirects, of a repository's id only within that repository; writes do not.
   *
   * Throws TransientError `github-unreachable` (no or cut answer, time-out) or `unexpected-answer` (a success of
   * another media type), or the signal's reason. RefusedError `github-too-large` is for text of more than 32 MB.
   */
  send(call: WireCall): Promise<Answer>;
  /**
   * Reads at an address of GitHub's storage, which is signed and gets none of Quorum's credentials. Returns whether it
   * was read to its end.
   *
   * @throws TransientError `github-unreachable` also for a refusal: a new address may work
   */
  read(url: string, want: BytesWanted): Promise<boolean>;
}

/** The route of every GraphQL query, as it is counted. */
export const GRAPHQL = 'POST /graphql';
const MAX_TEXT_BYTES = 32_000_000;
/** A long text takes longer than an answer of the API. */
const READ_TIMEOUT_MS = 60_000;

const quiet = (): void => undefined;

export interface WireOptions {
  baseUrl: string;
  timeoutMs: number;
  fetch?: typeof fetch;
}

export function createWire(options: WireOptions): Wire {
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  // Where REST has its own prefix (GitHub Enterprise Server), GraphQL is beside it.
  const graphql = `POST ${baseUrl.replace(/\/api\/v3$/, '/api')}/graphql`;
  const octokit = new Octokit({
    baseUrl,
    userAgent: 'quorum',
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    ...(options.fetch && { request: { fetch: options.fetch } }),
  });
  return {
    baseUrl,
    urlOf: (route, params) => octokit.request.endpoint(route, params).url,
    send: async (call) => {
      const limit = limitTime(options.timeoutMs, call.signal);
      try {
        const route = call.route === GRAPHQL ? graphql : call.route;
        const answer = await requestWithin(octokit, { ...call, route, signal: limit.signal });
        assertMediaType(answer, call.route, call.accept);
        if (answer.data instanceof ReadableStream)
          return { ...answer, data: await readText(answer.data, call.route) };
        return answer;
      } catch (error) {
        call.signal?.throwIfAborted();
        if (error instanceof TransientError || error instanceof RefusedError) throw error;
        throw unreachable(call.route, error);
      } finally {
        limit.stop();
      }
    },
    read: async (url, want) => {
      const limit = limitTime(Math.max(options.timeoutMs, READ_TIMEOUT_MS), want.signal);
      try {
        return await readPieces(
          await (options.fetch ?? fetch)(url, { signal: limit.signal }),
          want,
        );
      } catch (error) {
        want.signal?.throwIfAborted();
        throw unreachable(`GET ${new URL(url).host}`, error);
      } finally {
        limit.stop();
      }
    },
  };
}

async function readPieces(response: Response, { take, maxBytes }: BytesWanted): Promise<boolean> {
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the storage answered ${response.status}`);
  }
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) return false;
    take(chunk);
  }
  return true;
}

type Asked = WireCall & { signal: AbortSignal };

async function requestWithin(octokit: Octokit, call: Asked): Promise<Answer> {
  const { route, params } = call;
  const { url } = octokit.request.endpoint(route, params);
  const mayFollow = route.startsWith('GET ') && call.isAddress !== true;
  const ask = (at: string, given: WireCall['params'], redirect: Redirect): Promise<Answer> =>
    toAnswer(() => octokit.request(at, { ...given, ...toOctokit(call, redirect) }));
  const first = await ask(route, params, mayFollow && !isById(url) ? 'follow' : 'manual');
  const further = mayFollow ? followWithin(first, url) : undefined;
  return further === undefined ? first : ask(`GET ${further}`, {}, 'manual');
}

type Redirect = 'follow' | 'manual';

function toOctokit(call: Asked, redirect: Redirect): Record<string, unknown> {
  return {
    headers: {
      authorization: call.authorization,
      'x-github-api-version': '2022-11-28',
      ...(call.accept !== undefined && { accept: call.accept }),
      ...(call.etag !== undefined && { 'if-none-match': call.etag }),
    },
    request: {
      signal: call.signal,
      redirect,
      // Octokit takes a cut text for an empty one, so text is read here.
      ...(call.accept !== undefined && { parseSuccessResponseBody: false }),
    },
  };
}

async function readText(body: ReadableStream<unknown>, route: string): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.byteLength;
    if (bytes > MAX_TEXT_BYTES) throw tooLarge(route);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(route: string): RefusedError {
  return new RefusedError({
    code: 'github-too-large',
    message: `GitHub's answer to ${route} is larger than ${MAX_TEXT_BYTES / 1_000_000} MB.`,
    details: 'It is read in parts where there is another way, and left out otherwise.',
  });
}

const Raw = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.unknown()),
  data: z.unknown(),
});

/** Octokit throws for 304 and from 400 on; a thrown error without a response never reached an answer. */
async function toAnswer(request: () => Promise<unknown>): Promise<Answer> {
  try {
    return pick(Raw.parse(await request()));
  } catch (error) {
    const thrown = z.object({ response: Raw }).safeParse(error);
    if (!thrown.success) throw error;
    return pick(thrown.data.response);
  }
}

function pick(raw: z.infer<typeof Raw>): Answer {
  const headers = Object.fromEntries(
    Object.entries(raw.headers).map(([name, value]) => [name, String(value)]),
  );
  return { status: raw.status, headers, data: raw.data };
}

function unreachable(route: string, cause: unknown): TransientError {
  return new TransientError({
    code: 'github-unreachable',
    message: `GitHub gave no whole answer to ${route}.`,
    details:
      'The connection was lost, cut or took too long. It is tried again; see the status page of your GitHub.',
    cause,
  });
}

/** A deadline of our own joined with the caller's signal; `stop` frees both. */
function limitTime(
  ms: number,
  outer: AbortSignal | undefined,
): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms);
  if (outer?.aborted === true) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    stop: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
