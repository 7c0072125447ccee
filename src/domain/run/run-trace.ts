/** What runs left on a thread, this store's and others': a second instance of the App, or one before a store was lost. */
import type { MarkerStage } from '../github/marker.ts';

export interface RunTrace {
  run: string;
  /** Of its live comment or its check run: ids grow. */
  id: number;
  stage: 'active' | MarkerStage;
  /** When it was written last, by GitHub's clock, ISO 8601. */
  movedAt: string;
  /** The store knows no effect of that run. */
  isForeign?: true;
}
