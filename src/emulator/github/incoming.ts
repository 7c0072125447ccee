/** Reads an HTTP request: its path by the repository's name, and its body. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api } from './api.ts';
import { toNamedPath } from './by-id.ts';

export interface Incoming {
  req: IncomingMessage;
  res: ServerResponse;
  method: string;
  /** As it was asked for; names change while a request waits. */
  asked: string;
  /** By name. */
  path: string;
  query: URLSearchParams;
  /** Whether the path carried an API prefix, so that it can be no page. */
  isApi: boolean;
}

/** No API request of GitHub's is larger. */
const MAX_REQUEST = 100 * 1024 * 1024;

export function toIncoming({ world }: Api, req: IncomingMessage, res: ServerResponse): Incoming {
  const url = new URL(req.url ?? '/', 'http://emulator');
  const prefix = /^\/api\/(?:v3(?=\/|$)|(?=graphql$))/.exec(url.pathname)?.[0] ?? '';
  const path = url.pathname.slice(prefix.length);
  const asked = path.startsWith('/') ? path : `/${path}`;
  return {
    req,
    res,
    method: req.method ?? 'GET',
    asked,
    path: toNamedPath(world, asked),
    query: url.searchParams,
    isApi: prefix !== '',
  };
}

export const MALFORMED = Symbol('malformed');

export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return MALFORMED;
  }
}

export async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REQUEST) throw new Error('request too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
