/** From an event on GitHub through the whole App, with its store and its queue, to the messages in Slack and on Bluesky. */
import { systemClock, systemRandom } from '../../src/adapters/system/system-clock.ts';
import { openWorld, type World } from '../../src/demo/open-world.ts';
import { startBluesky } from '../../src/emulator/chat/bluesky/start-bluesky.ts';
import { startSlack } from '../../src/emulator/chat/slack/start-slack.ts';
import { createLog } from '../../src/hosts/create-log.ts';
import { aPlanBody } from '../helpers/a-plan.ts';
import { describeLoad, percentile, wait, watchForeignLoad } from './machine.ts';
import type { Row } from './report.ts';

const EVENTS = 60;
/** These load the SDKs. */
const FIRST = 5;
const MOST_MS = 200;
const REPO = 'acme/tidy';
/** Slack takes one message a second, and its adapter waits for that: the last one is longer ago. */
const APART_MS = 1_100;
const LONGEST_MS = 10_000;

const SETTINGS = [
  'quietHours:',
  '  enabled: false',
  'channels:',
  '  slack:',
  "    channel: '#team'",
  '    events: [plan-proposed]',
  '  bluesky:',
  '    events: [plan-proposed]',
  '',
].join('\n');

/** Both services on loopback, in this process, and how many messages each has. */
export async function openBenchChats() {
  const token = (kind: string): string => [kind, 'bench'].join('-');
  const secrets = {
    botToken: token('xoxb'),
    appToken: token('xapp'),
    signingSecret: token('signing'),
  };
  const account = { did: 'did:plc:team', handle: 'team.test', password: token('password') };
  const slack = await startSlack({ clock: systemClock, secrets });
  const bluesky = await startBluesky({ clock: systemClock, accounts: [account] });
  return {
    env: {
      SLACK_BOT_TOKEN: secrets.botToken,
      SLACK_APP_TOKEN: secrets.appToken,
      SLACK_API_URL: slack.apiUrl,
      BLUESKY_SERVICE: bluesky.url,
      BLUESKY_IDENTIFIER: account.handle,
      BLUESKY_PASSWORD: account.password,
    },
    /** Posts of the bot in Slack, and on Bluesky. */
    counts: (): { slack: number; bluesky: number } => ({
      slack: slack.calls.filter(({ method, status }) => method === POST && status === 200).length,
      bluesky: bluesky.world.records.filter(({ collection }) => collection === FEED_POST).length,
    }),
    close: async (): Promise<void> => {
      await Promise.all([slack.close(), bluesky.close()]);
    },
  };
}

const POST = 'chat.postMessage';
const FEED_POST = 'app.bsky.feed.post';

type Chats = Awaited<ReturnType<typeof openBenchChats>>;

async function openBenchWorld({ env }: Chats): Promise<World> {
  return openWorld({
    env,
    clock: systemClock,
    random: systemRandom,
    log: createLog({ level: 'silent', format: 'json' }),
    owner: 'acme',
    app: { budgets: 'off', reconcileEveryMs: 0 },
    prepare: async (emulator) => {
      for (const login of ['ana', 'tom']) emulator.createUser(login);
      const files = { 'README.md': '# tidy\n', '.github/quorum.yml': SETTINGS };
      const history = [{ message: 'feat: start', author: 'ana', files }];
      await emulator.createRepository({ owner: 'acme', name: 'tidy', history });
      emulator.addCollaborator(REPO, 'ana', 'admin');
    },
  });
}

/** A plan is labelled; each announcement's time runs from before that request until the service has the message. */
async function announceOnce(
  world: World,
  chats: Chats,
): Promise<{ slack: number; bluesky: number }> {
  const { emulator } = world;
  const issue = { title: '[PLAN] Quotes that never close', body: aPlanBody() };
  const { number } = await emulator.as('tom').openIssue(REPO, issue);
  await untilDone(world);
  await wait(APART_MS);
  const before = chats.counts();
  const startedAt = performance.now();
  const took = { slack: Number.NaN, bluesky: Number.NaN };
  await emulator.as('ana').label(REPO, number, ['plan']);
  while (Number.isNaN(took.slack) || Number.isNaN(took.bluesky)) {
    const now = performance.now() - startedAt;
    const { slack, bluesky } = chats.counts();
    if (slack > before.slack && Number.isNaN(took.slack)) took.slack = now;
    if (bluesky > before.bluesky && Number.isNaN(took.bluesky)) took.bluesky = now;
    if (now > LONGEST_MS) break;
    await wait(1);
  }
  return took;
}

/** The announcement of before has its buttons, and its issue a comment. */
async function untilDone({ emulator, store }: World): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    await emulator.settled();
    quiet = (await store.records.counts()).effects.pending === 0 ? quiet + 1 : 0;
    await wait(25);
  }
}

export async function latencyOfApp(): Promise<Row[]> {
  const chats = await openBenchChats();
  const world = await openBenchWorld(chats);
  const loadOf = watchForeignLoad([]);
  const times: { slack: number; bluesky: number }[] = [];
  try {
    for (let at = 0; at < FIRST + EVENTS; at += 1) times.push(await announceOnce(world, chats));
  } finally {
    await world.close();
    await chats.close();
  }
  const load = describeLoad(loadOf());
  const measured = times.slice(FIRST);
  return (['slack', 'bluesky'] as const).map((name) => {
    const all = measured.map((each) => each[name]);
    const worst = percentile(all, 0.95);
    return {
      what: `From a label on GitHub to ${name === 'slack' ? 'Slack' : 'Bluesky'}, whole App (${EVENTS})`,
      reach: `p95 ≤ ${MOST_MS} ms`,
      measured: `p50 ${percentile(all, 0.5).toFixed(0)} ms, p95 ${worst.toFixed(0)} ms`,
      isReached: !all.some(Number.isNaN) && worst <= MOST_MS,
      load,
    };
  });
}
