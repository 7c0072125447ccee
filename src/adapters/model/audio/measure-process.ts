/** What runs in the thread of one measurement: it reads one recording, answers with its length and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';

const audio: unknown = workerData;
if (audio instanceof Uint8Array) {
  const { format } = await parseBuffer(audio, undefined, { duration: true, skipCovers: true });
  parentPort?.postMessage(format.duration, []);
}
