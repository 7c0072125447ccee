/** The demonstration: a repository with a past, issues, pull requests and a plan, and the team at work on them. */
import type { GitHubEmulator } from '../emulator/github/emulator-interface.ts';
import { ofKind, questionOf, type Run } from '../domain/run/state/run-record.ts';
import type { Basics } from '../hosts/host-parts.ts';
import { concludePlan, type DemoPlan } from './plan/conclude-plan.ts';
import { openChats, waitForChats, type DemoChats } from './open-chats.ts';
import { openCoder, type CoderWanted, type DemoCoder } from './open-coder.ts';
import { follow, isQuiet } from '../hosts/follow-runs.ts';
import {
  answerIssue,
  concludeAnswered,
  concludeIssue,
  openIssues,
  wantsAnswer,
  type DemoIssue,
  type IssueStory,
} from './open-issues.ts';
import { openDemoPlan, workThrough } from './plan/demo-plan.ts';
import { approveLessons, concludeMemory, type DemoMemory } from './memory/remember.ts';
import { concludeStandup, tickAndMerge, type DemoStandup } from './standup.ts';
import { LESSON_PULL, MEMORY_PULL } from './project/memory-pulls.ts';
import { NEW_PLAN } from './project/new-plan.ts';
import { MAINTAINER, OWNER, REPOSITORY, TRIAGER } from './project/people.ts';
import {
  answerReview,
  joinReviews,
  concludePull,
  headOfPull,
  openPull,
  openPulls,
  type DemoPull,
  type PullStory,
} from './open-pulls.ts';
import { setStage } from './stage.ts';
import type { Story, Watched } from './story.ts';
import { openWorld, type World } from './open-world.ts';

export interface DemoOptions extends Basics, CoderWanted {
  /** Told whenever something may have moved. */
  onLook: (watched: readonly Watched[]) => void;
  /** Told before each act of the story, in a sentence. */
  onAct: (says: string) => void;
  /** Whether the emulator also listens for gh. */
  hasSocket?: boolean;
  /** Sees the emulator before anything happens on it. */
  onEmulator?: (emulator: GitHubEmulator) => void;
}

export interface Demo {
  world: World;
  issues: DemoIssue[];
  pulls: DemoPull[];
  plan: DemoPlan;
  memory: DemoMemory;
  standup: DemoStandup;
  /** What was announced, and where it can be read. */
  chats: { slack: number; bluesky: number; urls: DemoChats['urls'] };
  coder: Pick<DemoCoder, 'name' | 'says'>;
  /** Work that was given up, whatever the threads look like. */
  deadLetters: number;
  counts: {
    githubCalls: number;
    modelCalls: number;
    /** Answers of the scripted model to Claude Code. */
    coderCalls: number;
    costUsd: number;
    unknownCalls: number;
  };
  seconds: number;
}

/** An act takes a few seconds; a machine that is busy with other things takes many times that. */
const TIMEOUT_MS = 600_000;

/** Plays the story and leaves the world open: the caller closes it. Throws when a thread does not settle. */
export async function runDemo(options: DemoOptions): Promise<Demo> {
  const { clock, onAct } = options;
  const startedAt = clock.now();
  onAct('Starting an embedded GitHub and the App on this machine');
  const coder = await openCoder(options, options);
  const chats = await openChats(options);
  const world = await openStage(options, coder, chats);
  try {
    const { issues, pulls } = await play(world, options);
    const plan = await playPlan(world, coder, options);
    const telling = { clock, timeoutMs: TIMEOUT_MS, onAct };
    await tickAndMerge(world, plan, telling);
    const remembered = await playMemory(world, options);
    const standup = await concludeStandup(world, telling);
    await waitForChats(world.store);
    const { name, says } = coder;
    return {
      world,
      issues,
      pulls: [...pulls, ...remembered.pulls],
      plan: plan.conclude(),
      memory: remembered.memory,
      standup,
      chats: { ...chats.counts(), urls: chats.urls },
      coder: { name, says },
      ...(await count(world, coder)),
      seconds: (clock.now() - startedAt) / 1000,
    };
  } catch (error) {
    await world.close();
    throw error;
  }
}

async function openStage(options: DemoOptions, coder: DemoCoder, chats: DemoChats): Promise<World> {
  const { clock, env, onEmulator } = options;
  const opening = openWorld({
    ...options,
    env: { ...env, ...coder.env, ...chats.env },
    owner: OWNER,
    app: { reconcileEveryMs: 0, budgets: 'off' },
    prepare: async (emulator) => {
      onEmulator?.(emulator);
      await setStage(emulator, clock, coder);
    },
    onClose: async () => {
      await coder.close();
      await chats.close();
    },
  });
  return opening.catch(async (error: unknown) => {
    await coder.close();
    await chats.close();
    throw error;
  });
}

async function count(
  { store, emulator }: World,
  coder: DemoCoder,
): Promise<Pick<Demo, 'deadLetters' | 'counts'>> {
  const { calls, usd, unknownCalls } = await store.records.spent({});
  const { events, effects } = await store.records.counts();
  return {
    deadLetters: events.dead + effects.dead,
    counts: {
      // What people do goes another way.
      githubCalls: emulator.requests.length,
      modelCalls: calls,
      coderCalls: coder.answers(),
      // Offline rules cost nothing; what Claude Code reckons for a scripted model is charged by nobody.
      costUsd: coder.name === 'claude' ? 0 : usd,
      unknownCalls,
    },
  };
}

