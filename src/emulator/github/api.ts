/** Answers one API call: who asks, is it allowed, is it within limits, then the operation; also used in-process. */
import { createHash } from 'node:crypto';
import { addressById } from './by-id.ts';
import { HttpError, notFound } from './behave/http-error.ts';
import type { Limits } from './behave/rate-limits.ts';
import type { Repository } from './world/world-model.ts';
import { authorize, canSee, type Need } from './world/permissions.ts';
import type { Answer, Call, Match, Matcher, RepositoryCall } from './router.ts';
import { actorName, authenticate, readCredential, type Actor } from './world/tokens.ts';
import { findRepository, fullName, nowMs, type Operation, type World } from './world/world.ts';

export interface ApiRequest {
  method: string;
  /** Without `/api/v3`. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: unknown;
}

/** A finished answer, ready to be written. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, string>;
  /** The exact bytes; empty for 204 and 304. */
  payload: Buffer;
  route: string;
  actor: string;
}

export interface Api {
  match: Matcher;
  world: World;
  limits: Limits;
}

export async function answerApi(api: Api, request: ApiRequest): Promise<ApiAnswer> {
  const match = api.match(request.method, request.path);
  const route = match === undefined ? '' : match.route.path;
  let actor: Actor = { kind: 'anonymous' };
  try {
    actor = authenticate(api.world, request.headers['authorization']);
    const answer = await admitted(api, request, { actor, match });
    return finish(api, request, { answer, actor, route });
  } catch (error) {
    return finish(api, request, { answer: toAnswer(error), actor, route });
  }
}

async function admitted(
  api: Api,
  request: ApiRequest,
  { actor, match }: { actor: Actor; match: Match | undefined },
): Promise<Answer> {
  const caller = { key: actorName(actor), actor, atMs: nowMs(api.world) };
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isGraphql = match?.route.path === '/graphql';
  api.limits.admit(caller, {
    points: isRead || (isGraphql && !isMutation(request.body)) ? 1 : 5,
    isContent: match?.route.isContent ?? false,
    isGraphql,
  });
  if (match === undefined) throw notFound();
  return runOperation(api.world, request, { actor, match });
}

function isMutation(body: unknown): boolean {
  const query: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'query') : '';
  return typeof query === 'string' && /^[ \t]*mutation\b/m.test(query);
}

/** What `World.operate` does: the operation itself, without HTTP, limits and faults. */
export async function operate(
  { world, match }: Pick<Api, 'world' | 'match'>,
  actor: Actor,
  { method, path, body }: Operation,
): Promise<unknown> {
  const [pathname = path, search = ''] = path.split('?');
  const found = match(method, pathname);
  if (found === undefined) throw new Error(`the emulator serves no ${method} ${pathname}`);
  const request = { method, path: pathname, query: new URLSearchParams(search), headers: {}, body };
  const answer = await runOperation(world, request, { actor, match: found });
  if (answer.status >= 400) throw new HttpError(answer.status, JSON.stringify(answer.body));
  return answer.body === undefined
    ? undefined
    : (JSON.parse(JSON.stringify(answer.body)) as unknown);
}

async function runOperation(
  world: World,
  request: ApiRequest,
  { actor, match }: { actor: Actor; match: Match },
): Promise<Answer> {
  const repository = findPathRepository(world, match.params);
  const redirect = redirectOf(world, request, { actor, repository, params: match.params });
  if (redirect !== undefined) return redirect;
  authorize(world, actor, {
    need: match.route.need,
    ...(repository === undefined ? {} : { repository }),
  });
  const call: Call = {
    world,
    actor,
    params: match.params,
    query: request.query,
    body: request.body,
    accept: request.headers['accept'] ?? '',
    credential: readCredential(request.headers['authorization']),
    pageUrl:
      repository === undefined
        ? `${world.apiUrl}${request.path}`
        : addressById(world, repository, request.path),
  };
  const answer = await match.route.run(withRepository(call, repository));
  const isWrite = request.method !== 'GET' && match.route.path !== '/graphql';
  if (isWrite && actor.kind === 'installation') world.state.appWroteAtMs = nowMs(world);
  return answer;
}

function withRepository(call: Call, repository: Repository | undefined): RepositoryCall {
  return {
    ...call,
    get repository() {
      if (repository === undefined) throw notFound();
      return repository;
    },
  };
}

