/** What readers and writers of one session have in common. */
import type { Clock } from '../../ports/clock.ts';
import type { PullChanges } from '../../ports/pulls.ts';
import type { Identity } from './identity.ts';
import type { Kept } from './kept.ts';
import type { Calls } from './line.ts';
import type { GitHubLog } from './options.ts';
import type { Places } from './places.ts';
import type { Recall } from './recall.ts';
import type { Locks } from './semaphore.ts';
import type { Trees } from './trees.ts';

/** Undefined bytes: there is no text there. `isCut`: GitHub did not send all of it. */
export interface KeptText {
  bytes: Buffer | undefined;
  isCut: boolean;
}

export interface Bound {
  installationId: number;
  calls: Calls;
  identity: Identity;
  places: Places;
  trees: Trees;
  recall: Recall;
  /** By installation, repository and range. */
  changes: Kept<PullChanges>;
  /** By installation, repository, commit and path; undefined inside for what is no text there. */
  texts: Kept<KeptText>;
  /** One ensure… at a time for each thread: look and write belong together. */
  locks: Locks;
  clock: Clock;
  log: GitHubLog;
  markerSecret: string;
  /** Undefined with a token: then check runs are told apart by their external id only. */
  appId: number | undefined;
}
