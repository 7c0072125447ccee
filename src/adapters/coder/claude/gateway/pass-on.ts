/** Sends a request to the provider and its answer back, and reads on for a while when the client has gone. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { scrubSecrets } from '../../../../domain/secrets/scrub.ts';
import type { Clock } from '../../../../ports/clock.ts';
import type { ClaudeModel } from '../claude-model.ts';

/** How long an answer is read after its client hung up, to learn what it used. */
const LINGER_MS = 30_000;

/** Headers of the CLI that its provider understands; none that identifies this machine. */
const FORWARDED = ['accept', 'anthropic-beta', 'anthropic-version', 'content-type'];
/** Of the answer, what the CLI acts on. */
const RETURNED = ['content-type', 'request-id', 'retry-after', 'x-should-retry'];
/** What a provider says about a failure is short. */
const MAX_ERROR_BYTES = 100_000;
/** The request never left this machine. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export interface Passing {
  req: IncomingMessage;
  res: ServerResponse;
  path: '/v1/messages' | '/v1/messages/count_tokens';
  body: Record<string, unknown>;
  /** The whole exchange ends after this, in ms. */
  limitMs: number;
}

export interface Upstream {
  model: ClaudeModel;
  clock: Clock;
  /** Stops everything at once. */
  stop: AbortSignal;
}

/**
 * `whole`: the answer was read to its end. `cut`: it was not. `refused`: the provider answered with an error, or was not
 * reached.
 */
export type Passed = 'whole' | 'cut' | 'refused';

export async function passOn(
  upstream: Upstream,
  passing: Passing,
  onPiece: (piece: Buffer) => void,
): Promise<Passed> {
  const { res } = passing;
  const ending = endOf(upstream, passing);
  try {
    const answer = await fetchUpstream(upstream, passing, ending.signal);
    if (!answer.ok) {
      await sendScrubbed(upstream.model, answer, res);
      return 'refused';
    }
    await stream(answer, res, onPiece);
    return 'whole';
  } catch (error) {
    sendFailure(upstream.model, res, error);
    return isNotSent(error) ? 'refused' : 'cut';
  } finally {
    ending.done();
  }
}

const Counted = z.object({ input_tokens: z.int().positive() });

/** Asks the provider to count the tokens of a request; undefined where it does not say. */
export async function countUpstream(
  upstream: Upstream,
  passing: Passing,
): Promise<number | undefined> {
  const { max_tokens: _max, stream: _stream, ...body } = passing.body;
  const ending = endOf(upstream, passing);
  try {
    const counting: Passing = { ...passing, path: '/v1/messages/count_tokens', body };
    const answer = await fetchUpstream(upstream, counting, ending.signal);
    const said = await readText(answer);
    return answer.ok ? Counted.parse(JSON.parse(said)).input_tokens : undefined;
  } catch {
    return undefined;
  } finally {
    ending.done();
  }
}

/** When an exchange ends: at a stop, at its limit, and a while after its client hung up. */
function endOf({ clock, stop }: Upstream, { res, limitMs }: Passing) {
  const cut = new AbortController();
  const over = new AbortController();
  const signal = AbortSignal.any([cut.signal, stop]);
  // A client that does not read would keep the exchange open.
  const hangUp = (): void => void res.destroy();
  const cutAfter = (ms: number): void => {
    clock.sleep(ms, over.signal).then(
      () => cut.abort(),
      () => undefined,
    );
  };
  const onClose = (): void => {
    if (!res.writableFinished) cutAfter(LINGER_MS);
  };
  cutAfter(limitMs);
  if (res.destroyed) onClose();
  res.once('close', onClose);
  signal.addEventListener('abort', hangUp);
  return {
    signal,
    done: () => {
      res.off('close', onClose);
      signal.removeEventListener('abort', hangUp);
      over.abort();
    },
  };
}

function fetchUpstream(
  { model }: Upstream,
  { req, path, body }: Passing,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(`${model.baseUrl.replace(/\/$/, '')}${path}`, {
    method: 'POST',
    // A redirect would take the key elsewhere.
    redirect: 'error',
    signal,
    headers: {
      ...pick(FORWARDED, (name) => req.headers[name]),
      'content-type': 'application/json',
      'x-api-key': model.apiKey,
      'accept-encoding': 'identity',
    },
    body: JSON.stringify(body),
  });
}

async function stream(
  answer: Response,
  res: ServerResponse,
  onPiece: (piece: Buffer) => void,
): Promise<void> {
  if (!res.destroyed) res.writeHead(answer.status, returnedHeaders(answer));
  for await (const chunk of answer.body ?? []) {
    const piece = Buffer.from(chunk);
    onPiece(piece);
    if (!res.destroyed && !res.write(piece)) await untilWritable(res);
  }
  res.end();
}

function untilWritable(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.once('drain', done);
    res.once('close', done);
  });
}

/** What a provider says of a failure may repeat what it was sent. */
async function sendScrubbed(
  { apiKey }: ClaudeModel,
  answer: Response,
  res: ServerResponse,
): Promise<void> {
  const said = scrubSecrets(await readText(answer), [apiKey]);
  if (!res.destroyed) res.writeHead(answer.status, returnedHeaders(answer)).end(said);
}

async function readText(answer: Response): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    pieces.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(pieces).toString();
}

function sendFailure({ apiKey }: ClaudeModel, res: ServerResponse, error: unknown): void {
  if (res.headersSent || res.destroyed) return void res.destroy();
  const message = scrubSecrets(`The model could not be asked: ${String(error)}`, [apiKey]);
  res.writeHead(502, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message } }));
}

function isNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && NOT_SENT.has(cause.code);
}

function returnedHeaders({ headers }: Response): Record<string, string> {
  return pick(RETURNED, (name) => headers.get(name));
}

function pick(names: readonly string[], valueOf: (name: string) => unknown) {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = valueOf(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
