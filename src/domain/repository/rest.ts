/** Whether a workspace has come to its end: nothing is open, plans are complete, and what builds it is well. */
import type { RepositoryRef } from '../run/thread-ref.ts';

/** What says that it may be time to look: a plan is complete, the quality loop began or ended, or an hour has passed. */
export type RestHint = 'plan' | 'loop-begun' | 'loop-ended' | 'hour';

/** `awake`: there is work, or it is not known yet, and nothing was checked. `sick`: its health check failed. */
export type RestView = { kind: 'awake'; why: string } | { kind: 'sick'; why: string } | WellView;

export interface WellView {
  kind: 'well';
  repository: RepositoryRef;
  fullName: string;
  headSha: string;
  /** What says that this commit is well, by name; none where nothing builds it. */
  builds: string[];
  /** Complete plans, the last one first. */
  plans: { number: number; title: string }[];
  /** When the last of them was closed, ISO 8601. */
  since: string;
  /** What the label `finished` is called here. */
  label: string;
}
