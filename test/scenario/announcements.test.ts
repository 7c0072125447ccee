/** What happens on GitHub is announced in Slack and on Bluesky, through the real entry points. */
import { describe, expect, test } from 'vitest';
import { aChatWorld, CHAT_SETTINGS, openChats, type ChatWorld } from '../helpers/a-chat-world.ts';
import { aKilledApp, POINTS } from '../helpers/a-killed-app.ts';
import { aPlanWorld, leavingTodo } from '../helpers/a-plan-story.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { noBwrap } from '../helpers/no-bwrap.ts';
import { waitUntil } from '../helpers/wait-until.ts';
import { verifies } from '../verifies.ts';

const A_DECISION = {
  title: 'Remove --legacy in 2.0, or keep it as a hidden alias?',
  body: `\`--legacy\` prints the layout of 0.x. It is one more path to keep working for each new option.

- **Option A:** remove \`--legacy\` in 2.0. A breaking change: scripts that cut at tabs stop working.
- **Option B:** keep it as a hidden alias for one more major release and warn on standard error.

Should we remove it or keep it? This is a promise to our users, so I do not want to choose alone.
`,
};

function headsIn({ room }: Pick<ChatWorld, 'room'>): string[] {
  const isHead = (each: (typeof room.messages)[number]): boolean =>
    each.thread_ts === undefined || each.thread_ts === each.ts;
  return room.messages.filter(isHead).map(({ text }) => text);
}

verifies(
  'NW-17',
  'a verdict is announced in Slack and on Bluesky; in Slack one message shows the newest state',
  async () => {
    const chats = await aChatWorld();
    await chats.world.ask(READY_ISSUE);
    await chats.world.idle();
    const heads = headsIn(chats);
    expect(heads).toHaveLength(1);
    expect(heads[0]).toContain(`${REPO}#1`);
    expect(heads[0]).toContain(READY_ISSUE.title);
    expect(heads[0]).toContain('verdict: ');
    expect(chats.room.messages[0]?.username).toMatch(/^Carlos \(.+\)$/);
    expect(chats.onBluesky()).toHaveLength(1);
    expect(chats.onBluesky()[0]).toContain('verdict: ');
  },
);

verifies(
  'NW-17',
  'the lead of the team announces a verdict under its own name and picture; without the scope for that, under the name of the App',
  async () => {
    const avatar = 'https://example.com/lena.png';
    const front = ['handle: carlos', 'name: Lena', 'role: Tech Lead', 'team: engineering'];
    const more = ['lens: risk', 'lead: true', `avatar: ${avatar}`];
    const file = `---\n${[...front, ...more].join('\n')}\n---\n\n## Who I am\n\nSomebody.\n`;
    const chats = await aChatWorld({ files: { '.github/quorum/personas/carlos.md': file } });
    await chats.world.ask(READY_ISSUE);
    await chats.world.idle();
    expect(chats.room.messages).toMatchObject([
      { username: 'Lena (Tech Lead)', icons: { image_48: avatar } },
      { username: 'Lena (Tech Lead)', icons: { image_48: avatar } },
    ]);
    chats.slack.world.scopes.delete('chat:write.customize');
    await chats.world.ask({ ...READY_ISSUE, title: 'Another date' });
    await chats.world.idle();
    const unnamed = chats.room.messages.filter(({ username }) => username === undefined);
    expect(unnamed.map(({ text }) => text.split('\n')[0])).toEqual([
      '*Lena (Tech Lead)*',
      '*Lena (Tech Lead)*',
    ]);
  },
);

test('a decision for people is announced in Slack as a question of the lead', async () => {
  const settings = CHAT_SETTINGS.replace(/events: .*needs-human\]/, 'events: [needs-human]');
  const chats = await aChatWorld({ files: { '.github/quorum.yml': settings } });
  await chats.world.ask(A_DECISION);
  await chats.world.idle();
  expect((await chats.world.tell(1)).labels).toContain('needs-human');
  expect(headsIn(chats)).toEqual([expect.stringMatching(/^🙋 .*: a person is needed: .*\?$/)]);
  expect(chats.room.messages[0]?.username).toMatch(/^Carlos \(/);
});

test('a question that nobody has to answer any more is taken back in the message that asked', async () => {
  const settings = CHAT_SETTINGS.replace(/events: .*needs-human\]/, 'events: [needs-human]');
  const chats = await aChatWorld({ files: { '.github/quorum.yml': settings } });
  await chats.world.ask(A_DECISION);
  await chats.world.idle();
  const [asked] = chats.room.messages;
  await chats.world.emulator.as('ana').comment(REPO, 1, '/pm stop');
  await chats.world.idle();
  expect(headsIn(chats)).toEqual([
    expect.stringMatching(/^\*Quorum\*\n☑️ .*: settled: Should we remove it or keep it\?$/),
  ]);
  expect(chats.room.messages[0]?.ts).toBe(asked?.ts);
});

