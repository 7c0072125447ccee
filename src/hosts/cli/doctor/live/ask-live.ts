/** Plain requests to GitHub, as the App or with an installation's token, whatever the answer is. */
import { z } from 'zod';
import { readPrivateKey, renderAppJwt } from '../../../../adapters/github/client/app-jwt.ts';
import { RefusedError } from '../../../../domain/event/errors.ts';
import type { Clock } from '../../../../ports/clock.ts';
import type { AppCredentials } from '../../../environment/app-credentials.ts';

const TIMEOUT_MS = 15_000;

export interface LiveAnswer {
  status: number;
  /** Where it came from, after redirects. */
  url: string;
  headers: Headers;
  /** Undefined where the answer is no JSON. */
  data: unknown;
}

export interface AskWanted {
  method?: 'GET' | 'POST';
  body?: object;
  headers?: Record<string, string>;
}

/** `path` begins with a slash. Throws where GitHub cannot be reached; a refusal is an answer. */
export type AskLive = (path: string, wanted?: AskWanted) => Promise<LiveAnswer>;

export interface LiveApi {
  apiUrl: string;
  clock: Clock;
}

export function askAsApp(api: LiveApi, { appId, privateKey }: AppCredentials): AskLive {
  const key = readPrivateKey(privateKey);
  return async (path, wanted) =>
    send(api, path, {
      ...wanted,
      authorization: `Bearer ${await renderAppJwt(appId, key, api.clock.now())}`,
    });
}

export function askWithToken(api: LiveApi, token: string): AskLive {
  return (path, wanted) => send(api, path, { ...wanted, authorization: `Bearer ${token}` });
}

async function send(
  { apiUrl }: LiveApi,
  path: string,
  { method = 'GET', body, headers = {}, authorization }: AskWanted & { authorization: string },
): Promise<LiveAnswer> {
  const url = path === '/graphql' ? `${apiUrl.replace(/\/v3$/, '')}${path}` : `${apiUrl}${path}`;
  const answer = await fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      'user-agent': 'quorum',
      authorization,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  return { status: answer.status, url: answer.url, headers: answer.headers, data: toJson(text) };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** GitHub's status and its own words. */
export function describeAnswer({ status, data }: LiveAnswer): string {
  const said = messageOf(data);
  return `GitHub answered ${status}${said === '' ? '' : `: ${said}`}`;
}

/** Empty without a message. */
export function messageOf(data: unknown): string {
  return z.object({ message: z.string() }).safeParse(data).data?.message ?? '';
}

/** The answer in the form that is expected. @throws RefusedError `unexpected-answer`, with what GitHub said */
export function readLive<T>(schema: z.ZodType<T>, answer: LiveAnswer): T {
  const { data } = schema.safeParse(answer.data);
  if (data !== undefined && answer.status < 300) return data;
  throw new RefusedError({ code: 'unexpected-answer', message: describeAnswer(answer) });
}
