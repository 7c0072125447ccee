/** `state/week.json` on the memory branch: read, and replaced where nobody has changed it since. */
import type { WeekState } from '../../../domain/digest/week-view.ts';
import {
  KEPT_WEEK_PATH,
  parseKeptWeek,
  signKeptWeek,
  type ReadWeek,
} from '../../../domain/actions/kept/kept-week.ts';
import { renderRecords } from '../../../domain/actions/signed-record.ts';
import { readKeptFile, updateKeptFile, type KeptFile, type StatePlace } from './kept-file.ts';

function fileOf({ repository: { repositoryId } }: StatePlace, secret: string): KeptFile<ReadWeek> {
  return {
    path: KEPT_WEEK_PATH,
    parse: (text) => parseKeptWeek(text, { repositoryId, secret }),
    isNot: 'not a file that an apply job signed with this key',
    details: 'Restore it from the history of the branch, or delete it and close its status issue.',
  };
}

/** @throws RefusedError `action-state-unreadable` */
export async function readKeptWeek(
  place: StatePlace,
  secret: string,
): Promise<{ week: WeekState | undefined; text: string | undefined }> {
  const { kept, text } = await readKeptFile(place, fileOf(place, secret));
  return { week: kept.kind === 'kept' ? kept.kept.week : undefined, text };
}

/** Returns whether it was written: not where another job has changed the file since it was read. */
export function writeKeptWeek(
  place: StatePlace,
  { week, before, secret }: { week: WeekState; before: string | undefined; secret: string },
): Promise<boolean> {
  const { repositoryId } = place.repository;
  const after = renderRecords(signKeptWeek(week, { repositoryId, secret }));
  return updateKeptFile(place, fileOf(place, secret), {
    message: 'quorum: keep a week',
    change: (_, standing) => (standing === before || standing === after ? after : undefined),
  });
}
