/** What readers and writers of one session have in common. */
import type { JobSignatures } from '../../domain/github/job-signature.ts';
import type { Clock, Random } from '../../ports/clock.ts';
import type { PullChanges } from '../../ports/github/pulls.ts';
import type { Identity } from './identity.ts';
import type { KeptAnswers } from './cache/kept.ts';
import type { Calls } from './installation-client.ts';
import type { GitHubLog } from './client/github-options.ts';
import type { RepositoryLocator } from './repository-locator.ts';
import type { WriteCache } from './cache/recall.ts';
import type { Locks } from './client/key-locks.ts';
import type { Trees } from './read/trees.ts';

/** Undefined bytes: there is no text there. `isCut`: GitHub did not send all of it. */
export interface KeptText {
  bytes: Buffer | undefined;
  isCut: boolean;
}

export interface SessionContext {
  installationId: number;
  /** Host of GitHub's pages. */
  host: string;
  calls: Calls;
  identity: Identity;
  places: RepositoryLocator;
  trees: Trees;
  recall: WriteCache;
  /** By installation, repository and range. */
  changes: KeptAnswers<PullChanges>;
  /** By installation, repository, commit and path; undefined inside for what is no text there. */
  texts: KeptAnswers<KeptText>;
  /** One ensure… at a time for each thread: look and write belong together. */
  locks: Locks;
  clock: Clock;
  random: Random;
  log: GitHubLog;
  markerSecret: string;
  jobSignatures: JobSignatures | undefined;
  /** Undefined with a token: then only their external ids tell check runs apart. */
  appId: number | undefined;
  /** Whether the token is of one job of a workflow: `GitHubOptions` says what follows from that. */
  isJobToken: boolean;
  /** Holds `uncheckedHead` of `GitHubOptions`, until the first check run of a review is there. */
  uncheckedHeads: Set<string>;
}
