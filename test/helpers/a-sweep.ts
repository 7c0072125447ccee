/** A sweep of the repository of a world, job after job, as the reusable workflow runs it. */
import { APPLIES, CLAIMS, READS, type ActionsWorld, type Job } from './a-workflow-run.ts';
import { REPO } from './a-world.ts';

export interface SweepWanted {
  inputs?: Readonly<Record<string, string>>;
  run?: string;
  attempt?: number;
  /** What the apply job has in its environment, as from secrets. */
  secrets?: Readonly<Record<string, string>>;
  /** What the agent job has in its environment: keys of models. */
  models?: Readonly<Record<string, string>>;
}

export interface Swept {
  claimed: Job;
  /** Undefined where the claim job found nothing for it. */
  done: Job | undefined;
  applied: Job | undefined;
}

const EVENT = { name: 'schedule', payload: { schedule: '0 * * * *' } };

function base({ emulator }: ActionsWorld, { run = '77', attempt = 1 }: SweepWanted) {
  const env = {
    GITHUB_REPOSITORY: REPO,
    GITHUB_REPOSITORY_ID: String(emulator.repository(REPO).id),
    GITHUB_REF_NAME: 'main',
  };
  return { action: 'sweep', event: EVENT, run, attempt, env };
}

export function claimSweep(world: ActionsWorld, wanted: SweepWanted = {}): Promise<Job> {
  const inputs = { step: 'claim', ...wanted.inputs };
  return world.job({ ...base(world, wanted), permissions: CLAIMS, inputs });
}

/** All jobs; each has the token of its own permissions. */
export async function sweepOnce(world: ActionsWorld, wanted: SweepWanted = {}): Promise<Swept> {
  const claimed = await claimSweep(world, wanted);
  if (claimed.outputs['proceed'] !== 'true')
    return { claimed, done: undefined, applied: undefined };
  return { claimed, ...(await finishSweep(world, claimed, wanted)) };
}

export async function finishSweep(
  world: ActionsWorld,
  claimed: Job,
  wanted: SweepWanted = {},
): Promise<{ done: Job; applied: Job }> {
  const claim = claimed.outputs['claim'] ?? '';
  const own = base(world, wanted);
  const inputs = { step: 'agent', claim };
  const asks = { ...own, env: { ...own.env, ...wanted.models } };
  const done = await world.job({ ...asks, permissions: READS, inputs, isCheckedOut: true });
  const digest = done.outputs['digest'] ?? '';
  const last = { step: 'apply', claim, digest };
  const permissions = { ...APPLIES, actions: 'write' as const };
  const env = { ...own.env, ...wanted.secrets };
  const applied = await world.job({ ...own, env, permissions, inputs: last });
  return { done, applied };
}