test.skipIf(noBwrap !== undefined)(
  'the standup of a plan is announced in Slack, with who said what below it',
  async () => {
    const chats = await openChats();
    const settings = CHAT_SETTINGS.replace(/events: .*needs-human\]/, 'events: [standup]');
    const world = await aPlanWorld(`${settings}merge:\n  mode: auto\n`, { env: chats.env });
    const number = await world.plan([leavingTodo()]);
    await world.idle();
    await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
    await world.idle();
    expect(chats.inSlack()).toEqual([
      expect.stringMatching(new RegExp(`^📅 .*${REPO}#${number} .*: standup of \\d{4}-`)),
      expect.stringMatching(/^ {2}.*left.*TODO: take the language from the settings/),
    ]);
    expect(chats.room.messages.map(({ username }) => username)).toEqual([undefined, undefined]);
  },
);

test('nothing is announced for an event that the repository does not list, nor without a channel', async () => {
  const settings = 'channels:\n  slack:\n    events: [verdict]\n  bluesky:\n    events: [merged]\n';
  const chats = await aChatWorld({ files: { '.github/quorum.yml': settings } });
  await chats.world.ask(READY_ISSUE);
  await chats.world.idle();
  expect([chats.inSlack(), chats.onBluesky()]).toEqual([[], []]);
  expect(chats.slack.calls).toEqual([]);
});

verifies(
  'OUT-04: private repository',
  'a private repository is announced in Slack and never on Bluesky',
  async () => {
    const chats = await aChatWorld();
    chats.world.emulator.addCollaborator(REPO, 'tom', 'read');
    chats.world.emulator.repository(REPO).private = true;
    await chats.world.ask(READY_ISSUE);
    await chats.world.idle();
    expect(headsIn(chats)).toHaveLength(1);
    expect(chats.onBluesky()).toEqual([]);
  },
);

verifies(
  'OUT-04: made private before sending',
  'a repository that is made private between event and sending is not told of on Bluesky',
  async () => {
    const chats = await aChatWorld();
    // Its first message is refused, with a picture and without one, so that it is sent a second time.
    chats.bluesky.faults.push({
      method: 'com.atproto.repo.putRecord',
      kind: 'answer',
      times: 2,
      answer: { status: 503, headers: {}, body: '{"error":"Unavailable","message":"later"}' },
    });
    await chats.world.ask(READY_ISSUE);
    await waitUntil(() => Promise.resolve(chats.bluesky.faults.length === 0));
    chats.world.emulator.repository(REPO).private = true;
    await chats.world.idle();
    expect(chats.onBluesky()).toEqual([]);
  },
);

describe('a channel that fails', () => {
  verifies(
    'OUT-07: work on GitHub goes on',
    'delays nothing on GitHub, and waiting announcements are sent once it works',
    async () => {
      const chats = await aChatWorld();
      chats.slack.world.isRevoked = true;
      await chats.world.ask(READY_ISSUE);
      await chats.world.idle();
      const { labels, comments } = await chats.world.tell(1);
      expect([labels.includes('ready'), comments.length]).toEqual([true, 1]);
      expect(chats.inSlack()).toEqual([]);
      expect(chats.onBluesky()).toHaveLength(1);
      const dead = await chats.world.store.records.effects({ status: 'dead', limit: 10 });
      expect(dead).toEqual([]);
      const refused = await chats.world.store.records.effects({ status: 'refused', limit: 10 });
      expect(refused.map(({ data }) => data.kind)).toEqual(['announce']);
      const timers = await chats.world.store.records.events({ status: 'pending', limit: 10 });
      expect(timers.map(({ key }) => key.split(':')[0])).toContain('channels');
    },
  );

  test.each(['archived', 'not invited', 'deleted'])(
    'because it is %s costs one try, not one for each message',
    async (how) => {
      const chats = await aChatWorld();
      if (how === 'archived') chats.room.is_archived = true;
      if (how === 'not invited') chats.room.isMember = false;
      if (how === 'deleted') chats.slack.world.channels.length = 0;
      await chats.world.ask(READY_ISSUE);
      await chats.world.idle();
      const tries = await chats.world.store.records.effects({ status: 'refused', limit: 10 });
      expect(tries).toHaveLength(1);
      expect((await chats.world.tell(1)).labels).toContain('ready');
    },
  );
});

test('another account that the App is installed on may not use the channels of this host', async () => {
  const chats = await aChatWorld();
  chats.world.emulator.createOrg('stranger');
  chats.world.emulator.installApp(chats.world.appId, 'stranger');
  await chats.world.ask(READY_ISSUE);
  await chats.world.idle();
  expect([chats.inSlack(), chats.onBluesky()]).toEqual([[], []]);
  const refused = await chats.world.store.records.effects({ status: 'refused', limit: 10 });
  expect(refused[0]?.reason).toContain('QUORUM_CHANNEL_OWNERS');
});

test(`killed ${POINTS.length} times around an announcement, each is sent once`, async () => {
  const chats = await openChats();
  const app = await aKilledApp({ '.github/quorum.yml': CHAT_SETTINGS }, { env: chats.env });
  let isAsked = false;
  for (const point of POINTS) {
    await app.startUntil({ kind: 'announce', nth: 1, point });
    if (!isAsked) await app.world.ask(READY_ISSUE);
    isAsked = true;
    await app.killed();
  }
  await app.runToRest();
  expect(headsIn(chats)).toHaveLength(1);
  expect(headsIn(chats)[0]).toContain('verdict: ');
  expect(chats.onBluesky()).toHaveLength(1);
});
