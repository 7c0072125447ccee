/**
 * Answers that wait in the store of an App for Slack, and the App's process killed among them. The emulated services are in
 * this process, and both processes share one fast clock. Outside vitest too: the benchmark runs it.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemRandom } from '../../src/adapters/system/system-clock.ts';
import { openWorld, type World } from '../../src/demo/open-world.ts';
import { channelsKey } from '../../src/domain/channel/channels-state.ts';
import { EVENT_VERSION, type EventData, type NewEvent } from '../../src/domain/event/event.ts';
import { sayInSlack } from '../../src/emulator/chat/slack/slack-world.ts';
import { startSlack, type SlackEmulator } from '../../src/emulator/chat/slack/start-slack.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { readHostSettings } from '../../src/hosts/environment/host-settings.ts';
import { openStore } from '../../src/hosts/open-store.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { createSharedClock, type SharedTime } from '../helpers/a-shared-clock.ts';

const CHILD = path.join(import.meta.dirname, '../scenario/kill-child.ts');
/** Around an answer: before it is sent, before its result is kept, and after that. */
const POINTS = ['before-effect', 'after-effect', 'after-record'] as const;
const POST = 'chat.postMessage';

export interface DrainOptions {
  answers: number;
  threads: number;
  kills: number;
  /** How much faster than the wall's the clock of both processes runs. */
  speed: number;
  /** The service refuses the first answer of each process, and names this time. */
  refusedSeconds: number;
}

export interface Drained {
  /** For each thread the texts that wait for it, in order. */
  wanted: string[][];
  /** For each thread the texts that are in it. */
  sent: string[][];
  /** Requests to post that came within a second of the one before, so that the service refused them. */
  tooSoon: number;
  /** Requests to post before the time was over that a refusal named. A process knows only of refusals since its own start. */
  impatient: number;
  /** Of the shared clock, from the first answer to the last. */
  seconds: number;
}

export async function drainChats(options: DrainOptions): Promise<Drained> {
  const time: SharedTime = { start: Date.now(), speed: options.speed };
  const clock = createSharedClock(time);
  const data = await mkdtemp(path.join(tmpdir(), 'quorum-drain-'));
  const slack = await startSlack({ clock, secrets: secrets() });
  const world = await openAnsweringWorld(clock, slack);
  const env = { ...world.appEnv, QUORUM_DATA: data, PORT: '0', RECONCILE_MS: '0' };
  try {
    const wanted = await queueAnswers(world, { ...options, slack, clock, env });
    await runKilled(slack, { ...options, env: { ...env, CLOCK_SHARED: JSON.stringify(time) } });
    return describe(slack, wanted, options);
  } finally {
    await world.emulator.close();
    await slack.close();
    await rm(data, { recursive: true, force: true });
    await rm(world.dir, { recursive: true, force: true });
  }
}

/** Assembled here, so that no scanner takes them for real ones. */
function secrets(): Parameters<typeof startSlack>[0]['secrets'] {
  const token = (kind: string): string => [kind, 'drain'].join('-');
  return { botToken: token('xoxb'), appToken: token('xapp'), signingSecret: token('signing') };
}

async function openAnsweringWorld(clock: Clock, slack: SlackEmulator): Promise<World> {
  const { botToken, signingSecret } = secrets();
  const world = await openWorld({
    env: {
      SLACK_BOT_TOKEN: botToken,
      SLACK_SIGNING_SECRET: signingSecret,
      SLACK_API_URL: slack.apiUrl,
    },
    clock,
    random: systemRandom,
    log: createLog({ level: 'silent', format: 'json' }),
    owner: 'acme',
    app: { budgets: 'off', reconcileEveryMs: 0 },
    prepare: async (emulator) => {
      emulator.createUser('ana');
      const history = [
        { message: 'feat: start', author: 'ana', files: { 'README.md': '# tidy\n' } },
      ];
      await emulator.createRepository({ owner: 'acme', name: 'tidy', history });
    },
  });
  await world.stopApp();
  return world;
}

type Queued = DrainOptions & { slack: SlackEmulator; clock: Clock; env: World['appEnv'] };