/** What was learned from an outsider's change, and approved, serves the next review. */
async function playMemory(
  world: World,
  options: DemoOptions,
): Promise<{ pulls: DemoPull[]; memory: DemoMemory }> {
  const { clock, onAct } = options;
  const review = async (story: PullStory): Promise<Run | undefined> =>
    (await watch([story], { world, options, isSettled: isQuiet })).get(story.number);
  onAct(`@${LESSON_PULL.author}, who may not write here, opens a pull request from a fork`);
  const first = await openPull(world, LESSON_PULL);
  const firstRun = await review(first);
  const proposed = await approveLessons(world, first, { clock, timeoutMs: TIMEOUT_MS, onAct });
  onAct(`@${MEMORY_PULL.author} makes the same mistake in another file`);
  const second = await openPull(world, MEMORY_PULL);
  const runs = { first: firstRun, second: await review(second) };
  return concludeMemory(world, { first, second, runs, proposed });
}

/** The last act but one: a plan from its author's hand to its merged pull requests. */
async function playPlan(
  world: World,
  coder: DemoCoder,
  { clock, onAct, onLook }: DemoOptions,
): Promise<Story & { conclude: () => DemoPlan }> {
  onAct(`@${NEW_PLAN.author} writes a plan of three tasks. ${coder.says}`);
  const story = await openDemoPlan(world, { hasDiffs: coder.name === 'patch' });
  const telling = { clock, timeoutMs: TIMEOUT_MS, onAct, onLook };
  const look = await workThrough(world, story, telling);
  return { ...story, conclude: () => concludePlan(world, story, look) };
}

/** Two acts: what the team says by itself, then what people answer and what becomes of it. */
async function play(
  world: World,
  options: DemoOptions,
): Promise<{ issues: DemoIssue[]; pulls: DemoPull[] }> {
  const { onAct } = options;
  onAct(`Opening three issues in ${REPOSITORY}; @${TRIAGER} labels them \`deliberate\``);
  const issues = await openIssues(world);
  onAct('Opening two pull requests');
  const pulls = await openPulls(world);
  const runs = await watch([...issues, ...pulls], { world, options, isSettled: isQuiet });
  const first = {
    issues: issues.map((story) => concludeIssue(world, story, runs.get(story.number))),
    pulls: pulls.map((story) =>
      concludePull(world, story, ofKind(runs.get(story.number), 'pr_review')),
    ),
  };
  const asked = issues.filter((story) => wantsAnswer(story, runs.get(story.number)));
  const returned = pulls.filter(({ pull }) => pull.answer !== undefined);
  await answer({ asked, returned }, world, onAct);
  const again = await watch([...asked, ...returned], {
    world,
    options,
    isSettled: (run) => isQuiet(run) && hasMovedOn(run, world),
  });
  return {
    issues: issues.map((story, at) => {
      const before = first.issues[at] ?? concludeIssue(world, story, undefined);
      if (!asked.includes(story)) return before;
      const { number } = story;
      const question = questionIn(runs.get(number));
      return concludeAnswered(world, story, { before, run: again.get(number), question });
    }),
    pulls: pulls.map((story, at) => {
      const before = first.pulls[at] ?? concludePull(world, story, undefined);
      return returned.includes(story)
        ? joinReviews(world, story, { before, run: ofKind(again.get(story.number), 'pr_review') })
        : before;
    }),
  };
}

async function answer(
  { asked, returned }: { asked: IssueStory[]; returned: PullStory[] },
  world: World,
  onAct: DemoOptions['onAct'],
): Promise<void> {
  for (const story of asked) {
    onAct(`@${MAINTAINER} answers on #${story.number}`);
    await answerIssue(world, story);
  }
  for (const story of returned) {
    const { author, answer: reply } = story.pull;
    if (reply === undefined) continue;
    onAct(
      `@${author} applies a suggestion, declines a finding and repairs the rest of #${story.number}`,
    );
    await answerReview(world, story, reply);
  }
}

function questionIn(run: Run | undefined): string {
  return (run && questionOf(run)?.question) ?? '';
}

/** A question is not open any more; a review is of the head that GitHub has now. */
function hasMovedOn(run: Run, world: World): boolean {
  if (run.trigger !== 'pr_review') return run.status !== 'blocked';
  return run.review?.headSha === headOfPull(world, run.thread.number);
}

interface Watching {
  world: World;
  options: DemoOptions;
  isSettled: (run: Run) => boolean;
}

/** Resolves with each thread's run, by number, when all have settled. */
async function watch(
  stories: readonly Story[],
  { world, options, isSettled }: Watching,
): Promise<Map<number, Run>> {
  const runs = await follow({
    store: world.store,
    clock: options.clock,
    keys: stories.map(({ key }) => key),
    timeoutMs: TIMEOUT_MS,
    isSettled,
    onLook: (now) =>
      options.onLook(
        stories.map(({ number, title }, at) => ({ name: `#${number}`, title, run: now[at] })),
      ),
  });
  return new Map(runs.map((run) => [run.thread.number, run]));
}
