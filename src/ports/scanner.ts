/** Scans strangers' text away from the thread that serves everything else, and for a limited time. */
import type { ScanKind, Scanned, Scans } from '../domain/run/scan.ts';

export interface Scanner {
  /**
   * Runs one scan. Resolves with `not-read` and a reason when its deadline passed or its thread ended. Rejects with the
   * scan's own error, which is a bug of a rule.
   */
  scan<K extends ScanKind>(kind: K, input: Scans[K]['input']): Promise<Scanned<Scans[K]['output']>>;
}
