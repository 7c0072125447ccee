/** The plans loop of a sweep, before any key is at hand: approved plans that may go on since the last pass. */
import { readConfig } from '../../../act/recover/read-config.ts';
import { digestOfRecords, findOpenPlans } from '../../../domain/actions/kept/kept-plans.ts';
import {
  areRecordsDue,
  parseRecordsSeen,
  renderRecordsSeen,
} from '../../../domain/loops/sweep-loops.ts';
import type { StatePlace } from '../branch/kept-file.ts';
import { readKeptPlans } from '../branch/kept-plans-branch.ts';
import { readKeptTasks } from '../branch/kept-tasks-branch.ts';
import { findApp } from '../steps/find-app.ts';
import type { Sweeping } from './find-lost.ts';
import type { PlansTicket } from './sweep-ticket.ts';

/** Name of the cursor. */
export const PLANS_SEEN = 'plans';

export interface PlansFound {
  lines: string[];
  ticket?: PlansTicket;
}

export async function findPlans(
  { basics, context, sweep, state, isDry }: Sweeping,
  place: StatePlace,
): Promise<PlansFound> {
  const { ports, readSettings } = sweep;
  const { repository } = context;
  const plans = await readKeptPlans(place);
  const open = findOpenPlans(plans, repository.repositoryId);
  if (open.length === 0) return { lines: [] };
  const tasks = await readKeptTasks(place);
  const seen = { digest: digestOfRecords(plans, tasks), at: basics.clock.now() };
  if (!areRecordsDue(seen, parseRecordsSeen(state.cursors[PLANS_SEEN]))) return { lines: [] };
  const { enabled } = await readConfig(repository, { ports, readSettings });
  if (!enabled) return { lines: ['Switched off in the settings of this repository.'] };
  const lines: string[] = [];
  const numbers: number[] = [];
  for (const number of open) {
    const isApps = await findApp(context, { ...repository, number }, undefined);
    if (!isApps) numbers.push(number);
    const does = isDry ? 'would be looked at' : 'is looked at';
    lines.push(`#${number}: ${isApps ? 'the App acts there' : does}.`);
  }
  if (isDry || numbers.length === 0) return { lines };
  return { lines, ticket: { numbers, seen: renderRecordsSeen(seen) } };
}
