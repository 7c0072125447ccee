/** Accounts, Apps and installations in GitHub's wire form. */
import type { Account, App, Installation, Team } from '../world/world-model.ts';
import { account, nodeId, type World } from '../world/world.ts';

export type Wire = Record<string, unknown>;

const USER_LINKS = ['following{/other_user}', 'gists{/gist_id}', 'starred{/owner}{/repo}'] as const;
const PLAIN_LINKS = ['followers', 'subscriptions', 'repos', 'received_events'] as const;
const NODE_KINDS = { User: 'U', Organization: 'O', Bot: 'BOT' } as const;

export function toUser(world: World, user: Account): Wire {
  const url = `${world.apiUrl}/users/${encodeURIComponent(user.login)}`;
  const wire: Wire = {
    login: user.login,
    id: user.id,
    node_id: nodeId(NODE_KINDS[user.type], user.id),
    avatar_url: `${world.htmlUrl}/avatars/${encodeURIComponent(user.login)}.svg`,
    gravatar_id: '',
    url,
    html_url: `${world.htmlUrl}/${user.type === 'Bot' ? `apps/${user.login.replace('[bot]', '')}` : user.login}`,
    organizations_url: `${url}/orgs`,
    events_url: `${url}/events{/privacy}`,
    type: user.type,
    user_view_type: 'public',
    site_admin: false,
  };
  for (const name of PLAIN_LINKS) wire[`${name}_url`] = `${url}/${name}`;
  for (const link of USER_LINKS) wire[`${link.replace(/\{.*/, '')}_url`] = `${url}/${link}`;
  return wire;
}

export function toUserById(world: World, id: number): Wire {
  return toUser(world, account(world, id));
}

/** The long form of `GET /users/{username}` and `GET /user`. */
export function toFullUser(world: World, user: Account): Wire {
  const owned = [...world.state.repositories.values()].filter((one) => one.ownerId === user.id);
  return {
    ...toUser(world, user),
    name: user.name,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: owned.filter((one) => !one.private).length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: user.createdAt,
    updated_at: user.createdAt,
  };
}

/** In their short form; a team that is gone is left out, as GitHub does. */
export function toTeams(world: World, ownerId: number, slugs: Iterable<string>): Wire[] {
  const owner = account(world, ownerId);
  return [...slugs].flatMap((slug) => {
    const team = owner.teams.get(slug);
    return team === undefined ? [] : [toTeam(world, owner, team)];
  });
}

function toTeam(world: World, { login }: Account, { id, slug }: Team): Wire {
  const url = `${world.apiUrl}/orgs/${login}/teams/${slug}`;
  return {
    id,
    node_id: nodeId('T', id),
    url,
    html_url: `${world.htmlUrl}/orgs/${login}/teams/${slug}`,
    name: slug,
    slug,
    description: null,
    privacy: 'closed',
    permission: 'push',
    type: 'organization',
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    parent: null,
  };
}

export function toOrganization(world: World, organization: Account): Wire {
  const url = `${world.apiUrl}/orgs/${organization.login}`;
  return {
    login: organization.login,
    id: organization.id,
    node_id: nodeId('O', organization.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.htmlUrl}/avatars/${organization.login}.svg`,
    description: null,
  };
}

export function toFullOrganization(world: World, organization: Account): Wire {
  const owned = [...world.state.repositories.values()].filter(
    (one) => one.ownerId === organization.id && !one.private,
  );
  return {
    ...toOrganization(world, organization),
    html_url: `${world.htmlUrl}/${organization.login}`,
    name: organization.name,
    has_organization_projects: true,
    has_repository_projects: true,
    public_repos: owned.length,
    public_gists: 0,
    followers: 0,
    following: 0,
    type: 'Organization',
    created_at: organization.createdAt,
    updated_at: organization.createdAt,
    archived_at: null,
  };
}

export function toApp(world: World, app: App): Wire {
  return {
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: nodeId('A', app.id),
    owner: toUserById(world, app.ownerId),
    name: app.name,
    description: app.description,
    external_url: app.externalUrl,
    html_url: `${world.htmlUrl}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: { metadata: 'read', ...app.permissions },
    events: app.events,
  };
}

export function toInstallation(world: World, installation: Installation): Wire {
  const app = world.state.apps.get(installation.appId);
  const owner = account(world, installation.accountId);
  const url = `${world.apiUrl}/app/installations/${installation.id}`;
  return {
    id: installation.id,
    account: toUser(world, owner),
    repository_selection: installation.repositoryIds === undefined ? 'all' : 'selected',
    access_tokens_url: `${url}/access_tokens`,
    repositories_url: `${world.apiUrl}/installation/repositories`,
    html_url: `${world.htmlUrl}/settings/installations/${installation.id}`,
    app_id: installation.appId,
    client_id: app?.clientId ?? '',
    app_slug: app?.slug ?? '',
    target_id: owner.id,
    target_type: owner.type,
    permissions: { metadata: 'read', ...installation.permissions },
    events: installation.events,
    created_at: installation.createdAt,
    updated_at: installation.updatedAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt === undefined ? null : toUser(world, owner),
    suspended_at: installation.suspendedAt ?? null,
  };
}
