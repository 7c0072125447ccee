/** New events as one JSON parameter of a statement. */
import type { NewEvent } from '../../../domain/event/event.ts';
import type { Work } from '../../../ports/store.ts';
import { admit, eventColumns } from '../rows.ts';

/** Events as a table: see {@link toEntries}. */
export const ENTRIES = `json_to_recordset($1::json) AS e (n int, id text, key text, run text, version int, at text,
  data text, installation bigint, dedup text, ignored text, delay bigint, timer boolean)`;

/** The parameter of {@link ENTRIES}. */
export function toEntries(events: readonly NewEvent[], from: Work | undefined): string {
  const entries = events.map((event, n) => {
    const columns = eventColumns(event, from?.installation);
    const [id, key, run, version, at, data, installation] = columns;
    const { ignored, runAt: delay, isTimer: timer, dedupKey: dedup } = admit(event, undefined, 0);
    return { n, id, key, run, version, at, data, installation, dedup, ignored, delay, timer };
  });
  return JSON.stringify(entries);
}
