/** A small pool of threads that scan: started with the first scan, ended when idle, replaced when a deadline passes. */
import { Worker } from 'node:worker_threads';
import type { ScanKind, Scanned, Scans } from '../../domain/run/scan.ts';
import type { Scanner } from '../../ports/scanner.ts';
import type { ScanAnswer, ScanOrder } from './scan-messages.ts';

export interface ThreadScannerOptions {
  /** The module that a thread runs; it answers each {@link ScanOrder} with a {@link ScanAnswer}. */
  entry: URL;
  /** Milliseconds that a scan may take, by kind. */
  deadlinesMs?: Partial<Record<ScanKind, number>>;
  /** Threads at most; two by default. */
  threads?: number;
}

/**
 * Ordinary scans take milliseconds to a few seconds; a whole repository of 5 MB takes some ten. The rest is room for a
 * machine that is busy.
 */
const DEADLINES_MS: Readonly<Record<ScanKind, number>> = {
  issue: 30_000,
  change: 60_000,
  code: 300_000,
  standup: 30_000,
};
const THREADS = 2;
/** A thread that has had nothing to do for so long gives its memory back. */
const IDLE_MS = 30_000;
/** Before a thread that never says that it is ready is given up. */
const START_MS = 60_000;
/** What one scan may hold: a text that needs more ends its thread and not the process. */
const MAX_HEAP_MB = 1024;

interface Job {
  order: ScanOrder;
  settle: (scanned: Scanned<never>) => void;
  fail: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  job: Job | undefined;
  isReady: boolean;
  timer: NodeJS.Timeout | undefined;
}

export class ThreadScanner implements Scanner {
  readonly #options: ThreadScannerOptions;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];

  constructor(options: ThreadScannerOptions) {
    this.#options = options;
  }

  scan<K extends ScanKind>(
    kind: K,
    input: Scans[K]['input'],
  ): Promise<Scanned<Scans[K]['output']>> {
    const { promise, resolve, reject } = Promise.withResolvers<Scanned<Scans[K]['output']>>();
    this.#waiting.push({ order: { kind, input }, settle: resolve, fail: reject });
    this.#next();
    return promise;
  }

  /** Threads that live. */
  get size(): number {
    return this.#threads.size;
  }

  #next(): void {
    if (this.#waiting.length === 0) return;
    const free = [...this.#threads].find(({ job }) => job === undefined) ?? this.#start();
    const job = free === undefined ? undefined : this.#waiting.shift();
    if (free === undefined || job === undefined) return;
    free.job = job;
    free.worker.ref();
    if (free.isReady) this.#give(free, job);
  }

  #start(): Thread | undefined {
    const { entry, threads = THREADS } = this.#options;
    if (this.#threads.size >= threads) return undefined;
    const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    const thread: Thread = { worker, job: undefined, isReady: false, timer: undefined };
    this.#threads.add(thread);
    this.#endAfter(thread, START_MS, 'its thread did not start');
    worker.on('message', (answer: ScanAnswer) => this.#take(thread, answer));
    worker.on('error', (error: NodeJS.ErrnoException) => this.#lose(thread, reasonOf(error)));
    worker.on('exit', () => this.#lose(thread, 'its thread ended'));
    return thread;
  }

  #give(thread: Thread, { order }: Job): void {
    const ms = this.#options.deadlinesMs?.[order.kind] ?? DEADLINES_MS[order.kind];
    this.#endAfter(thread, ms, `it took longer than ${ms / 1000} s`);
    thread.worker.postMessage(order, []);
  }

  #take(thread: Thread, answer: ScanAnswer): void {
    if (answer === 'ready') {
      thread.isReady = true;
      if (thread.job !== undefined) this.#give(thread, thread.job);
      return;
    }
    const { job } = thread;
    thread.job = undefined;
    thread.worker.unref();
    this.#endAfter(thread, IDLE_MS, 'it was idle');
    if ('found' in answer) job?.settle({ kind: 'read', found: answer.found });
    else job?.fail(answer.error);
    this.#next();
  }

  #endAfter(thread: Thread, ms: number, reason: string): void {
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => this.#lose(thread, reason), ms);
    if (thread.job === undefined) thread.timer.unref();
  }

  /** A thread inside a pattern hears nothing: it is ended, and the next scan starts another one. */
  #lose(thread: Thread, reason: string): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.job?.settle({ kind: 'not-read', reason });
    thread.job = undefined;
    this.#next();
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'it needed too much memory'
    : `its thread failed: ${message}`;
}