function findPathRepository(world: World, params: Record<string, string>): Repository | undefined {
  const { owner, repo } = params;
  if (owner === undefined || repo === undefined) return undefined;
  return findRepository(world, `${owner}/${repo}`);
}

/** A renamed or moved repository answers under its old name with a redirect by id, as GitHub does. */
function redirectOf(
  world: World,
  request: ApiRequest,
  at: { actor: Actor; repository: Repository | undefined; params: Record<string, string> },
): Answer | undefined {
  const { owner, repo } = at.params;
  if (at.repository === undefined || owner === undefined || repo === undefined) return undefined;
  if (fullName(world, at.repository).toLowerCase() === `${owner}/${repo}`.toLowerCase())
    return undefined;
  if (!canSee(world, at.actor, at.repository)) return undefined;
  const search = request.query.size === 0 ? '' : `?${request.query.toString()}`;
  const url = `${addressById(world, at.repository, request.path)}${search}`;
  const status = request.method === 'GET' ? 301 : 307;
  return {
    status,
    headers: { location: url },
    body: { message: 'Moved Permanently', url, documentation_url: 'https://docs.github.com/rest' },
  };
}

function toAnswer(error: unknown): Answer {
  if (error instanceof HttpError)
    return { status: error.status, body: error.toBody(), headers: error.headers };
  // A bug in the emulator. The answer may show it: the emulator is reached from this machine only.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { status: 500, body: { message: 'Server Error', emulator_defect: message } };
}

function finish(
  api: Api,
  request: ApiRequest,
  { answer, actor, route }: { answer: Answer; actor: Actor; route: string },
): ApiAnswer {
  const caller = { key: actorName(actor), actor, atMs: nowMs(api.world) };
  const isJson = answer.headers?.['content-type'] === undefined;
  const payload = toPayload(answer, isJson);
  const etag = toTag(api.world, request, payload);
  const isRead = request.method === 'GET' && answer.status === 200;
  const isSame = isRead && request.headers['if-none-match'] === etag;
  // A conditional request without changes is free, and so is asking for the limits.
  if (!isSame && request.path !== '/rate_limit') api.limits.charge(caller);
  return {
    status: isSame ? 304 : answer.status,
    payload: isSame ? Buffer.alloc(0) : payload,
    route,
    actor: actorName(actor),
    headers: {
      date: new Date(nowMs(api.world)).toUTCString(),
      ...(payload.length === 0 || !isJson
        ? {}
        : { 'content-type': 'application/json; charset=utf-8' }),
      ...(isRead ? { etag, 'cache-control': 'private, max-age=60, s-maxage=60' } : {}),
      'x-github-media-type': 'github.v3; format=json',
      'x-github-request-id': `EMULATOR:${api.world.state.lastId}`,
      ...api.limits.headers(caller),
      ...scopesOf(actor),
      ...acceptedPermissions(api.match(request.method, request.path)?.route.need),
      ...ownHeaders(api.world, answer, isSame),
    },
  };
}

/** What a person's token may do, which gh shows. */
function scopesOf(actor: Actor): Record<string, string> {
  return actor.kind === 'user' ? { 'x-oauth-scopes': actor.scopes.join(', ') } : {};
}

function toTag({ behaviour }: World, { headers }: ApiRequest, payload: Buffer): string {
  const hash = createHash('sha256').update(payload);
  if (behaviour.tagsByToken) hash.update(readCredential(headers['authorization']) ?? '');
  return `W/"${hash.digest('hex')}"`;
}

function ownHeaders({ behaviour }: World, { headers }: Answer, isSame: boolean): Answer['headers'] {
  return isSame && behaviour.hidesLinkIn304 ? {} : headers;
}

function toPayload(answer: Answer, isJson: boolean): Buffer {
  if (answer.body === undefined || answer.status === 204) return Buffer.alloc(0);
  if (!isJson && typeof answer.body === 'string') return Buffer.from(answer.body);
  if (!isJson && Buffer.isBuffer(answer.body)) return answer.body;
  return Buffer.from(JSON.stringify(answer.body));
}

/** GitHub tells which App permissions a route takes. */
function acceptedPermissions(need: Need | undefined): Record<string, string> {
  if (need?.kind !== 'repository') return {};
  return {
    'x-accepted-github-permissions': need.permissions
      .map((name) => `${name}=${need.level}`)
      .join('; '),
  };
}
