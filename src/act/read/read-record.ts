/** Reads everything that the store keeps of a thread: its plan, the plan's tasks and their pull requests included. */
import { z } from 'zod';
import type { ModelSwitch } from '../../domain/run/talk.ts';
import {
  relatedStreams,
  type RecordedStream,
  type ThreadRecord,
} from '../../record/thread-record.ts';
import type { StoreReader } from '../../ports/store.ts';

/** Far more than a thread ever has. */
const MAX_ROWS = 100_000;
/** A plan has at most 999 tasks, each with a pull request. */
const MAX_STREAMS = 2_000;

export type RecordStore = Pick<StoreReader, 'load'> & {
  records: Pick<StoreReader['records'], 'events' | 'effects' | 'calls'>;
};

/** @param key of the thread's stream */
export async function readRecord(key: string, store: RecordStore): Promise<ThreadRecord> {
  const streams: RecordedStream[] = [];
  const known = new Set([key]);
  // The set grows while it is read: a stream leads to others.
  for (const each of known) {
    if (streams.length >= MAX_STREAMS) break;
    const stream = await readStream(each, store);
    streams.push(stream);
    for (const related of relatedStreams(stream)) known.add(related);
  }
  return { key, streams };
}

async function readStream(key: string, store: RecordStore): Promise<RecordedStream> {
  const { records } = store;
  const [events, effects, calls, snapshot] = await Promise.all([
    records.events({ key, limit: MAX_ROWS }),
    records.effects({ key, limit: MAX_ROWS }),
    records.calls({ key, limit: MAX_ROWS }),
    store.load(key),
  ]);
  return { key, events, effects, calls, switches: switchesIn(snapshot?.state) };
}

const Switches = z.object({
  switches: z.array(
    z.object({
      model: z.string().optional(),
      by: z.string(),
      at: z.string(),
      commentId: z.number(),
    }),
  ),
});

/** A thread's state keeps who chose which model; one of a newer version may keep it otherwise. */
function switchesIn(state: unknown): ModelSwitch[] {
  return (Switches.safeParse(state).data?.switches ?? []).map(({ model, ...rest }) => ({
    ...rest,
    ...(model === undefined ? {} : { model }),
  }));
}
