/**
 * The memory loop in the claim job of a sweep: which persona's memory has something to consolidate that people were not
 * asked about yet. No model is asked here.
 */
import { toMemoryPlace } from '../../../../act/memory/read-memory.ts';
import { readConfig } from '../../../../act/recover/read-config.ts';
import {
  areRecordsDue,
  parseRecordsSeen,
  renderRecordsSeen,
} from '../../../../domain/loops/sweep-loops.ts';
import { findPersonasDue } from '../../../../domain/memory/consolidation/find-consolidation.ts';
import { PERSONAS_FOLDER } from '../../../../domain/memory/file/apply-change.ts';
import type { StatePlace } from '../../branch/kept-file.ts';
import { updateActionsState } from '../../branch/state-branch.ts';
import type { Sweeping } from '../find-lost.ts';
import { findMemoryApp } from './find-memory-app.ts';
import { digestOfFiles, reserveFirst, type MemoryFound } from './reserve-memory.ts';

/** Name of the cursor. */
const MEMORY_SEEN = 'memory';

/** While nothing is due, or nothing has changed since the last look, only the memory itself is read. */
export async function findMemory(sweeping: Sweeping, place: StatePlace): Promise<MemoryFound> {
  const { basics, context, sweep, state } = sweeping;
  const { ports, readSettings } = sweep;
  const { repository } = context;
  const config = await readConfig(repository, { ports, readSettings });
  if (!config.enabled || !config.memory.enabled || !config.memory.proposals)
    return { lines: ['Switched off in the settings of this repository.'] };
  const now = basics.clock.now();
  const at = new Date(now).toISOString();
  const { branch } = toMemoryPlace(repository, config);
  const { github } = place;
  const { memory } = github.at(repository);
  const { files } = await memory.read({ repository, branch }, { paths: [PERSONAS_FOLDER] });
  const due = findPersonasDue(files, { at, isSelf: config.memory.self === true });
  if (due.length === 0) return { lines: [] };
  const seen = { digest: digestOfFiles(files), at: now };
  if (!areRecordsDue(seen, parseRecordsSeen(state.cursors[MEMORY_SEEN]))) return { lines: [] };
  const app = await findMemoryApp({ context, branch, now });
  const found =
    app === undefined
      ? await reserveFirst(due, { sweeping, place, config, at, files })
      : { lines: [app] };
  // A pass that has found something leaves the others to the next one.
  if (found.ticket === undefined && found.isUnsettled !== true && !sweeping.isDry)
    await noteSeen(place, renderRecordsSeen(seen));
  const { lines, ticket } = found;
  return { lines, ...(ticket !== undefined && { ticket }) };
}

function noteSeen(place: StatePlace, seen: string): Promise<void> {
  return updateActionsState(place, 'quorum: record a look at the memory', (state) => ({
    state: { ...state, cursors: { ...state.cursors, [MEMORY_SEEN]: seen } },
    told: undefined,
  }));
}
