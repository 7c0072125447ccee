/** `state/plans.json` on the memory branch. */
import {
  findKeptPlan,
  KEPT_PLANS_PATH,
  keepPlan,
  parseKeptPlans,
  type KeptPlan,
  type KeptPlans,
  type PlanToKeep,
} from '../../../domain/actions/kept/kept-plans.ts';
import { renderRecords } from '../../../domain/actions/signed-record.ts';
import { readKeptFile, updateKeptFile, type KeptFile, type StatePlace } from './kept-file.ts';

const FILE: KeptFile<KeptPlans> = {
  path: KEPT_PLANS_PATH,
  parse: parseKeptPlans,
  isNot: 'not a file that this version reads',
  details: 'Restore it from the history of the branch, or delete it and approve its plans again.',
};

/** @throws RefusedError `action-state-unreadable` */
export async function readKeptPlans(place: StatePlace): Promise<KeptPlans> {
  return (await readKeptFile(place, FILE)).kept;
}

interface Keeping {
  kept: PlanToKeep;
  secret: string;
  /** The record that this one follows; undefined where no record was believed. */
  instead: KeptPlan | undefined;
}

/** Returns the record as it was written; undefined where another job has changed it since it was read. */
export async function writeKeptPlan(
  place: StatePlace,
  { kept, secret, instead }: Keeping,
): Promise<KeptPlan | undefined> {
  const { thread } = kept.state;
  let own: KeptPlan | undefined;
  const isWritten = await updateKeptFile(place, FILE, {
    message: `quorum: keep the plan of #${thread.number}`,
    change: (before) => {
      const after = keepPlan(before, kept, secret);
      const standing = findKeptPlan(before, thread, secret)?.signature;
      own = findKeptPlan(after, thread, secret);
      const mayWrite = standing === instead?.signature || standing === own?.signature;
      return mayWrite ? renderRecords(after) : undefined;
    },
  });
  return isWritten ? own : undefined;
}
