/** Channels: what an announcement costs besides the service, a long queue with kills, and what a look asks. */
import { createBluesky } from '../../src/adapters/bluesky/create-bluesky.ts';
import { startBluesky } from '../../src/emulator/chat/bluesky/start-bluesky.ts';
import type { Channel } from '../../src/ports/channel.ts';
import { aSlackWorld } from '../adapters/slack/slack-world.ts';
import { drainChats } from '../chaos/drain-chats.ts';
import { aChannelLife } from '../helpers/a-channel-life.ts';
import { createInstantClock } from '../helpers/an-instant-clock.ts';
import { latencyOfApp, openBenchChats } from './announcement-latency.ts';
import {
  EMBEDDED,
  newPrivateKey,
  start,
  startStub,
  type Contender,
  type Surroundings,
} from './contenders.ts';
import { describeLoad, median, percentile, rssOf, wait, watchForeignLoad } from './machine.ts';
import { createPayloads } from './payloads.ts';
import { byRatio, type Row, type Section } from './report.ts';
import { copyApp } from './without-channels.ts';

const ANNOUNCEMENTS = 300;
const QUEUED = 1_000;
const LOST = 10;
const KILLS = 10;
/** At most 90 s for the whole: a second of the service is 40 ms. */
const DRAIN = { answers: QUEUED, threads: 10, kills: KILLS, speed: 8, refusedSeconds: 5 };
const LOOKS = 20;
const MINUTE_MS = 60_000;
const STARTS = 10;

export const channels: Section = {
  name: 'channels',
  title: 'Channels',
  method: `Reducer, act and adapters in one process against the emulated services on loopback, whose clock is a fake one: no wait for a limit takes real time. The latency is the real time from the event to the answer of the service, so it includes the emulator. Then plans are labelled on the emulated GitHub, one at a time, for a whole App with store and queue, in the same process and by the system’s clock. Each time runs from before the request that labels until Slack or Bluesky has its message, so it includes the emulated services. The long queue is drained twice. Once by the adapter alone, without queue and store: of some messages the answer is lost, and a new instance sends them again. And once by the whole App, as a process with a real store: it is killed with SIGKILL while it drains, and Slack, in another process, takes one message a second and refuses the first of each process for ${DRAIN.refusedSeconds} s. Both processes share a clock that runs ${DRAIN.speed} times as fast as the wall’s, which makes the App look as many times as slow and each start as many times as long. \`test/scenario/chat-bluesky.test.ts\` counts the calls of models at looks. Start and memory are medians of shipped Apps that take turns: with both emulated services, without any token, and without a token in an App from which the code of channels is removed. All three are copies of the App as it is shipped. Memory is the resident set three seconds after the first answer.`,
  run: async () => [
    await latency(),
    ...(await latencyOfApp()),
    ...(await drain()),
    ...(await drainApp()),
    await looks(),
    ...(await starts()),
  ],
};

async function latency(): Promise<Row> {
  const world = await aSlackWorld();
  const loadOf = watchForeignLoad([]);
  const life = aChannelLife(world.clock, () => world.open());
  life.config.quietHours.enabled = false;
  const times: number[] = [];
  for (let number = 1; number <= ANNOUNCEMENTS + 20; number += 1) {
    life.happens(0, number);
    const startedAt = performance.now();
    await life.pass(MINUTE_MS);
    // The first ones load the SDK.
    if (number > 20) times.push(performance.now() - startedAt);
  }
  const load = describeLoad(loadOf());
  const told = world.room.messages.length;
  await world.close();
  const worst = percentile(times, 0.95);
  return {
    what: `An announcement in Slack, without store and queue (${ANNOUNCEMENTS})`,
    reach: 'p95 ≤ 200 ms outside the service',
    measured: `p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${worst.toFixed(0)} ms`,
    isReached: worst <= 200 && told === ANNOUNCEMENTS + 20,
    load,
  };
}

