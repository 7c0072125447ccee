/** The weekly loop in the apply job of a sweep: the App's reducer writes the status issue. No model is asked. */
import { recordDone } from '../../../../domain/actions/spending/settle-claim.ts';
import { RefusedError, toFailure } from '../../../../domain/event/errors.ts';
import type { WeekState } from '../../../../domain/digest/week-view.ts';
import type { Basics } from '../../../host-parts.ts';
import type { StatePlace } from '../../branch/kept-file.ts';
import { readActionsState, updateActionsState } from '../../branch/state-branch.ts';
import { readKeptWeek, writeKeptWeek } from '../../branch/week-branch.ts';
import { MEMORY_BRANCH } from '../../job/action-specs.ts';
import { refuseLostClaim } from '../../job/lost-claim.ts';
import { findNoKey } from '../../job/signing-key.ts';
import { believeSigned, openUnsigned, openWorkflowGitHub } from '../../job/workflow-github.ts';
import type { WorkflowContext } from '../../job/workflow-context.ts';
import { findAppStatus } from '../../steps/find-app.ts';
import type { LoopReport } from '../loop-report.ts';
import type { WeekTicket } from '../sweep-ticket.ts';
import { WEEK_READ } from './find-week.ts';
import { playWeek } from './play-week.ts';

interface Sweeping {
  basics: Basics;
  context: WorkflowContext;
}

export interface WeekSwept {
  written: number;
  report: LoopReport;
}

const loop = 'weekly';

export async function sweepWeek(ticket: WeekTicket, sweeping: Sweeping): Promise<WeekSwept> {
  try {
    const why = await whyNotHere(sweeping);
    if (why !== undefined) {
      await endWeek(ticket, { until: ticket.since, sweeping });
      return { written: 0, report: { loop, lines: [why] } };
    }
    const { week, told, written } = await writeDigest(ticket, sweeping);
    await endWeek(ticket, { until: week.until ?? ticket.since, sweeping });
    return { written, report: { loop, lines: [told] } };
  } catch (error) {
    // The claim runs out, and a later pass tries again.
    const { code, message } = toFailure(error);
    return { written: 0, report: { loop, lines: [`${message} (\`${code}\`)`], isFailed: true } };
  }
}

/** The App signs its issue with another key, so that the search for our own issue never finds it. */
async function whyNotHere({ basics, context }: Sweeping): Promise<string | undefined> {
  const issue = await findAppStatus(context, context.repository);
  if (issue !== undefined)
    return `The App writes the weekly status here, in #${issue}. If you removed the App, close that issue.`;
  return findNoKey(basics.env) === undefined ? undefined : NO_KEY;
}

const NO_KEY =
  'The status issue needs a key that signs it, so that the next week finds it again. Set the secret `QUORUM_ENCRYPTION_KEY` to any long random text, and pass it to this workflow. The next digest then covers this week too.';

interface Digest {
  week: WeekState;
  told: string;
  written: number;
}

async function writeDigest(ticket: WeekTicket, { basics, context }: Sweeping): Promise<Digest> {
  const { repository } = context;
  const believing = believeSigned(basics, [], repository.repositoryId);
  const github = openWorkflowGitHub(basics, context, believing);
  const secret = believing.markerSecret;
  const place = { github, repository, branch: MEMORY_BRANCH };
  refuseLostClaim(await readActionsState(place), ticket.claim, { basics, context });
  const { week: before, text } = await readKeptWeek(place, secret);
  const { week, why, outcome } = await playWeek({
    basics,
    context,
    github,
    secret,
    ticket,
    before,
  });
  if (!(await writeKeptWeek(place, { week, before: text, secret })))
    throw new RefusedError({
      code: 'claim-lost',
      message: 'Another job changed `state/week.json` meanwhile. The next pass tries again.',
    });
  if (outcome === undefined)
    return { week, told: why ?? 'There was nothing to report.', written: 0 };
  const told =
    outcome.outcome === 'full'
      ? 'No issue was written.'
      : `The weekly status is in #${outcome.number}.`;
  return { week, told, written: outcome.outcome === 'full' ? 0 : 1 };
}

interface Ending {
  /** ISO 8601. */
  until: string;
  sweeping: Sweeping;
}

/** The next week begins where this one ended. */
function endWeek(
  { claim }: WeekTicket,
  { until, sweeping: { basics, context } }: Ending,
): Promise<void> {
  const { repository } = context;
  const place: StatePlace = {
    github: openUnsigned(basics, context),
    repository,
    branch: MEMORY_BRANCH,
  };
  return updateActionsState(place, 'quorum: record a week', (state) => {
    const done = recordDone(state, { event: claim, usd: 0, now: basics.clock.now() });
    const cursors = { ...done.cursors, [WEEK_READ]: until };
    return { state: { ...done, cursors }, told: undefined };
  });
}
