/** Calls a function of the sources in a thread of its own, so that one that never ends fails a test and not the run. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';

const RUN = `const { parentPort, workerData: { file, name, args } } = require('node:worker_threads');
import(file).then((module) => parentPort.postMessage(module[name](...args)));`;

/** What it returns; an error where it takes longer than a minute, which is a hang guard and no measure. */
export async function callInThread(
  { file, name }: { file: string; name: string },
  ...args: readonly unknown[]
): Promise<unknown> {
  const at = path.resolve(import.meta.dirname, '../../src', file);
  const worker = new Worker(RUN, { eval: true, workerData: { file: at, name, args } });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const late = setTimeout(() => reject(new Error(`${name} did not end`)), 60_000);
  worker.once('message', resolve);
  worker.once('error', reject);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}
