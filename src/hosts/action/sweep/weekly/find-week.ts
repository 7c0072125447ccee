/** The weekly loop in the claim job of a sweep: whether a week with work has ended that no digest tells of yet. */
import { readConfig } from '../../../../act/recover/read-config.ts';
import { claimEvent, type ActionsState } from '../../../../domain/actions/actions-state.ts';
import { weekAt } from '../../../../domain/digest/week.ts';
import { isWeekDue } from '../../../../domain/loops/sweep-loops.ts';
import type { StatePlace } from '../../branch/kept-file.ts';
import { updateActionsState } from '../../branch/state-branch.ts';
import { isGivenUp, type Sweeping } from '../find-lost.ts';
import type { WeekTicket } from '../sweep-ticket.ts';

/** Name of the cursor: until when weeks were read, ISO 8601. */
export const WEEK_READ = 'weekly';

export interface WeekFound {
  lines: string[];
  ticket?: WeekTicket;
}

/** The App sets no timer for a week without work, and this asks GitHub nothing about one. */
export async function findWeek(sweeping: Sweeping, place: StatePlace): Promise<WeekFound> {
  const { basics, context, sweep, state, isDry } = sweeping;
  const now = basics.clock.now();
  const since = state.cursors[WEEK_READ];
  if (since === undefined) {
    if (!isDry) await beginWeeks(place, new Date(now).toISOString());
    return { lines: [] };
  }
  if (!hasWorkSince(state, since)) return { lines: [] };
  const { ports, readSettings } = sweep;
  const { enabled, standup } = await readConfig(context.repository, { ports, readSettings });
  if (!enabled || !standup.digest)
    return { lines: ['Switched off in the settings of this repository.'] };
  const { from: end } = weekAt(now, standup.week);
  if (!isWeekDue(since, end)) return { lines: [] };
  const to = new Date(end).toISOString();
  const claim = `${WEEKLY}${to}`;
  if (isGivenUp(state.claims[claim], now))
    return {
      lines: [
        `Three sweeps took the digest of the week until ${to} and none of them finished it. The next digest covers that week too.`,
      ],
    };
  const told = `The digest for ${since} to ${to} is due.`;
  if (isDry) return { lines: [`Would run. ${told}`] };
  return reserveWeek({ claim, since, setting: standup.week, told }, sweeping, place);
}

const WEEKLY = 'weekly ';

/** What was done before the first pass has no digest. */
function beginWeeks(place: StatePlace, at: string): Promise<void> {
  return updateActionsState(place, 'quorum: the first week of sweeps', (state) => ({
    state: { ...state, cursors: { ...state.cursors, [WEEK_READ]: state.cursors[WEEK_READ] ?? at } },
    told: undefined,
  }));
}

function hasWorkSince({ claims }: ActionsState, since: string): boolean {
  return Object.entries(claims).some(
    ([key, { doneAt = '' }]) => !key.startsWith(WEEKLY) && doneAt > since,
  );
}

async function reserveWeek(
  { claim, since, setting, told }: Omit<WeekTicket, 'at' | 'isNew'> & { told: string },
  { basics, context, lifeMs }: Sweeping,
  place: StatePlace,
): Promise<WeekFound> {
  const { workflowRun, attempt } = context;
  const wanted = { event: claim, workflowRun, attempt, now: basics.clock.now(), lifeMs };
  return updateActionsState<WeekFound>(place, 'quorum: claim a weekly digest', (state) => {
    const { verdict, state: next } = claimEvent(state, wanted);
    if (verdict.kind === 'refused') return { state: next, told: { lines: [] } };
    const { claim: held, isNew } = verdict;
    const ticket = { claim, since, setting, at: held.at, isNew };
    return { state: next, told: { lines: [told], ticket } };
  });
}
