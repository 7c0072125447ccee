/** `state/planning.json` on the memory branch. */
import {
  findPlanning,
  KEPT_PLANNING_PATH,
  keepPlanning,
  parseKeptPlannings,
  type KeptPlanning,
  type KeptPlannings,
  type PlanningSeed,
} from '../../../domain/actions/kept/kept-planning.ts';
import { renderRecords } from '../../../domain/actions/signed-record.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';
import { readKeptFile, updateKeptFile, type KeptFile, type StatePlace } from './kept-file.ts';

const FILE: KeptFile<KeptPlannings> = {
  path: KEPT_PLANNING_PATH,
  parse: parseKeptPlannings,
  isNot: 'not a file that this version reads',
  details: 'Restore it from the history of the branch, or delete it and ask for its plans again.',
};

/** @throws RefusedError `action-state-unreadable` */
export async function readPlannings(place: StatePlace): Promise<KeptPlannings> {
  return (await readKeptFile(place, FILE)).kept;
}

interface Keeping {
  thread: ThreadRef;
  seed: PlanningSeed;
  at: string;
  secret: string;
  /** The record that this one follows; undefined where no record was believed. */
  instead: KeptPlanning | undefined;
}

/** Returns whether it was written: not where another job has changed the record since it was read. */
export async function writePlanning(
  place: StatePlace,
  { thread, seed, at, secret, instead }: Keeping,
): Promise<boolean> {
  return updateKeptFile(place, FILE, {
    message: `quorum: keep the planning of #${thread.number}`,
    change: (before) => {
      const after = keepPlanning(before, { thread, seed, at }, secret);
      const standing = findPlanning(before, thread, secret)?.signature;
      const own = findPlanning(after, thread, secret)?.signature;
      const mayWrite = standing === instead?.signature || standing === own;
      return mayWrite ? renderRecords(after) : undefined;
    },
  });
}
