/** Repositories in GitHub's wire form. */
import { nodeId, fullName, account, type World } from '../world/world.ts';
import type { Repository } from '../world/world-model.ts';
import { allows } from '../checks/required.ts';
import { toUser, type Wire } from './accounts.ts';

/** Link name to the end of its URL, where the two differ. */
const API_LINKS: Record<string, string> = {
  archive: '{archive_format}{/ref}',
  assignees: 'assignees{/user}',
  blobs: 'git/blobs{/sha}',
  branches: 'branches{/branch}',
  collaborators: 'collaborators{/collaborator}',
  comments: 'comments{/number}',
  commits: 'commits{/sha}',
  compare: 'compare/{base}...{head}',
  contents: 'contents/{+path}',
  contributors: 'contributors',
  deployments: 'deployments',
  downloads: 'downloads',
  events: 'events',
  forks: 'forks',
  git_commits: 'git/commits{/sha}',
  git_refs: 'git/refs{/sha}',
  git_tags: 'git/tags{/sha}',
  hooks: 'hooks',
  issue_comment: 'issues/comments{/number}',
  issue_events: 'issues/events{/number}',
  issues: 'issues{/number}',
  keys: 'keys{/key_id}',
  labels: 'labels{/name}',
  languages: 'languages',
  merges: 'merges',
  milestones: 'milestones{/number}',
  notifications: 'notifications{?since,all,participating}',
  pulls: 'pulls{/number}',
  releases: 'releases{/id}',
  stargazers: 'stargazers',
  statuses: 'statuses/{sha}',
  subscribers: 'subscribers',
  subscription: 'subscription',
  tags: 'tags',
  teams: 'teams',
  trees: 'git/trees{/sha}',
};

export function repositoryApiUrl(world: World, repository: Repository): string {
  return `${world.apiUrl}/repos/${fullName(world, repository)}`;
}

export function repositoryHtmlUrl(world: World, repository: Repository): string {
  return `${world.htmlUrl}/${fullName(world, repository)}`;
}

/** The short form, as in lists of installations' repositories and inside other objects. */
export function toMinimalRepository(world: World, repository: Repository): Wire {
  const url = repositoryApiUrl(world, repository);
  const wire: Wire = {
    id: repository.id,
    node_id: nodeId('R', repository.id),
    name: repository.name,
    full_name: fullName(world, repository),
    private: repository.private,
    owner: toUser(world, account(world, repository.ownerId)),
    html_url: repositoryHtmlUrl(world, repository),
    description: repository.description,
    fork: repository.forkOf !== undefined,
    url,
  };
  for (const [name, end] of Object.entries(API_LINKS)) wire[`${name}_url`] = `${url}/${end}`;
  return wire;
}

/** The form of webhook payloads and of `repo` in a pull request. */
export function toRepository(world: World, repository: Repository): Wire {
  const html = repositoryHtmlUrl(world, repository);
  const open = [...repository.threads.values()].filter((one) => one.state === 'open').length;
  return {
    ...toMinimalRepository(world, repository),
    git_url: `${html.replace(/^https?/, 'git')}.git`,
    ssh_url: `git@${new URL(world.htmlUrl).host}:${fullName(world, repository)}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    homepage: null,
    size: 1,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: repository.hasNoIssues !== true,
    has_projects: true,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    mirror_url: null,
    archived: repository.archived,
    disabled: false,
    open_issues_count: open,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    forks: 0,
    open_issues: open,
    watchers: 0,
    default_branch: repository.defaultBranch,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt,
  };
}

/** The long form of `GET /repos/{owner}/{repo}`. */
export function toFullRepository(world: World, repository: Repository): Wire {
  const parent =
    repository.forkOf === undefined ? undefined : world.state.repositories.get(repository.forkOf);
  return {
    ...toRepository(world, repository),
    temp_clone_token: null,
    allow_squash_merge: allows(repository, 'squash'),
    allow_merge_commit: allows(repository, 'merge'),
    allow_rebase_merge: allows(repository, 'rebase'),
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    network_count: 0,
    subscribers_count: 0,
    ...(parent === undefined
      ? {}
      : { parent: toRepository(world, parent), source: toRepository(world, parent) }),
  };
}
