/** Repositories whose names change hands while the team works on them; each holds a word of its own that must stay there. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { Repository } from '../../src/emulator/github/world/world-model.ts';
import type { ScriptedCall } from '../../src/emulator/model-server/script.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { aLeapWorld, type LeapWorld } from './a-leap-world.ts';
import { aModel } from './a-model.ts';
import { CODER_ENV, planFiles } from './a-plan-story.ts';
import { aPosition, aVerdict } from './an-issue.ts';
import { aPlanOf, sayTask } from './say-task.ts';

export const KINDS = [
  'rename',
  'take over',
  'transfer',
  'delete',
  'create again',
  'visibility',
  'rename the account',
] as const;

export interface Disturbance {
  kind: (typeof KINDS)[number];
  /** How many requests of the App come before it, counted from the one before. */
  after: number;
  /** Which of the repositories. */
  target: number;
  /** Whether its webhook is lost. */
  isLost: boolean;
}

export interface NamesWorld {
  /** Lets the team work in new repositories while this happens; returns how much it said in the right places. */
  play(schedule: readonly Disturbance[]): Promise<{ told: number; played: number }>;
}

const WORD = /canary-[a-z]+-\d+/g;
const SETTLED_MS = 4 * 60_000;
/** On a busy machine a webhook may still be under way when everything looks quiet. */
const MAX_TURNS = 4;

/** One App for all schedules, so that what it remembers of one is there in the next. */
export async function aNamesWorld(): Promise<NamesWorld> {
  const prompts: string[] = [];
  const echo = (call: ScriptedCall): string => {
    const text = [call.system, ...call.messages.map((message) => message.text)].join('\n');
    prompts.push(text);
    return [...new Set(text.match(WORD))].join(' ');
  };
  const { env } = await aModel({
    position: (call) => ({ json: aPosition({ reasons: `It says ${echo(call)}.` }) }),
    verdict: (call) => ({ json: aVerdict({ headline: `ready, says ${echo(call)}` }) }),
  });
  return namesWorld(env, prompts, {
    ends: 2,
    begin: async ({ emulator }, { homes, accounts }) => {
      for (const { repository } of homes.slice(0, 2))
        await begin(emulator.as('ana'), `${accounts[0]}/${repository.name}`);
    },
    isTold,
  });
}

/** The same with a plan in the private repository: a task is written, pushed, approved by a person and merged. Rules judge. */
export async function aPlannedNamesWorld(): Promise<NamesWorld> {
  return namesWorld(CODER_ENV, [], {
    files: planFiles('merge:\n  mode: auto\nreview:\n  settleSeconds: 0\n'),
    ends: 1,
    begin: async ({ emulator }, { homes, accounts }) => {
      for (const { repository, word } of homes.slice(0, 1)) {
        const name = `${accounts[0]}/${repository.name}`;
        emulator.addCollaborator(name, 'tom', 'write');
        const task = { ...sayTask(1, 'goodbye', { word }), title: `Say ${word}` };
        const plan = { title: `[PLAN] ${word}`, body: aPlanOf([task]) };
        const { number } = await emulator.as('ana').openIssue(name, plan);
        await emulator.as('ana').label(name, number, ['plan']);
      }
    },
    goOn: async ({ emulator }, { homes, accounts }) => {
      for (const { repository, owner, isGone } of homes) {
        const pull = [...repository.threads.values()].findLast((thread) => thread.pull);
        if (pull === undefined || isGone) continue;
        const name = `${accounts[owner]}/${repository.name}`;
        await emulator.as('tom').comment(name, pull.number, '/pm approve');
      }
    },
    isTold: ({ repository }) =>
      [...repository.threads.values()].some(({ pull }) => pull?.merged === true),
  });
}

interface Work {
  /** Of every repository, beside what each has. */
  files?: Record<string, string>;
  /** How many repositories the work begins in. */
  ends: number;
  begin: (world: LeapWorld, town: Town) => Promise<void>;
  /** What people do when nothing is left to be done without them. */
  goOn?: (world: LeapWorld, town: Town) => Promise<void>;
  isTold: (home: Home) => boolean;
}

