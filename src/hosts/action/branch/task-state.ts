/** The claim of a task and its record, in `state/actions.json` and `state/tasks.json`: one commit holds both. */
import { renderActionsState, type ActionsState } from '../../../domain/actions/actions-state.ts';
import type { KeptTasks } from '../../../domain/actions/kept/kept-tasks.ts';
import { renderRecords } from '../../../domain/actions/signed-record.ts';
import { parseFile, updateKeptFiles, type StatePlace } from './kept-file.ts';
import { KEPT_TASKS_FILE } from './kept-tasks-branch.ts';
import { ACTIONS_STATE_FILE } from './state-branch.ts';

interface TaskState<T> {
  state: ActionsState;
  /** Undefined leaves the records as they are. */
  tasks?: KeptTasks;
  told: T;
}

/**
 * Returns what `change` said of the files that its result was written on. `change` may be called several times.
 *
 * @throws RefusedError `action-state-unreadable`
 */
export async function updateTaskState<T>(
  place: StatePlace,
  message: string,
  change: (state: ActionsState, tasks: KeptTasks) => TaskState<T>,
): Promise<T> {
  let told: { value: T } | undefined;
  const paths = [ACTIONS_STATE_FILE.path, KEPT_TASKS_FILE.path];
  await updateKeptFiles(place, paths, {
    message,
    change: (files) => {
      const state = parseFile(ACTIONS_STATE_FILE, files.get(ACTIONS_STATE_FILE.path));
      const tasks = parseFile(KEPT_TASKS_FILE, files.get(KEPT_TASKS_FILE.path));
      const done = change(state, tasks);
      told = { value: done.told };
      const after = new Map([[ACTIONS_STATE_FILE.path, renderActionsState(done.state)]]);
      if (done.tasks !== undefined) after.set(KEPT_TASKS_FILE.path, renderRecords(done.tasks));
      return after;
    },
  });
  if (told === undefined) throw new Error('The memory branch was written without a change');
  return told.value;
}
