/** Writes answers: small JSON, problems (RFC 9457), the same protecting headers on each. */
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** For answers that are data: nothing may run, frame, cache or guess at them. */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

/** Why a request was not served. `code` is stable and documented in docs/troubleshooting.md. */
export interface Problem {
  status: number;
  code: ErrorCode;
  title: string;
  headers?: Record<string, string>;
}

/** Sends `body`, already JSON. */
export function answerJson(res: ServerResponse, status: number, body: string): void {
  res
    .writeHead(status, {
      ...SAFE_HEADERS,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

/** Sends a problem to a request whose body, if any, was read. */
export function answerProblem(res: ServerResponse, problem: Problem): void {
  const body = toProblemJson(problem);
  res.writeHead(problem.status, toProblemHeaders(problem, body)).end(body);
}

/**
 * Sends a problem before the body was read, and closes the connection. What still comes in is thrown away, for at
 * most `lingerMs`, so that the sender gets to read the answer instead of a reset.
 */
export function refuseUnread(
  req: IncomingMessage,
  res: ServerResponse,
  { problem, lingerMs }: { problem: Problem; lingerMs: number },
): void {
  if (req.complete) return answerProblem(res, problem);
  const body = toProblemJson(problem);
  res.writeHead(problem.status, { ...toProblemHeaders(problem, body), connection: 'close' });
  res.write(body);
  const deadline = setTimeout(() => res.destroy(), lingerMs).unref();
  res.once('close', () => clearTimeout(deadline));
  req.once('end', () => res.end());
  req.once('error', () => res.destroy());
  req.resume();
}

function toProblemJson({ status, code, title }: Problem): string {
  return JSON.stringify({ type: 'about:blank', title, status, code });
}

function toProblemHeaders(problem: Problem, body: string): Record<string, string | number> {
  return {
    ...SAFE_HEADERS,
    ...problem.headers,
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
  };
}