async function drain(): Promise<Row[]> {
  const world = await aSlackWorld();
  const loadOf = watchForeignLoad([]);
  const keys = Array.from({ length: QUEUED }, (_, at) => `m${at}`);
  const life = aChannelLife(world.clock, () => world.open());
  life.config.quietHours.enabled = false;
  life.happens(0, 1);
  await life.pass(MINUTE_MS);
  const thread = world.room.messages[0]?.ts ?? '';
  const to = { channel: 'slack', place: world.room.id, thread, message: thread } as const;
  const begun = world.clock.now();
  let channel: Channel = world.open();
  for (const [at, key] of keys.entries()) {
    const reply = {
      key,
      at: new Date(world.clock.now()).toISOString(),
      isPrivate: false,
      markdown: key,
    };
    const isLost = at % (QUEUED / LOST) === QUEUED / LOST / 2;
    if (isLost) world.loseAnswer();
    try {
      await channel.reply(to, { ...reply, isNew: true });
    } catch {
      channel = world.open();
      await channel.reply(to, reply);
    }
  }
  const seconds = (world.clock.now() - begun) / 1_000;
  const texts = world.room.messages.slice(1).map(({ text }) => text);
  const load = describeLoad(loadOf());
  await world.close();
  const twice = texts.length - new Set(texts).size;
  const isWhole = texts.length === QUEUED && twice === 0;
  return [
    {
      what: `${QUEUED} messages by the adapter alone, ${LOST} lost answers`,
      reach: 'each once',
      measured: `${texts.length} sent, ${twice} twice`,
      isReached: isWhole,
      load,
    },
    {
      what: 'the same, in the service’s time',
      reach: `≤ 1.05× its limit (${QUEUED - 1} s)`,
      measured: `${seconds.toFixed(0)} s`,
      ratio: `${(seconds / (QUEUED - 1)).toFixed(2)}×`,
      isReached: seconds <= 1.05 * (QUEUED - 1),
      load,
    },
  ];
}

/** Its processes come and go, so what they use cannot be subtracted. */
const UNKNOWN = 'not measured';
/** A start takes some seconds of the service's time, and each is refused for some more. */
const MOST_WITH_STARTS = 1.25;

async function drainApp(): Promise<Row[]> {
  const { wanted, sent, tooSoon, impatient, seconds } = await drainChats(DRAIN);
  const texts = sent.flat();
  const twice = texts.length - new Set(texts).size;
  const isInOrder = JSON.stringify(sent) === JSON.stringify(wanted);
  return [
    {
      what: `${QUEUED} messages by the whole App, ${KILLS} kills`,
      reach: 'each once, in order in its thread',
      measured: `${texts.length} sent, ${twice} twice, ${isInOrder ? 'all' : 'not all'} in order`,
      isReached: isInOrder,
      load: UNKNOWN,
    },
    {
      what: 'the same, requests to post beyond the service’s limit',
      reach: `0, beside ${KILLS + 1} that it refused of its own`,
      measured: `${tooSoon} within a second, ${impatient} within Retry-After`,
      isReached: tooSoon + impatient === 0,
      load: UNKNOWN,
    },
    {
      what: `the same, in the service’s time, with ${KILLS + 1} starts`,
      reach: `≤ ${MOST_WITH_STARTS}× its limit (${QUEUED - 1} s)`,
      measured: `${seconds.toFixed(0)} s`,
      isReached: seconds <= MOST_WITH_STARTS * (QUEUED - 1),
      ratio: `${(seconds / (QUEUED - 1)).toFixed(2)}×`,
      load: UNKNOWN,
    },
  ];
}

