/** Commits, files and comparisons in GitHub's wire form. */
import type { FileChange } from '../git/compare-revisions.ts';
import type { Commit } from '../git/objects.ts';
import type { Repository } from '../world/world-model.ts';
import { authorOf } from '../changes/push-payload.ts';
import type { World } from '../world/world.ts';
import type { Wire } from './accounts.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from './repositories.ts';

const UNSIGNED = {
  verified: false,
  reason: 'unsigned',
  signature: null,
  payload: null,
  verified_at: null,
};

function gitNodeId(kind: string, sha: string): string {
  return `${kind}_${Buffer.from(sha).toString('base64url')}`;
}

/** The form of the commits API. */
export function toCommit(world: World, repository: Repository, commit: Commit): Wire {
  const url = repositoryApiUrl(world, repository);
  const html = repositoryHtmlUrl(world, repository);
  return {
    sha: commit.sha,
    node_id: gitNodeId('C', commit.sha),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.treeSha, url: `${url}/git/trees/${commit.treeSha}` },
      url: `${url}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: UNSIGNED,
    },
    url: `${url}/commits/${commit.sha}`,
    html_url: `${html}/commit/${commit.sha}`,
    comments_url: `${url}/commits/${commit.sha}/comments`,
    author: authorOf(world, commit.author.email),
    committer: authorOf(world, commit.committer.email),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${url}/commits/${sha}`,
      html_url: `${html}/commit/${sha}`,
    })),
  };
}

/** The form of the git data API. */
export function toGitCommit(world: World, repository: Repository, commit: Commit): Wire {
  const url = repositoryApiUrl(world, repository);
  const html = repositoryHtmlUrl(world, repository);
  return {
    sha: commit.sha,
    node_id: gitNodeId('C', commit.sha),
    url: `${url}/git/commits/${commit.sha}`,
    html_url: `${html}/commit/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    tree: { sha: commit.treeSha, url: `${url}/git/trees/${commit.treeSha}` },
    message: commit.message,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${url}/git/commits/${sha}`,
      html_url: `${html}/commit/${sha}`,
    })),
    verification: UNSIGNED,
  };
}

export function toFile(
  world: World,
  repository: Repository,
  at: { file: FileChange; sha: string },
): Wire {
  const { file, sha } = at;
  const path = file.filename.split('/').map(encodeURIComponent).join('/');
  const html = repositoryHtmlUrl(world, repository);
  return {
    sha: file.sha,
    filename: file.filename,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${html}/blob/${sha}/${path}`,
    raw_url: `${html}/raw/${sha}/${path}`,
    contents_url: `${repositoryApiUrl(world, repository)}/contents/${path}?ref=${sha}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previousFilename === undefined ? {} : { previous_filename: file.previousFilename }),
  };
}

export function totals(files: readonly FileChange[]): { additions: number; deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    additions += file.additions;
    deletions += file.deletions;
  }
  return { additions, deletions };
}

export function toRef(
  world: World,
  repository: Repository,
  at: { ref: string; sha: string; type: string },
): Wire {
  const url = repositoryApiUrl(world, repository);
  return {
    ref: at.ref,
    node_id: gitNodeId('REF', at.ref),
    url: `${url}/git/${at.ref}`,
    object: { sha: at.sha, type: at.type, url: `${url}/git/${at.type}s/${at.sha}` },
  };
}
