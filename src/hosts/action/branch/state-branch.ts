/** `state/actions.json` on the memory branch: read, and changed by compare-and-swap. */
import {
  ACTIONS_STATE_PATH,
  parseActionsState,
  renderActionsState,
  type ActionsState,
} from '../../../domain/actions/actions-state.ts';
import {
  parseFile,
  readKeptFile,
  readKnownFiles,
  updateKeptFile,
  type KeptFile,
  type StatePlace,
} from './kept-file.ts';

export const ACTIONS_STATE_FILE: KeptFile<ActionsState> = {
  path: ACTIONS_STATE_PATH,
  parse: parseActionsState,
  isNot: 'not a state that this version reads',
  details: 'Restore it from the history of the branch, or delete it: claims and totals are lost.',
};

/** @throws RefusedError `action-state-unreadable` */
export async function readActionsState(place: StatePlace): Promise<ActionsState> {
  return (await readKeptFile(place, ACTIONS_STATE_FILE)).kept;
}

/** As this job knows it: read where it did not read it yet. @throws RefusedError `action-state-unreadable` */
export async function readKnownActionsState(place: StatePlace): Promise<ActionsState> {
  const files = await readKnownFiles(place, [ACTIONS_STATE_FILE.path]);
  return parseFile(ACTIONS_STATE_FILE, files.get(ACTIONS_STATE_FILE.path));
}

/** Returns what `change` said of the state that its result was written on. `change` may be called several times. */
export async function updateActionsState<T>(
  place: StatePlace,
  message: string,
  change: (state: ActionsState) => { state: ActionsState; told: T },
): Promise<T> {
  let told: { value: T } | undefined;
  await updateKeptFile(place, ACTIONS_STATE_FILE, {
    message,
    change: (before) => {
      const done = change(before);
      told = { value: done.told };
      return renderActionsState(done.state);
    },
  });
  if (told === undefined) throw new Error('The memory branch was written without a change');
  return told.value;
}