/** They are durable before the first process starts, as after an outage of the service. */
async function queueAnswers(
  { emulator, installationId }: World,
  { answers, threads, slack, clock, env }: Queued,
): Promise<string[][]> {
  const { id: repositoryId } = emulator.repository('acme/tidy');
  const repository = { installationId, repositoryId, owner: 'acme', repo: 'tidy' };
  const toEvent = (id: string, data: EventData): NewEvent => ({
    id,
    key: channelsKey(repositoryId),
    version: EVENT_VERSION,
    at: new Date(clock.now()).toISOString(),
    data,
  });
  const [room] = slack.world.channels;
  if (room === undefined) throw new Error('no channel');
  const asked = Array.from({ length: threads }, (_, at) =>
    sayInSlack(slack.world, room, { user: 'U0HUMAN001', text: `question ${at}` }),
  );
  const joined = asked.map(({ ts }, at) => {
    const thread = { channel: 'slack', place: room.id, thread: ts } as const;
    return toEvent(`joined-${at}`, {
      kind: 'chat-joined',
      run: 'r',
      repository,
      number: at + 1,
      thread,
    });
  });
  const texts = Array.from({ length: answers }, (_, at) => `answer ${at}`);
  const answered = texts.map((markdown, at) => {
    const number = (at % threads) + 1;
    return toEvent(`answered-${at}`, {
      kind: 'answered',
      run: 'r',
      repository,
      number,
      markdown,
      channels: ['slack'],
    });
  });
  const log = createLog({ level: 'silent', format: 'json' });
  const store = await openStore(readHostSettings(env), { clock, log });
  await store.append([...joined, ...answered]);
  await store.close();
  return asked.map((_, thread) => texts.filter((__, at) => at % threads === thread));
}

type Killed = DrainOptions & { env: World['appEnv'] };

/** Each process dies after its share of the answers; the last one stays until nothing waits. */
async function runKilled(slack: SlackEmulator, options: Killed): Promise<void> {
  const { answers, kills, env } = options;
  const share = Math.max(1, Math.floor(answers / (kills + 1)));
  for (let kill = 0; kill < kills; kill += 1) {
    const point = POINTS[kill % POINTS.length];
    refuseNext(slack, options);
    const killAt = { kind: 'chat-reply', nth: share, point };
    const signal = await endOf(start({ ...env, KILL_AT: JSON.stringify(killAt) }));
    if (signal !== 'SIGKILL') throw new Error(`process ${kill} ended by itself`);
  }
  refuseNext(slack, options);
  await runToRest(start(env));
}

const LONGEST_MS = 600_000;

/** The signal that it died of. One that goes on for too long is ended, too. */
async function endOf({ child, death }: AppProcess): Promise<unknown> {
  const stop = new AbortController();
  const late = wait(LONGEST_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error('the process was not killed in time');
  });
  try {
    const [, signal] = await Promise.race([death, late]);
    return signal;
  } finally {
    stop.abort();
    late.catch(() => undefined);
    child.kill('SIGKILL');
  }
}

/** What is scheduled for later is waiting too, so nothing follows once nothing waits. */
async function runToRest({ child, death }: AppProcess): Promise<void> {
  const ended = death.then(() => {
    throw new Error('the last process ended by itself');
  });
  try {
    await Promise.race([once(child, 'message'), ended]);
    while ((await Promise.race([pendingIn(child), ended])) > 0) await wait(50);
  } finally {
    child.kill('SIGKILL');
    await ended.catch(() => undefined);
  }
}

function refuseNext({ faults }: SlackEmulator, { refusedSeconds }: DrainOptions): void {
  const headers = { 'retry-after': String(refusedSeconds) };
  faults.push({ method: POST, kind: 'answer', answer: { status: 429, headers, body: '' } });
}

interface AppProcess {
  child: ChildProcess;
  death: Promise<unknown[]>;
}

function start(env: World['appEnv']): AppProcess {
  const child = fork(CHILD, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execPath: process.execPath,
    env: { PATH: process.env['PATH'], ...env },
  });
  return { child, death: once(child, 'exit') };
}

async function pendingIn(child: ChildProcess): Promise<number> {
  child.send('pending');
  const [{ pending }] = (await once(child, 'message')) as [{ pending: number }];
  return pending;
}

function describe(slack: SlackEmulator, wanted: string[][], options: DrainOptions): Drained {
  const [room] = slack.world.channels;
  const messages = room?.messages ?? [];
  const answers = messages.filter(({ bot_id: bot }) => bot === slack.world.bot.botId);
  const asked = messages.filter((each) => !answers.includes(each));
  const posts = slack.calls.filter(({ method }) => method === POST);
  const refused = posts.filter(({ status }) => status === 429);
  const isWithin = (at: number): boolean =>
    refused.some((each) => at > each.at && at < each.at + options.refusedSeconds * 1_000);
  const [first, last] = [answers[0], answers.at(-1)];
  return {
    wanted,
    sent: asked.map(({ ts }) =>
      answers.filter(({ thread_ts: thread }) => thread === ts).map(({ text }) => text),
    ),
    tooSoon: refused.length - (options.kills + 1),
    impatient: posts.filter(({ at }) => isWithin(at)).length,
    seconds: Number(last?.ts ?? 0) - Number(first?.ts ?? 0),
  };
}