async function looks(): Promise<Row> {
  const clock = createInstantClock();
  const password = ['app', 'password'].join('-');
  const accounts = ['team', 'owner'].map((name) => ({
    did: `did:plc:${name}`,
    handle: `${name}.test`,
    password,
  }));
  const emulator = await startBluesky({ clock, accounts });
  const loadOf = watchForeignLoad([]);
  const settings = {
    service: emulator.url,
    identifier: 'team.test',
    password,
    owner: 'did:plc:owner',
  };
  const channel = createBluesky({ settings, clock });
  let { cursor } = await channel.catchUp((await channel.catchUp(undefined)).cursor);
  const before = emulator.calls.length;
  for (let look = 0; look < LOOKS; look += 1) ({ cursor } = await channel.catchUp(cursor));
  const each = (emulator.calls.length - before) / LOOKS;
  const load = describeLoad(loadOf());
  await emulator.close();
  return {
    what: `A look at Bluesky without news, with an owner (${LOOKS})`,
    reach: '≤ 1 request',
    measured: `${each.toFixed(2)} requests`,
    isReached: each <= 1,
    load,
  };
}

/** Of an App without tokens, to the same App without the code of channels. */
const MOST_WITHOUT = 1.05;

async function starts(): Promise<Row[]> {
  const stub = await startStub(0);
  const secret = ['the', 'secret', 'of', 'benchmarks'].join('-');
  const payload = createPayloads(secret)();
  const around = { secret, privateKey: newPrivateKey(), githubUrl: stub.url, payload };
  const without = copyApp({ hasChannels: false });
  const whole = copyApp({ hasChannels: true });
  const bare = [without.entry, 'start'];
  const entry = [whole.entry, 'start'];
  const contenders = [
    { ...EMBEDDED, name: 'An App whose code has no channels', entry: bare },
    { ...EMBEDDED, name: 'An App without channels', entry },
    { ...EMBEDDED, name: 'An App with Slack and Bluesky', entry, env: withChannels },
  ];
  const found = new Map<string, Started>();
  const loadOf = watchForeignLoad([stub.pid]);
  try {
    // The first of each fills what Node and the system keep of its files.
    for (const contender of contenders) await startOnce(contender, around);
    // Each is as often before the other as after it.
    const turns = Array.from({ length: STARTS }, (_, turn) =>
      turn % 2 === 0 ? contenders : contenders.toReversed(),
    ).flat();
    for (const contender of turns) {
      const { ms, mb } = found.get(contender.name) ?? { ms: [], mb: [] };
      const once = await startOnce(contender, around);
      found.set(contender.name, { ms: [...ms, once.ms], mb: [...mb, once.mb] });
    }
  } finally {
    await stub.stop();
    for (const { remove } of [without, whole]) remove();
  }
  return toStartRows(found, describeLoad(loadOf()));
}

async function startOnce(
  contender: Contender,
  around: Surroundings,
): Promise<{ ms: number; mb: number }> {
  const app = await start(contender, around);
  await wait(3_000);
  const mb = rssOf(app.pid);
  await app.stop();
  return { ms: app.firstAckMs, mb };
}

/** In milliseconds and megabytes. */
interface Started {
  ms: number[];
  mb: number[];
}

/** The App that has channels and no token is judged; the one with both is listed. */
function toStartRows(found: ReadonlyMap<string, Started>, load: string): Row[] {
  const all = [...found].map(([name, { ms, mb }]) => ({ name, ms: median(ms), mb: median(mb) }));
  const [least, judged] = all;
  return all.flatMap(({ name, ms, mb }): Row[] => {
    const toFirst = { what: `${name}: start`, reach: '', measured: `${ms.toFixed(0)} ms`, load };
    const memory = { what: `${name}: idle`, reach: '', measured: `${mb.toFixed(0)} MB`, load };
    if (least === undefined || name !== judged?.name) return [toFirst, memory];
    const reach = `≤ ${MOST_WITHOUT}×`;
    const bound = { atMost: MOST_WITHOUT };
    return [
      byRatio({ ...toFirst, reach }, ms / least.ms, bound),
      byRatio({ ...memory, reach }, mb / least.mb, bound),
    ];
  });
}

/** Both services on loopback, in this process. */
async function withChannels(): ReturnType<Contender['env']> {
  const { env, cleanUp } = await EMBEDDED.env();
  const chats = await openBenchChats();
  return {
    env: { ...env, ...chats.env },
    cleanUp: async () => {
      await cleanUp();
      await chats.close();
    },
  };
}
