/** What runs in a scanning thread: the pure rules, one scan at a time. */
import { parentPort } from 'node:worker_threads';
import type { ScanAnswer, ScanOrder } from '../../adapters/scanner/scan-messages.ts';
import { runScan } from '../../rules/run-scan.ts';

type Answer = ScanAnswer<ReturnType<typeof runScan>>;

function answer({ kind, input }: ScanOrder): Answer {
  try {
    return { found: runScan(kind, input) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

parentPort?.on('message', (order: ScanOrder) => parentPort?.postMessage(answer(order), []));
parentPort?.postMessage('ready' satisfies Answer, []);
