/** `state/standups.json` on the memory branch: read, and replaced where nobody has changed it since. */
import {
  KEPT_STANDUPS_PATH,
  parseKeptStandups,
  renderKeptStandups,
  type StandupsToKeep,
} from '../../../domain/actions/kept/kept-standups.ts';
import { readKeptFile, updateKeptFile, type KeptFile, type StatePlace } from './kept-file.ts';

function fileOf({ repository: { repositoryId } }: StatePlace, secret: string) {
  const file: KeptFile<StandupsToKeep> = {
    path: KEPT_STANDUPS_PATH,
    parse: (text) => parseKeptStandups(text, { repositoryId, secret }),
    isNot: 'not a file that an apply job signed with this key',
    details: 'Restore it from the history of the branch, or delete it: open tensions are lost.',
  };
  return file;
}

export interface ReadStandups {
  kept: StandupsToKeep;
  /** The file as it was read. */
  text: string | undefined;
}

/** @throws RefusedError `action-state-unreadable` */
export function readKeptStandups(place: StatePlace, secret: string): Promise<ReadStandups> {
  return readKeptFile(place, fileOf(place, secret));
}

/** Returns whether it was written: not where another job has changed the file since it was read. */
export function writeKeptStandups(
  place: StatePlace,
  { kept, before, secret }: { kept: StandupsToKeep; before: string | undefined; secret: string },
): Promise<boolean> {
  const after = renderKeptStandups(kept, { repositoryId: place.repository.repositoryId, secret });
  return updateKeptFile(place, fileOf(place, secret), {
    message: 'quorum: keep a standup',
    change: (_, standing) => (standing === before || standing === after ? after : undefined),
  });
}