async function namesWorld(
  env: Record<string, string>,
  prompts: readonly string[],
  { files = {}, ends, begin: start, goOn, isTold: isDone }: Work,
): Promise<NamesWorld> {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: 'debug', format: 'json', destination });
  const world = await aLeapWorld({ env, log, app: { reconcileEveryMs: 0 } });
  let count = 0;
  const all: Home[] = [];
  return {
    play: async (schedule) => {
      count += 1;
      const town = await openTown(world, count, files);
      const { homes } = town;
      all.push(...homes);
      await start(world, town);
      const play = startPlay(world, town, schedule);
      await world.pass(SETTLED_MS);
      for (let turn = 1; turn < MAX_TURNS && homes.filter(isDone).length < ends; turn += 1) {
        await goOn?.(world, town);
        await world.pass(SETTLED_MS);
      }
      const played = await play.stop();
      expectKept(all, { prompts, lines });
      return { told: homes.filter(isDone).length, played };
    },
  };
}

interface Home {
  repository: Repository;
  word: string;
  /** Place of its owner among the accounts. */
  owner: number;
  isGone: boolean;
}

interface Town {
  /** Logins as they are now: the one that owns everything, one with the App as well, and former names that were taken. */
  accounts: string[];
  homes: Home[];
}

const NAMES = ['alpha', 'beta', 'gamma'] as const;

async function openTown(
  { emulator, appId }: LeapWorld,
  count: number,
  files: Readonly<Record<string, string>>,
): Promise<Town> {
  const owner = `home-${count}`;
  const accounts = [owner, `away-${count}`];
  for (const login of accounts) {
    emulator.createOrg(login, { ana: 'admin' });
    emulator.installApp(appId, login);
  }
  const homes: Home[] = [];
  for (const name of NAMES) {
    const word = `canary-${name}-${count}`;
    const repository = await emulator.createRepository({
      owner,
      name,
      private: name === 'alpha',
      files: {
        'README.md': `# ${word}\n`,
        'src/cli.ts': `/** ${word} */\nexport const tidy = 1;\n`,
        '.github/quorum.yml': 'review:\n  settleSeconds: 0\n',
        ...files,
      },
    });
    homes.push({ repository, word, owner: 0, isGone: false });
    await openThreads(emulator.as('ana'), `${owner}/${name}`, word);
  }
  return { accounts, homes };
}

type Person = ReturnType<LeapWorld['emulator']['as']>;

/** An issue, and a branch for a pull request. */
async function openThreads(ana: Person, name: string, word: string): Promise<void> {
  const body = `Running \`tidy\` prints ${word}. I would like \`--quiet\` to print only errors.`;
  await ana.openIssue(name, { title: `Add a --quiet flag: ${word}`, body });
  const at = `/repos/${name}`;
  const main = (await ana.request('GET', `${at}/git/ref/heads/main`)) as {
    object: { sha: string };
  };
  await ana.request('POST', `${at}/git/refs`, { ref: 'refs/heads/change', sha: main.object.sha });
  await ana.request('PUT', `${at}/contents/src/run.ts`, {
    message: `feat: ${word}`,
    branch: 'change',
    content: Buffer.from(
      `/** ${word} */\nexport const run = (text: string) => eval(text);\n`,
    ).toString('base64'),
  });
}

/** Asks the team about the issue, and hands it a pull request. */
async function begin(ana: Person, name: string): Promise<void> {
  const pull = { title: 'feat: run a text', body: 'As told.', head: 'change', base: 'main' };
  await ana.request('POST', `/repos/${name}/pulls`, pull);
  await ana.label(name, 1, ['deliberate']);
}

interface Play {
  /** Returns how many disturbances came to be. */
  stop(): Promise<number>;
}

function startPlay(world: LeapWorld, town: Town, schedule: readonly Disturbance[]): Play {
  const left = [...schedule];
  const pending: Promise<unknown>[] = [];
  const stage = createStage(world, town, pending);
  let requests = 0;
  const stop = world.emulator.onExchange(({ actor }) => {
    if (!actor.startsWith('installation:')) return;
    requests += 1;
    const [next] = left;
    if (next === undefined || requests <= next.after) return;
    left.shift();
    requests = 0;
    stage(next);
  });
  return {
    stop: async () => {
      stop();
      world.emulator.faults.clear();
      await Promise.all(pending);
      return schedule.length - left.length;
    },
  };
}

