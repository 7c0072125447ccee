/** `state/tasks.json` on the memory branch. */
import {
  KEPT_TASKS_PATH,
  keepTask,
  parseKeptTasks,
  type KeptTask,
  type KeptTasks,
} from '../../../domain/actions/kept/kept-tasks.ts';
import { renderRecords } from '../../../domain/actions/signed-record.ts';
import { readKeptFile, updateKeptFile, type KeptFile, type StatePlace } from './kept-file.ts';

export const KEPT_TASKS_FILE: KeptFile<KeptTasks> = {
  path: KEPT_TASKS_PATH,
  parse: parseKeptTasks,
  isNot: 'not a file that this version reads',
  details: 'Restore it from the history of the branch, or delete it and start its tasks again.',
};

/** @throws RefusedError `action-state-unreadable` */
export async function readKeptTasks(place: StatePlace): Promise<KeptTasks> {
  return (await readKeptFile(place, KEPT_TASKS_FILE)).kept;
}

interface Keeping {
  kept: Omit<KeptTask, 'signature'>;
  secret: string;
  /** The record that this one follows. */
  instead: KeptTask;
}

/** Returns whether it was written: not where another job has changed the record since it was read. */
export async function writeKeptTask(
  place: StatePlace,
  { kept, secret, instead }: Keeping,
): Promise<boolean> {
  const ref = kept.stream.run?.order.ref;
  if (ref === undefined) return false;
  const name = `${ref.plan.number}-${ref.task}`;
  return updateKeptFile(place, KEPT_TASKS_FILE, {
    message: `quorum: keep task ${ref.task} of #${ref.plan.number}`,
    change: (before) => {
      const after = keepTask(before, kept, secret);
      const standing = before.tasks[name]?.signature;
      const isOwn = standing === after.tasks[name]?.signature;
      return isOwn || standing === instead.signature ? renderRecords(after) : undefined;
    },
  });
}
