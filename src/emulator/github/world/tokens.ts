/** Who is calling: App JWTs, installation tokens and user tokens, verified as strictly as GitHub does. */
import { createVerify } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from '../behave/http-error.ts';
import type { Account, App, AppPermissions, Installation, Token } from './world-model.ts';
import { account, drawHex, nowMs, type World } from './world.ts';

export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'app'; app: App }
  | { kind: 'user'; user: Account; scopes: string[] }
  | {
      kind: 'installation';
      app: App;
      installation: Installation;
      user: Account;
      permissions: AppPermissions;
      repositoryIds: Set<number> | undefined;
    };

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** GitHub refuses a JWT that lives longer than ten minutes; a minute of clock drift is forgiven for `iat`. */
const JWT_LIFE_S = 600;
const DRIFT_S = 60;

/** The credential in an Authorization header of any accepted scheme (`bearer`, `token`, Basic's password). */
export function readCredential(header: string | undefined): string | undefined {
  const match = /^(basic|bearer|token)\s+(\S+)$/i.exec(header ?? '');
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  if (match[1].toLowerCase() !== 'basic') return match[2];
  const [user = '', ...password] = Buffer.from(match[2], 'base64').toString().split(':');
  return password.join(':') || user;
}

/** @throws HttpError 401 for a credential that GitHub would not know, 403 for a suspended installation. */
export function authenticate(world: World, header: string | undefined): Actor {
  const credential = readCredential(header);
  if (credential === undefined) {
    if (header !== undefined && header !== '') throw badCredentials();
    return { kind: 'anonymous' };
  }
  if (JWT.test(credential)) return { kind: 'app', app: verifyJwt(world, credential) };
  const token = world.state.tokens.get(credential);
  if (token === undefined) throw badCredentials();
  return toActor(world, token);
}

function badCredentials(): HttpError {
  return new HttpError(401, 'Bad credentials');
}

function toActor(world: World, token: Token): Actor {
  if (token.kind === 'user')
    return { kind: 'user', user: account(world, token.userId), scopes: token.scopes };
  const installation = world.state.installations.get(token.installationId);
  const app = installation && world.state.apps.get(installation.appId);
  if (installation === undefined || app === undefined) throw badCredentials();
  if (token.expiresAtMs <= nowMs(world)) throw badCredentials();
  if (installation.suspendedAt !== undefined)
    throw new HttpError(403, 'This installation has been suspended');
  return {
    kind: 'installation',
    app,
    installation,
    user: account(world, app.botId),
    permissions: narrowed(installation.permissions, token.permissions),
    repositoryIds: token.repositoryIds,
  };
}

/** A permission taken from the installation since the token was minted is gone from the token too. */
function narrowed(held: AppPermissions, granted: AppPermissions): AppPermissions {
  return Object.fromEntries(
    Object.entries(granted).flatMap(([name, level]) => {
      const now = held[name];
      return now === undefined ? [] : [[name, levelRank(now) < levelRank(level) ? now : level]];
    }),
  );
}

export function levelRank(level: string): number {
  return ['read', 'write', 'admin'].indexOf(level);
}

interface JwtClaims {
  iss?: unknown;
  iat?: unknown;
  exp?: unknown;
}

const Part = z.record(z.string(), z.unknown());

function decodePart(part: string): Record<string, unknown> {
  try {
    return Part.parse(JSON.parse(Buffer.from(part, 'base64url').toString()));
  } catch {
    throw undecodable();
  }
}

function undecodable(): HttpError {
  return new HttpError(401, 'A JSON web token could not be decoded');
}

function verifyJwt(world: World, jwt: string): App {
  const [head = '', body = '', signature = ''] = jwt.split('.');
  const claims: JwtClaims = decodePart(body);
  const issuer = typeof claims.iss === 'number' ? String(claims.iss) : claims.iss;
  const app = [...world.state.apps.values()].find(
    (one) => String(one.id) === issuer || one.clientId === issuer,
  );
  if (app === undefined || decodePart(head)['alg'] !== 'RS256') throw undecodable();
  const verified = createVerify('RSA-SHA256')
    .update(`${head}.${body}`)
    .verify(app.publicKey, Buffer.from(signature, 'base64url'));
  if (!verified) throw undecodable();
  checkTimes(claims, Math.floor(nowMs(world) / 1000));
  return app;
}

function checkTimes(claims: JwtClaims, nowS: number): void {
  const { iat, exp } = claims;
  if (typeof exp !== 'number' || exp <= nowS)
    throw new HttpError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (
    exp > nowS + JWT_LIFE_S + DRIFT_S ||
    (typeof iat === 'number' && exp - iat > JWT_LIFE_S + DRIFT_S)
  )
    throw new HttpError(401, "'Expiration time' claim ('exp') is too far in the future");
  if (typeof iat !== 'number' || iat > nowS + DRIFT_S)
    throw new HttpError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
}

/** Mints an installation token; it lives for one hour, as on GitHub. */
export function mintInstallationToken(
  world: World,
  grant: Omit<Extract<Token, { kind: 'installation' }>, 'kind' | 'expiresAtMs'>,
): { token: string; expiresAtMs: number } {
  const token = `ghs_${drawHex(world.random, 36)}`;
  const expiresAtMs = nowMs(world) + 3_600_000;
  world.state.tokens.set(token, { kind: 'installation', ...grant, expiresAtMs });
  return { token, expiresAtMs };
}

export function mintUserToken(world: World, userId: number, scopes: string[]): string {
  const token = `ghp_${drawHex(world.random, 36)}`;
  world.state.tokens.set(token, { kind: 'user', userId, scopes });
  return token;
}

/** The account that an actor acts as; `undefined` for anonymous callers and bare Apps. */
export function actorAccount(actor: Actor): Account | undefined {
  return actor.kind === 'user' || actor.kind === 'installation' ? actor.user : undefined;
}

/** How an actor is written in the request log, and the key of its rate limits. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'anonymous':
      return 'anonymous';
    case 'app':
      return `app:${actor.app.slug}`;
    case 'user':
      return `user:${actor.user.login}`;
    case 'installation':
      return `installation:${actor.installation.id}`;
  }
}
