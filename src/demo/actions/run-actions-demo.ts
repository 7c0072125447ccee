/** `npm run demo -- --actions`: the demonstration's project, worked on by workflows alone. It is not in the package. */
import { MAINTAINER, REPOSITORY, TRIAGER } from '../project/people.ts';
import type { ActionsDemo, RunActionsDemo } from '../../hosts/cli/demo/actions-result.ts';
import type { JobRun } from '../runner/run-workflow.ts';
import { failuresIn, openActionsWorld, type ActionsWorld } from './open-actions-world.ts';
import { playPlan } from './play-plan.ts';
import { tickStandup } from './tick-standup.ts';
import { startByHand } from './start-by-hand.ts';
import { playIssues, playPulls, type PlayedIssue } from './play-threads.ts';

export const runActionsDemo: RunActionsDemo = async ({ onAct, ...basics }) => {
  const { clock } = basics;
  const startedAt = clock.now();
  onAct('Starting an embedded GitHub and a runner of workflows on this machine; no App');
  const world = await openActionsWorld(basics);
  try {
    onAct(`Opening three issues in ${REPOSITORY}; @${TRIAGER} labels them \`deliberate\``);
    const issues = await playIssues(world);
    onAct('Opening two pull requests');
    const pulls = await playPulls(world);
    onAct(`A plan of three tasks. ${world.says}`);
    const plan = await playPlan(world, { clock, onAct });
    onAct(`The last merge held the standup of #${plan.number}; @${MAINTAINER} ticks a box`);
    const standup = await tickStandup(world, plan.number);
    onAct(
      'Trying what no job may: a write by a job with models, an event that was done before, and a second standup',
    );
    const boundaries = [
      await tryWrite(world, issues),
      await tryAgain(world, issues),
      await tryStandup(world, plan.number),
    ];
    return {
      issues,
      pulls,
      plan,
      standup,
      boundaries,
      jobs: world.jobs(),
      githubCalls: world.emulator.requests.length,
      seconds: (clock.now() - startedAt) / 1000,
    };
  } finally {
    await world.close();
  }
};

type Boundary = ActionsDemo['boundaries'][number];

const FORBIDDEN = 403;

/** With the permissions of the job in which the models run. */
async function tryWrite(
  { emulator, mint }: ActionsWorld,
  [issue]: readonly PlayedIssue[],
): Promise<Boundary> {
  const token = await mint({
    checks: 'read',
    contents: 'read',
    issues: 'read',
    'pull-requests': 'read',
  });
  const path = `/repos/${REPOSITORY}/issues/${issue?.number ?? 0}/comments`;
  const { status } = await fetch(`${emulator.apiUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `bearer ${token}` },
    body: JSON.stringify({ body: 'A model that was misled wrote this.' }),
  });
  const says = `A comment with the token of a job with models: GitHub answers ${status}`;
  return { says, isFine: status === FORBIDDEN };
}

async function tryAgain(world: ActionsWorld, [issue]: readonly PlayedIssue[]): Promise<Boundary> {
  if (issue === undefined) return { says: 'There was no event to repeat', isFine: false };
  return judgeSkips(
    `A second run for the event of #${issue.number}`,
    await world.play(issue.event),
  );
}

/** `quorum-standup` for a plan whose end has had its standup. */
async function tryStandup(world: ActionsWorld, plan: number): Promise<Boundary> {
  const inputs = { plan: String(plan), when: 'ended' };
  const workflow = 'quorum-standup.yml';
  const { runId, by } = await startByHand(world, { workflow, inputs });
  const payload = { inputs, ref: 'refs/heads/main' };
  const jobs = await world.play({ workflow, name: 'workflow_dispatch', payload, by, runId });
  const claimed = jobs.find(({ name }) => name === 'claim')?.steps ?? [];
  const isHeld = claimed.some(({ summary }) => summary.includes('was held already'));
  const { says, isFine } = judgeSkips(`A second standup of #${plan}`, jobs);
  return { says, isFine: isFine && isHeld };
}

function judgeSkips(what: string, jobs: readonly JobRun[]): Boundary {
  const skipped = jobs.filter(({ conclusion }) => conclusion === 'skipped').map(({ name }) => name);
  const isFine = skipped.join() === 'agent,apply' && failuresIn(jobs).length === 0;
  return { says: `${what}: skips ${skipped.join(' and ') || 'nothing'}`, isFine };
}
