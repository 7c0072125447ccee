/** What goes to a scanning thread and comes back; `ready` is its first word. */
import type { ScanKind, Scans } from '../../domain/run/scan.ts';

/** One scan of any kind. */
export interface ScanOrder<K extends ScanKind = ScanKind> {
  kind: K;
  input: Scans[K]['input'];
}

/** What a thread found is what the order's kind brings: only whoever gave the order knows which. */
export type ScanAnswer<T = never> = 'ready' | { found: T } | { error: Error };