/** Changes names, between two requests and at once. */
function createStage(
  { emulator }: LeapWorld,
  { accounts, homes }: Town,
  pending: Promise<unknown>[],
): (disturbance: Disturbance) => void {
  let last = 0;
  const fresh = (): string => `name-${(last += 1)}`;
  const at = ({ owner, repository }: Home): string => `${accounts[owner]}/${repository.name}`;
  const rename = (home: Home, to: string): void => emulator.renameRepository(at(home), to);
  const move = (home: Home, owner: number): void => {
    if (home.owner === owner) return;
    const wanted = `${accounts[owner]}/${home.repository.name}`;
    if (homes.some((one) => !one.isGone && at(one) === wanted)) rename(home, fresh());
    emulator.transferRepository(at(home), accounts[owner] ?? '');
    home.owner = owner;
  };
  const takeOver = (former: Home, owner: number, name: string): void => {
    const taker = homes.findLast((one) => one !== former && !one.isGone);
    if (taker === undefined) return;
    move(taker, owner);
    if (taker.repository.name !== name) rename(taker, name);
  };
  const remove = (home: Home): void => {
    home.isGone = true;
    pending.push(emulator.deleteRepository(at(home)));
  };
  const acts: Record<Disturbance['kind'], (home: Home, owner: number, name: string) => void> = {
    rename: (home) => rename(home, fresh()),
    'take over': (home, owner, name) => {
      rename(home, fresh());
      takeOver(home, owner, name);
    },
    transfer: (home, owner, name) => {
      move(home, owner === 1 ? 0 : 1);
      takeOver(home, owner, name);
    },
    delete: remove,
    'create again': (home, owner, name) => {
      remove(home);
      takeOver(home, owner, name);
    },
    visibility: ({ repository }) => {
      repository.private = !repository.private;
    },
    'rename the account': (home, owner, name) => {
      const former = accounts[owner] ?? '';
      accounts[owner] = `${former}-${fresh()}`;
      emulator.renameAccount(former, accounts[owner]);
      emulator.createOrg(former, { ana: 'admin' });
      takeOver(home, accounts.push(former) - 1, name);
    },
  };
  return ({ kind, target, isLost }) => {
    const home = homes[target % homes.length];
    if (home === undefined || home.isGone) return;
    const lost = { kind: 'lost', recorded: false } as const;
    const disarm = emulator.faults.addHook({ times: isLost ? Infinity : 0, fault: lost });
    acts[kind](home, home.owner, home.repository.name);
    disarm();
  };
}

/** What anybody wrote there, and what was pushed. */
function writtenIn({ threads, checkRuns, labels, gitDir }: Repository): string {
  return JSON.stringify([[...threads.values()], checkRuns, labels, pushedTo(gitDir)]);
}

/** Names of refs, messages and changes, also of what no branch has any more; of one that was deleted nothing is left. */
function pushedTo(gitDir: string): string {
  if (!existsSync(gitDir)) return '';
  const git = (...args: string[]): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args], { maxBuffer: 1e9 }).toString();
  return git('for-each-ref', '--format=%(refname)') + git('log', '--all', '-p', '--format=%B');
}

function isTold({ repository, word }: Home): boolean {
  const comments = [...repository.threads.values()].flatMap((thread) => thread.comments);
  return comments.some(({ body }) => body.includes(`says ${word}`));
}

function expectKept(
  homes: readonly Home[],
  { prompts, lines }: { prompts: readonly string[]; lines: readonly string[] },
): void {
  for (const { repository, word } of homes) {
    const found = new Set(writtenIn(repository).match(WORD));
    expect([...found].filter((one) => one !== word)).toEqual([]);
  }
  for (const prompt of prompts) expect(new Set(prompt.match(WORD)).size).toBeLessThan(2);
  expect(lines.filter((line) => line.match(WORD) !== null)).toEqual([]);
}
