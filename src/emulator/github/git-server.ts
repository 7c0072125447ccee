/** Clone, fetch and push with the API's own tokens and permissions; pushes become events. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasPermission } from '../../domain/run/thread-ref.ts';
import { serveGit, type GitRequest } from './git/http-backend.ts';
import { HttpError } from './behave/http-error.ts';
import type { Repository } from './world/world-model.ts';
import { canSee, covers, holds } from './world/permissions.ts';
import { withAnnouncement } from './changes/pushes.ts';
import { signedBranches } from './checks/required.ts';
import { actorAccount, actorName, authenticate, type Actor } from './world/tokens.ts';
import { findRepository, fullName, roleOf, type World } from './world/world.ts';

export interface GitExchange {
  req: IncomingMessage;
  res: ServerResponse;
  request: GitRequest;
  query: URLSearchParams;
  /** Let the push happen and cut the line instead of answering. */
  discard: boolean;
}

/** Serves one smart HTTP request and says how it went. */
export async function answerGit(
  world: World,
  exchange: GitExchange,
): Promise<{ status: number; actor: string }> {
  const { req, res, request } = exchange;
  let actor: Actor = { kind: 'anonymous' };
  try {
    actor = authenticate(world, req.headers.authorization);
    const repository = findRepository(world, `${request.owner}/${request.name}`);
    admit(world, actor, { repository, request });
    if (repository === undefined) throw new HttpError(404, 'Repository not found.');
    const moved = movedTo(world, repository, exchange);
    if (moved !== undefined) {
      req.resume();
      res.writeHead(301, { location: moved }).end();
      return { status: 301, actor: actorName(actor) };
    }
    return { ...(await serve(world, exchange, { actor, repository })), actor: actorName(actor) };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const headers = error.status === 401 ? { 'www-authenticate': 'Basic realm="GitHub"' } : {};
    req.resume();
    res
      .writeHead(error.status, { 'content-type': 'text/plain', ...headers })
      .end(`${error.message}\n`);
    return { status: error.status, actor: actorName(actor) };
  }
}

/**
 * GitHub redirects git at a former name of the repository or of its owner. A new repository that takes the name ends the
 * redirect. https://docs.github.com/en/repositories/creating-and-managing-repositories/renaming-a-repository
 */
function movedTo(
  world: World,
  repository: Repository,
  { req, request }: GitExchange,
): string | undefined {
  const now = fullName(world, repository);
  if (now.toLowerCase() === `${request.owner}/${request.name}`.toLowerCase()) return undefined;
  const { search } = new URL(req.url ?? '/', world.htmlUrl);
  return `${world.htmlUrl}/${now}.git/${request.file}${search}`;
}

/** Like GitHub: 401 for the anonymous where a login could help, 404 for what is invisible, 403 without the right. */
function admit(
  world: World,
  actor: Actor,
  at: { repository: Repository | undefined; request: GitRequest },
): void {
  const { repository, request } = at;
  const isHidden = repository === undefined || !canSee(world, actor, repository);
  if (actor.kind === 'anonymous' && (isHidden || request.isPush))
    throw new HttpError(401, 'Authentication required.');
  if (repository === undefined || isHidden || actor.kind === 'app')
    throw new HttpError(404, 'Repository not found.');
  if (mayUse(world, actor, { repository, request })) return;
  throw new HttpError(
    403,
    `Permission to ${request.owner}/${request.name}.git denied to ${actorAccount(actor)?.login ?? 'you'}.`,
  );
}

function mayUse(
  world: World,
  actor: Actor,
  at: { repository: Repository; request: GitRequest },
): boolean {
  const { repository, request } = at;
  if (request.isPush && repository.archived) return false;
  switch (actor.kind) {
    case 'anonymous':
    case 'app':
      return !request.isPush;
    case 'user':
      return hasPermission(
        roleOf(world, repository, actor.user.id),
        request.isPush ? 'write' : 'read',
      );
    case 'installation': {
      if (!request.isPush && !repository.private) return true;
      const level = request.isPush ? 'write' : 'read';
      return covers(actor, repository) && holds(actor, { permissions: ['contents'], level });
    }
  }
}

async function serve(
  world: World,
  exchange: GitExchange,
  { actor, repository }: { actor: Actor; repository: Repository },
): Promise<{ status: number }> {
  const by = actorAccount(actor);
  const serveOnce = (): Promise<{ status: number }> =>
    serveGit(exchange.req, exchange.res, {
      gitDir: repository.gitDir,
      request: exchange.request,
      user: by?.login ?? '',
      query: exchange.query.toString(),
      refuseWorkflows: mayNotTouchWorkflows(actor),
      signed: signedBranches(repository),
      discard: exchange.discard,
    });
  const isReceive = exchange.request.file === 'git-receive-pack';
  if (!isReceive || by === undefined) return ended(exchange, await serveOnce());
  const appId = actor.kind === 'installation' ? actor.app.id : undefined;
  const done = await withAnnouncement({ world, repository, by, appId }, serveOnce);
  return ended(exchange, done);
}

/** The answer ends only after the consequences are recorded, so that a client that goes on finds them. */
function ended(exchange: GitExchange, done: { status: number }): { status: number } {
  if (exchange.discard) exchange.req.socket.destroy();
  else exchange.res.end();
  return done;
}

export function mayNotTouchWorkflows(actor: Actor): boolean {
  return (
    actor.kind === 'installation' && !holds(actor, { permissions: ['workflows'], level: 'write' })
  );
}
