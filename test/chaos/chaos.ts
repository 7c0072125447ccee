/** One chaos run on one store: people work, the App is killed at any moment, GitHub and its webhooks fail. */
import { setTimeout as wait } from 'node:timers/promises';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { settle, startProcess, type AppProcess } from './app.ts';
import { createChance, type Chance } from './chance.ts';
import { armFaults, countHits, type Hits } from './faults.ts';
import { command, deliberation, plan, redBuild, review, type Seen, type Story } from './stories.ts';
import { openChaosWorld, type ChaosWorld } from './world.ts';

export interface ChaosOptions {
  seed: number;
  kills: number;
  /** Kills end after so long, even if there were fewer. */
  limitMs: number;
  /** Of the App: which store it uses. */
  env: Record<string, string>;
  /** Without it, no plan is worked on. */
  hasPlan: boolean;
  tell: (line: string) => void;
}

export interface ChaosResult {
  seen: Seen[];
  kills: number;
  hits: Hits;
  /** Whether nothing was left to be done at the end. */
  isSettled: boolean;
  /** Effects that were given up, and events that were dead-lettered. */
  failed: string[];
}

const RECONCILE_MS = 10_000;
/** Two reconcile passes with nothing left to be done. */
const QUIET_MS = 2.5 * RECONCILE_MS;
const SETTLE_MS = 240_000;

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { seed, tell } = options;
  const env = { RECONCILE_MS: String(RECONCILE_MS), QUORUM_CODER: 'local', ...options.env };
  const world = await openChaosWorld(env);
  const chance = createChance(seed);
  const hits: Hits = new Map();
  try {
    const stories = storiesOf(options);
    const begun: Story[] = [];
    if (options.hasPlan && noBwrap === undefined) begun.push(await beginPlan(world));
    const kills = await killAgain(world, { ...options, chance, hits, stories, begun });
    for (const story of stories.splice(0)) begun.push(await act(story, world));
    tell('no more faults and kills: waiting until nothing is left');
    return { ...(await conclude(world, begun)), kills, hits };
  } finally {
    await world.close();
  }
}

/** Lets the App finish in peace, and looks at what people see then. */
async function conclude(
  world: ChaosWorld,
  begun: readonly Story[],
): Promise<Pick<ChaosResult, 'seen' | 'isSettled' | 'failed'>> {
  const app = await start(world);
  try {
    const isSettled = await settle(app, { quietMs: QUIET_MS, limitMs: SETTLE_MS });
    const { failed, deadEvents } = await app.look();
    const seen: Seen[] = [];
    for (const story of begun) seen.push(...(await story.see(world)));
    if (deadEvents > 0) failed.push(`${deadEvents} dead events`);
    return { seen, isSettled, failed };
  } finally {
    await app.kill();
  }
}

/** One for every few kills, so that each kind is under way when the App dies. */
function storiesOf({ kills, seed }: ChaosOptions): Story[] {
  const rounds = Math.max(1, Math.floor(kills / 8));
  const all = Array.from({ length: rounds }, (_, n) => [
    deliberation(n),
    review(n, { isPushed: (seed + n) % 2 === 0 }),
    command(n),
  ]).flat();
  return [...all, redBuild()];
}

async function start({ env }: ChaosWorld): Promise<AppProcess> {
  const app = startProcess(env);
  await app.ready;
  return app;
}

/** Its approval is asked for again where its webhook is lost, so that it is given in peace. */
async function beginPlan(world: ChaosWorld): Promise<Story> {
  const app = await start(world);
  const story = await act(plan(), world);
  await wait(2000);
  await app.kill();
  return story;
}

async function act(story: Story, world: ChaosWorld): Promise<Story> {
  await story.act(world);
  return story;
}

interface Killing extends ChaosOptions {
  chance: Chance;
  hits: Hits;
  /** Still to be begun. */
  stories: Story[];
  begun: Story[];
}

async function killAgain(world: ChaosWorld, killing: Killing): Promise<number> {
  const { kills, limitMs, chance, hits, stories, begun, tell } = killing;
  const until = Date.now() + limitMs;
  let count = 0;
  while (count < kills && Date.now() < until) {
    const names = armFaults(world.emulator, chance);
    const app = await start(world);
    const isBegun = stories.length * 3 >= (kills - count) * 2 || chance.next() < 0.5;
    const next = isBegun ? stories.shift() : undefined;
    if (next !== undefined) begun.push(await act(next, world));
    await wait(chance.between(100, 5000));
    await app.kill();
    count += 1;
    countHits(world.emulator, names, hits);
    tell(`kill ${count}: ${next?.title ?? 'nothing new'}`);
  }
  world.emulator.faults.clear();
  return count;
}
