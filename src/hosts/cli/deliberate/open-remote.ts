/** An issue or a pull request on GitHub, read with a person's token; what the team would write stays here. */
import { z } from 'zod';
import { createGitHub } from '../../../adapters/github/create-github.ts';
import { createUnwrittenReviews } from '../../../adapters/local/no-reviews.ts';
import { createLocalWriter, type LocalThread } from '../../../adapters/local/local-thread.ts';
import type { LocalChange } from '../../../adapters/local/local-repository.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import type { Actor, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { GitHubPulls } from '../../../ports/github/pulls.ts';
import type { Basics } from '../../host-parts.ts';

export interface RemoteOptions {
  basics: Basics;
  token: string;
  apiUrl: string;
  repository: string;
  number: number;
  markerSecret: string;
  onWrite: (change: LocalChange) => void;
}

/** Where a discussion happens, and who asked for it. */
export interface RemoteStage {
  github: GitHubPulls;
  thread: ThreadRef;
  actor: Actor;
}

const TIMEOUT_MS = 15_000;
const Found = z.object({ id: z.number() });

/** Opens it. ConfigError `github-unauthorised`, `repository-unknown`. */
export async function openRemote(options: RemoteOptions): Promise<RemoteStage> {
  const { basics, token, apiUrl, markerSecret, number } = options;
  const [owner = '', repo = ''] = options.repository.split('/');
  const github = createGitHub({
    ...basics,
    auth: { kind: 'token', token },
    baseUrl: apiUrl,
    markerSecret,
  });
  const repositoryId = await findRepository(options);
  const thread: ThreadRef = { installationId: 0, repositoryId, owner, repo, number };
  return {
    github: await withoutWrites(github, thread, options),
    thread,
    actor: await github.app.self(),
  };
}

/** Streams are kept by the repository's number, which only GitHub knows. */
async function findRepository({ apiUrl, repository, token }: RemoteOptions): Promise<number> {
  const answer = await fetch(`${apiUrl}/repos/${repository}`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'user-agent': 'quorum',
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.ok) return Found.parse(await answer.json()).id;
  if (answer.status === 401)
    throw new ConfigError({
      code: 'github-unauthorised',
      message: `${apiUrl} does not accept GITHUB_TOKEN. Make a new one that may read ${repository}.`,
    });
  throw new ConfigError({
    code: 'repository-unknown',
    message: `${apiUrl} answered ${answer.status} for ${repository}. Check --repo, and that GITHUB_TOKEN may read it.`,
  });
}

async function withoutWrites(
  github: GitHubPulls,
  ref: ThreadRef,
  { basics, markerSecret, onWrite }: RemoteOptions,
): Promise<GitHubPulls> {
  const thread: LocalThread = {
    ref,
    state: 'open',
    labels: new Set(),
    reactions: new Set(),
    comments: [],
    updatedAt: new Date(basics.clock.now()).toISOString(),
  };
  const self = await github.app.self();
  const write = createLocalWriter({ thread, self, clock: basics.clock, markerSecret, onWrite });
  return {
    app: github.app,
    accountHost: github.accountHost,
    forget: (installationId) => github.forget(installationId),
    at(place, signal) {
      const { read, survey, history, code, counts, pulls } = github.at(place, signal);
      const reviews = createUnwrittenReviews();
      // The same object: it grows as calls are made.
      return { read, survey, history, code, counts, write, pulls, reviews };
    },
  };
}
