/** Answers of the gateway that are its own. */
import type { ServerResponse } from 'node:http';

export function sendMcpJson(res: ServerResponse, value: unknown): void {
  if (value === undefined) res.writeHead(202).end();
  else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** An error as the Messages API writes it. */
export function sendMessagesError(
  res: ServerResponse,
  {
    status,
    type,
    message,
    headers,
  }: { status: number; type: string; message: string; headers?: Record<string, string> },
): void {
  if (res.destroyed) return;
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify({ type: 'error', error: { type, message } }));
}
