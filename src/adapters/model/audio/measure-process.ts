/** What runs in the process of one measurement: it reads one recording, answers with its length and ends. */
import { readLength } from './read-length.ts';

process.once('message', (audio: unknown) => {
  void (audio instanceof Uint8Array ? readLength(audio) : Promise.resolve(undefined)).then(
    (seconds) => process.send?.(seconds ?? null),
  );
});
