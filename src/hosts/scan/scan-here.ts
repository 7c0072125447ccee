/** Scans in this thread: for a job that serves one event, has its own time limit and is one bundled file. */
import type { Scanner } from '../../ports/scanner.ts';
import { runScan } from '../../rules/run-scan.ts';

export const SCAN_HERE: Scanner = {
  scan: async (kind, input) => ({ kind: 'read', found: runScan(kind, input) }),
};
