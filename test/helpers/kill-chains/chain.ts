/** A piece of work that is killed around each of its kinds of effect, and what its chains share. */
import type { EffectKind } from '../../../src/domain/event/effect.ts';
import { checksOf } from '../a-pull.ts';
import { withPlans, CODER_ENV, planFiles } from '../a-plan-story.ts';
import { REPO, type TestWorld } from '../a-world.ts';
import type { KilledApp } from '../a-killed-app.ts';

export interface Chain {
  title: string;
  /** Killed around the first of each, one kind after the other. */
  kinds: readonly EffectKind[];
  files?: Record<string, string>;
  /** Done while nothing is killed. */
  before?: (app: KilledApp) => Promise<unknown>;
  /** Starts the work, at number 1 where it is on a thread. */
  act: (app: KilledApp) => Promise<unknown>;
  expectEnd: (app: KilledApp) => Promise<void>;
  env?: Record<string, string>;
  /** The App is away when it is asked, and finds it by itself. */
  isMissed?: true;
}

export const QUICK = { '.github/quorum.yml': 'review:\n  settleSeconds: 0\n' };

export const EVAL = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';

/** Tasks: their tests really run, so they need a sandbox. */
export const WORK = {
  env: CODER_ENV,
  files: planFiles('review:\n  settleSeconds: 0\nmerge:\n  mode: auto\n'),
};

/** Numbers of the issues that the App opened. */
export async function openedBy({ world }: KilledApp): Promise<number[]> {
  const query = 'state=all&per_page=100';
  const all = (await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues?${query}`)) as {
    number: number;
    user: { login: string };
  }[];
  return all.filter(({ user }) => user.login.endsWith('[bot]')).map(({ number }) => number);
}

/** Whether the team has heard of the first task's pull request. */
export async function isInReview(world: TestWorld): Promise<boolean> {
  const [pull] = await withPlans(world).pulls();
  if (pull === undefined) return false;
  const checks = await checksOf(world, pull.head.sha);
  return checks.some(({ name }) => name.startsWith('quorum / review'));
}
