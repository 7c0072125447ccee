/**
 * What Quorum reads from GitHub, and what it writes there.
 *
 * TransientError: limits, 5xx, network; with `retryAfterMs` where GitHub named one. RefusedError: `github-not-found`
 * (404, 410), `github-forbidden` (403), `github-invalid` (422), `github-moved` (transferred), `github-locked`.
 * ConflictError: `github-conflict` (409). ConfigError: `github-unauthorised` (401).
 *
 * Writes are never repeated blindly: each looks for its own trace first.
 */
import type { CallCounts } from '../../domain/run/ledger.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubReader } from './github-reader.ts';
import type { GitHubWriter } from './github-writer.ts';
import type { GitHubApp } from './github-app.ts';
import type { GitHubHistory } from './github-history.ts';
import type { GitHubCode } from './github-code.ts';
import type { GitHubSurvey } from './github-survey.ts';

/** One place to reach GitHub, bound to a repository's installation and counting every call. */
export interface GitHub {
  app: GitHubApp;
  /** Host in the noreply addresses of accounts, such as `github.com`. */
  accountHost: string;
  /** Reader and writer with the installation's token; `counts` grows as calls are made. */
  at(ref: RepositoryRef, signal?: AbortSignal): GitHubSession;
  /** Forgets tokens and cached reads of an installation that was removed or suspended. */
  forget(installationId: number): void;
}

/** Teams of the organisation that owns a repository. */
export interface GitHubTeams {
  /**
   * Which of the teams `slugs` the account is in, by its numeric id. Undefined where a person owns the repository, and
   * where the App may not read team members. That takes the optional permission `members: read`.
   */
  membership(
    ref: RepositoryRef,
    user: { id: number; login: string },
    slugs: readonly string[],
  ): Promise<string[] | undefined>;
}

export interface GitHubSession {
  read: GitHubReader;
  /** Absent where there are no teams, as at a terminal. */
  teams?: GitHubTeams;
  survey: GitHubSurvey;
  history: GitHubHistory;
  code: GitHubCode;
  write: GitHubWriter;
  counts: CallCounts;
}
