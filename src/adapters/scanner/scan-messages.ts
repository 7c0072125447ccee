/** Messages to a scanning thread, and its answers; `ready` is its first one. */
import type { ScanKind, Scans } from '../../domain/run/scan.ts';

/** One scan of any kind. */
export interface ScanOrder<K extends ScanKind = ScanKind> {
  kind: K;
  input: Scans[K]['input'];
}

/** What a thread found depends on the kind of order: only the caller that gave the order knows its type. */
export type ScanAnswer<T = never> = 'ready' | { found: T } | { error: Error };
