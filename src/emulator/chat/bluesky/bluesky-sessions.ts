/** Sessions of Bluesky: an access token for two hours, a refresh token for ninety days, each used as it is meant. */
import * as z from 'zod';
import { textOf } from './bluesky-records.ts';
import { xrpcFail, xrpcLimited, type XrpcAnswer } from './xrpc.ts';
import { accountOf, type BlueskyAccount, type BlueskyWorld } from './bluesky-world.ts';

const ACCESS_MS = 2 * 3_600_000;
const REFRESH_MS = 90 * 86_400_000;
const LOGIN_WINDOW_MS = 300_000;
const MAX_LOGINS = 30;

const Token = z.object({
  kind: z.enum(['access', 'refresh']),
  did: z.string(),
  exp: z.number(),
  id: z.number(),
});
type Token = z.infer<typeof Token>;

function issue(world: BlueskyWorld, account: BlueskyAccount, kind: Token['kind']): string {
  world.tokens += 1;
  const exp = world.clock.now() + (kind === 'access' ? ACCESS_MS : REFRESH_MS);
  const token: Token = { kind, did: account.did, exp, id: world.tokens };
  const text = `e.${Buffer.from(JSON.stringify(token)).toString('base64url')}.s`;
  world.issued.push(text);
  return text;
}

function readToken(text: string): Token | undefined {
  const part = Buffer.from(text.split('.')[1] ?? '', 'base64url').toString();
  try {
    return Token.parse(JSON.parse(part));
  } catch {
    return undefined;
  }
}

/** The account that a header speaks for, or the answer that refuses it. */
export function readBearer(
  world: BlueskyWorld,
  header: string | undefined,
  kind: Token['kind'],
): BlueskyAccount | XrpcAnswer {
  const text = /^Bearer (\S+)$/.exec(header ?? '')?.[1];
  if (text === undefined) return xrpcFail(401, 'AuthMissing', 'Authentication Required');
  const token = readToken(text);
  const account = accountOf(world, token?.did ?? '');
  if (token?.kind !== kind || account === undefined)
    return xrpcFail(400, 'InvalidToken', 'Token could not be verified');
  if (world.revoked.has(text)) return xrpcFail(400, 'ExpiredToken', 'Token has been revoked');
  if (token.exp <= world.clock.now()) return xrpcFail(400, 'ExpiredToken', 'Token has expired');
  return account;
}

export function createSession(world: BlueskyWorld, body: Record<string, unknown>): XrpcAnswer {
  const now = world.clock.now();
  world.logins = world.logins.filter((at) => now - at < LOGIN_WINDOW_MS);
  if (world.logins.length >= MAX_LOGINS)
    return xrpcLimited((world.logins[0] ?? now) + LOGIN_WINDOW_MS - now);
  world.logins.push(now);
  const account = accountOf(world, textOf(body['identifier']));
  if (world.isLocked || account === undefined || account.password !== body['password'])
    return xrpcFail(401, 'AuthenticationRequired', 'Invalid identifier or password');
  return toSession(world, account);
}

/** A refresh token is used once. */
export function refreshSession(world: BlueskyWorld, header: string | undefined): XrpcAnswer {
  const account = readBearer(world, header, 'refresh');
  if ('status' in account) return account;
  world.revoked.add((header ?? '').slice('Bearer '.length));
  return toSession(world, account);
}

function toSession(world: BlueskyWorld, account: BlueskyAccount): XrpcAnswer {
  const { did, handle } = account;
  const tokens = {
    accessJwt: issue(world, account, 'access'),
    refreshJwt: issue(world, account, 'refresh'),
  };
  return { status: 200, body: { did, handle, active: true, ...tokens } };
}
