/** Operations that an App performs as itself: identity, installations, tokens, webhook settings and deliveries. */
import { z } from 'zod';
import { HttpError, notFound } from '../behave/http-error.ts';
import type {
  AccessLevel,
  AppPermissions,
  Installation,
  Repository,
} from '../world/world-model.ts';
import { ANYONE, APP } from '../world/permissions.ts';
import { toApp, toInstallation } from '../render/accounts.ts';
import { toRepository } from '../render/repositories.ts';
import {
  created,
  idParam,
  renderListPage,
  NO_CONTENT,
  ok,
  paged,
  param,
  parseBody,
  type Answer,
  type Call,
  type Route,
} from '../router.ts';
import { levelRank, mintInstallationToken, type Actor } from '../world/tokens.ts';
import { findAccount, installationCovers, toIso, type World } from '../world/world.ts';
import { removeInstallation, setSuspended } from '../world/installations.ts';

export function theApp(call: Call): Extract<Actor, { kind: 'app' }>['app'] {
  if (call.actor.kind !== 'app') throw notFound();
  return call.actor.app;
}

function ownInstallation(call: Call): Installation {
  const installation = call.world.state.installations.get(idParam(call, 'installation_id'));
  if (installation === undefined || installation.appId !== theApp(call).id) throw notFound();
  return installation;
}

const TokenRequest = z.looseObject({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).optional(),
});

function createToken(call: Call): Answer {
  const { world } = call;
  const installation = ownInstallation(call);
  if (installation.suspendedAt !== undefined)
    throw new HttpError(403, 'This installation has been suspended');
  const body = parseBody(call, TokenRequest);
  const chosen = chooseRepositories(world, installation, body);
  const permissions = choosePermissions(installation, body.permissions);
  const minted = mintInstallationToken(world, {
    installationId: installation.id,
    permissions,
    repositoryIds: chosen === undefined ? undefined : new Set(chosen.map((one) => one.id)),
  });
  return created({
    token: minted.token,
    expires_at: toIso(minted.expiresAtMs),
    permissions: { metadata: 'read', ...permissions },
    repository_selection:
      chosen === undefined && installation.repositoryIds === undefined ? 'all' : 'selected',
    ...(chosen === undefined
      ? {}
      : { repositories: chosen.map((one) => toRepository(world, one)) }),
  });
}

function chooseRepositories(
  world: World,
  installation: Installation,
  asked: z.infer<typeof TokenRequest>,
): Repository[] | undefined {
  const { repositories, repository_ids: ids } = asked;
  if (repositories === undefined && ids === undefined) return undefined;
  const all = [...world.state.repositories.values()].filter((one) =>
    installationCovers(installation, one),
  );
  const missing = new HttpError(
    422,
    'There is at least one repository that does not exist or is not accessible to the parent installation.',
  );
  const named = (repositories ?? []).map((name) => all.find((one) => one.name === name));
  const byId = (ids ?? []).map((id) => all.find((one) => one.id === id));
  return [...named, ...byId].map((one) => {
    if (one === undefined) throw missing;
    return one;
  });
}

function choosePermissions(
  installation: Installation,
  asked: Record<string, AccessLevel> | undefined,
): AppPermissions {
  if (asked === undefined) return { ...installation.permissions };
  const held: AppPermissions = { metadata: 'read', ...installation.permissions };
  for (const [name, level] of Object.entries(asked))
    if (levelRank(held[name] ?? '') < levelRank(level))
      throw new HttpError(422, 'The permissions requested are not granted to this installation.');
  return asked;
}

function findInstallation(
  call: Call,
  accountId: number | undefined,
  repository?: Repository,
): Answer {
  const app = theApp(call);
  for (const one of call.world.state.installations.values()) {
    if (one.appId !== app.id || one.accountId !== accountId) continue;
    if (repository === undefined || installationCovers(one, repository))
      return ok(toInstallation(call.world, one));
  }
  throw notFound();
}

function accountInstallation(name: string): (call: Call) => Answer {
  return (call) => findInstallation(call, findAccount(call.world, param(call, name))?.id ?? -1);
}

function installationRepositories(call: Call): Answer {
  const { actor, world } = call;
  if (actor.kind !== 'installation') throw notFound();
  const all = [...world.state.repositories.values()].filter(
    (one) =>
      installationCovers(actor.installation, one) && (actor.repositoryIds?.has(one.id) ?? true),
  );
  const { page, headers } = paged(call, all);
  return {
    status: 200,
    headers,
    body: {
      total_count: all.length,
      repository_selection: actor.installation.repositoryIds === undefined ? 'all' : 'selected',
      repositories: page.map((one) => toRepository(world, one)),
    },
  };
}

function revokeToken(call: Call): Answer {
  const { tokens } = call.world.state;
  for (const [text, token] of tokens)
    if (token.kind === 'installation' && text === call.credential) tokens.delete(text);
  return NO_CONTENT;
}

export const appRoutes: Route[] = [
  { method: 'GET', path: '/app', need: APP, run: (call) => ok(toApp(call.world, theApp(call))) },
  {
    method: 'GET',
    path: '/apps/{app_slug}',
    need: ANYONE,
    run: (call) => {
      const app = [...call.world.state.apps.values()].find(
        (one) => one.slug === param(call, 'app_slug'),
      );
      if (app === undefined) throw notFound();
      return ok(toApp(call.world, app));
    },
  },
  {
    method: 'GET',
    path: '/app/installations',
    need: APP,
    run: (call) =>
      renderListPage(
        call,
        [...call.world.state.installations.values()].filter((one) => one.appId === theApp(call).id),
        (one) => toInstallation(call.world, one),
      ),
  },
  {
    method: 'GET',
    path: '/app/installations/{installation_id}',
    need: APP,
    run: (call) => ok(toInstallation(call.world, ownInstallation(call))),
  },
  {
    method: 'DELETE',
    path: '/app/installations/{installation_id}',
    need: APP,
    run: (call) => {
      removeInstallation(call.world, ownInstallation(call));
      return NO_CONTENT;
    },
  },
  {
    method: 'POST',
    path: '/app/installations/{installation_id}/access_tokens',
    need: APP,
    run: createToken,
  },
  {
    method: 'PUT',
    path: '/app/installations/{installation_id}/suspended',
    need: APP,
    run: (call) => {
      setSuspended(call.world, ownInstallation(call), { suspended: true });
      return NO_CONTENT;
    },
  },
  {
    method: 'DELETE',
    path: '/app/installations/{installation_id}/suspended',
    need: APP,
    run: (call) => {
      setSuspended(call.world, ownInstallation(call), { suspended: false });
      return NO_CONTENT;
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/installation',
    need: APP,
    run: (call) => findInstallation(call, call.repository.ownerId, call.repository),
  },
  { method: 'GET', path: '/orgs/{org}/installation', need: APP, run: accountInstallation('org') },
  {
    method: 'GET',
    path: '/users/{username}/installation',
    need: APP,
    run: accountInstallation('username'),
  },
  {
    method: 'GET',
    path: '/installation/repositories',
    need: { kind: 'installation' },
    run: installationRepositories,
  },
  {
    method: 'DELETE',
    path: '/installation/token',
    need: { kind: 'installation' },
    run: revokeToken,
  },
];
