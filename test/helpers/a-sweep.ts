/** A sweep of the repository of a world, job after job, as the reusable workflow runs it. */
import {
  APPLIES,
  CLAIMS,
  READS,
  type ActionsWorld,
  type Job,
  type JobWanted,
} from './a-workflow-run.ts';
import { REPO } from './a-world.ts';

export interface SweepWanted {
  inputs?: Readonly<Record<string, string>>;
  run?: string;
  attempt?: number;
  /** What the apply job has in its environment, as from secrets. */
  secrets?: Readonly<Record<string, string>>;
  /** Permissions that the apply job lacks. */
  lacks?: JobWanted['permissions'];
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

/** The job with the models alone. */
export function askSweep(
  world: ActionsWorld,
  claimed: Job,
  wanted: SweepWanted = {},
): Promise<Job> {
  const own = base(world, wanted);
  const inputs = { step: 'agent', claim: claimed.outputs['claim'] ?? '' };
  const asks = { ...own, env: { ...own.env, ...wanted.models } };
  return world.job({ ...asks, permissions: READS, inputs, isCheckedOut: true });
}

export async function finishSweep(
  world: ActionsWorld,
  claimed: Job,
  wanted: SweepWanted = {},
): Promise<{ done: Job; applied: Job }> {
  const claim = claimed.outputs['claim'] ?? '';
  const done = await askSweep(world, claimed, wanted);
  const digest = done.outputs['digest'] ?? '';
  return { done, applied: await applySweep(world, { claim, digest }, wanted) };
}

export function applySweep(
  world: ActionsWorld,
  handed: { claim: string; digest: string },
  wanted: SweepWanted = {},
): Promise<Job> {
  const own = base(world, wanted);
  const permissions = { ...APPLIES, actions: 'write' as const, ...wanted.lacks };
  const env = { ...own.env, ...wanted.secrets };
  return world.job({ ...own, env, permissions, inputs: { step: 'apply', ...handed } });
}

export const STATE_FILE = 'state/actions.json';
const STATE = `/repos/${REPO}/contents/${STATE_FILE}`;

/** What workflows keep between runs, as the memory branch has it. */
export async function readSweepState(world: ActionsWorld): Promise<{ text: string; sha: string }> {
  const ana = world.emulator.as('ana');
  const file = (await ana.request('GET', `${STATE}?ref=quorum%2Fmemory`)) as {
    content: string;
    sha: string;
  };
  return { text: Buffer.from(file.content, 'base64').toString(), sha: file.sha };
}

/** Moves every moment of this kind in the record into the past: `until` ends a claim, `doneAt` ended it. */
export async function moveBack(world: ActionsWorld, key: 'until' | 'doneAt'): Promise<void> {
  const moments = new RegExp(`"${key}": "[^"]+"`, 'g');
  await changeState(world, (text) =>
    text.replaceAll(moments, `"${key}": "2026-01-01T00:00:00.000Z"`),
  );
}

/** Paths on the memory branch that differ from this commit of it. */
export async function changedSince({ emulator }: ActionsWorld, sha: string): Promise<string[]> {
  const ana = emulator.as('ana');
  const range = `${sha}...${encodeURIComponent('quorum/memory')}`;
  const compared = (await ana.request('GET', `/repos/${REPO}/compare/${range}`)) as {
    files?: { filename: string }[];
  };
  return (compared.files ?? []).map(({ filename }) => filename);
}

/** What passes saw of plans and of the memory, they saw so much earlier. */
export async function moveSeenBack(world: ActionsWorld, hours: number): Promise<void> {
  const seen = /("(?:plans|memory)": "\w+ )([^"]+)"/g;
  await changeState(world, (text) =>
    text.replaceAll(seen, (_, start: string, at: string) => {
      const earlier = new Date(Date.parse(at) - hours * 3_600_000);
      return `${start}${earlier.toISOString()}"`;
    }),
  );
}

/** Each claim in the record is of another run of the workflow from now on. */
export async function giveAway(world: ActionsWorld): Promise<void> {
  await changeState(world, (text) =>
    text.replaceAll(/"workflowRun": "[^"]+"/g, '"workflowRun": "4711"'),
  );
}

/** What was spent until now was spent long ago. */
export async function forgetSpending(world: ActionsWorld): Promise<void> {
  await changeState(world, (text) => {
    const state = JSON.parse(text) as object;
    return `${JSON.stringify({ ...state, spentUsd: {}, watchTokens: {}, spentAt: {} }, undefined, 1)}\n`;
  });
}

async function changeState(world: ActionsWorld, change: (text: string) => string): Promise<void> {
  const { text, sha } = await readSweepState(world);
  const content = Buffer.from(change(text)).toString('base64');
  const body = { message: 'change', branch: 'quorum/memory', sha, content };
  await world.emulator.as('ana').request('PUT', STATE, body);
}
