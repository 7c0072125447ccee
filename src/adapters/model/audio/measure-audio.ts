/**
 * How long a recording is, by the audio itself. The file is a stranger's, and its reader never yields to timers: a
 * hostile one can keep it busy for minutes and fill the heap. So each file has a thread with a deadline.
 */
import { Worker } from 'node:worker_threads';

/** Threads run the sources where this file is a source, and the build where it is built. */
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './measure-thread.ts' : './measure-thread.js',
  import.meta.url,
);
/** The 25 MB of an hour in mp3 take about one second, and the start of a thread half of one on a busy machine. */
const DEADLINE_MS = 10_000;
const MAX_HEAP_MB = 256;

/** In seconds. Undefined where the file does not say it, cannot be read, or takes too long. Never throws. */
export async function measureAudio(
  audio: Uint8Array,
  { deadlineMs = DEADLINE_MS, entry = ENTRY }: { deadlineMs?: number; entry?: URL } = {},
): Promise<number | undefined> {
  const worker = new Worker(entry, {
    workerData: audio,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // The reader's own warnings are about a stranger's file.
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const timer = setTimeout(() => resolve(undefined), deadlineMs);
  worker.on('message', (seconds: unknown) =>
    resolve(typeof seconds === 'number' ? seconds : undefined),
  );
  worker.on('error', () => resolve(undefined));
  worker.on('exit', () => resolve(undefined));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
