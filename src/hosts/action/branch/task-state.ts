/** The claim of a task and its record, in `state/actions.json` and `state/tasks.json`: one commit holds both. */
import { renderActionsState, type ActionsState } from '../../../domain/actions/actions-state.ts';
import type { KeptTasks } from '../../../domain/actions/kept/kept-tasks.ts';
import { renderRecords } from '../../../domain/actions/signed-record.ts';
import {
  parseFile,
  readKeptFiles,
  readKnownFiles,
  updateKeptFiles,
  type StatePlace,
} from './kept-file.ts';
import { KEPT_TASKS_FILE } from './kept-tasks-branch.ts';
import { ACTIONS_STATE_FILE } from './state-branch.ts';

interface TaskState<T> {
  state: ActionsState;
  /** Undefined leaves the records as they are. */
  tasks?: KeptTasks;
  told: T;
}

const PATHS = [ACTIONS_STATE_FILE.path, KEPT_TASKS_FILE.path];

interface ReadTaskState {
  state: ActionsState;
  tasks: KeptTasks;
}

/** @throws RefusedError `action-state-unreadable` */
export async function readTaskState(place: StatePlace): Promise<ReadTaskState> {
  return parse((await readKeptFiles(place, PATHS)).files);
}

/** As this job knows it: read again only where somebody else has written since. */
export async function readKnownTaskState(place: StatePlace): Promise<ReadTaskState> {
  return parse(await readKnownFiles(place, PATHS));
}

function parse(files: ReadonlyMap<string, string>): ReadTaskState {
  return {
    state: parseFile(ACTIONS_STATE_FILE, files.get(ACTIONS_STATE_FILE.path)),
    tasks: parseFile(KEPT_TASKS_FILE, files.get(KEPT_TASKS_FILE.path)),
  };
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
  await updateKeptFiles(place, PATHS, {
    message,
    change: (files) => {
      const { state, tasks } = parse(files);
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
