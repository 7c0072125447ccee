/** Lets nobody in without the token, whether they are on this machine or not: a proxy makes everybody a local peer. */
import type { IncomingMessage } from 'node:http';
import { isSameSecret } from './same-secret.ts';

/** Whether the request has the token. Without a token set, no request has it. */
export function hasToken(req: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined || token === '') return false;
  const given = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  return isSameSecret(given, token);
}
