/** Somebody asks for work in Slack: one thread there is one issue on GitHub, and nobody acts without a link to a login. */
import { describe, expect, test } from 'vitest';
import { MEMORY_BRANCH } from '../../src/domain/config/config-team.ts';
import { signEvent, toSlackEvent } from '../../src/emulator/chat/slack/slack-events.ts';
import { sayInSlack } from '../../src/emulator/chat/slack/slack-world.ts';
import { aChatWorld, CHAT_SETTINGS, type ChatWorld } from '../helpers/a-chat-world.ts';
import { REPO } from '../helpers/a-world.ts';
import { moveBranch, tipOf, writeCommit } from '../helpers/commits.ts';
import {
  aMappedWorld,
  BOB,
  inThread,
  link,
  MALLORY,
  MAPPED,
  say,
  WISH,
} from '../helpers/say-in-slack.ts';
import { anIssue } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

interface Issue {
  number: number;
  title: string;
  body: string;
  html_url: string;
}

async function issuesOf({ world }: ChatWorld): Promise<Issue[]> {
  const all = await world.emulator.as('ana').request('GET', `/repos/${REPO}/issues?state=all`);
  return all as Issue[];
}

verifies(
  ['NW-17', 'TG-20'],
  'a request in Slack becomes a plan, and “yes” in that thread approves it, by the person who confirmed a code on GitHub',
  async () => {
    const chats = await aMappedWorld();
    await link(chats, 'ana');
    const thread = await say(chats, WISH);
    expect((await issuesOf(chats)).map(({ title }) => title).toSorted()).toEqual(
      expect.arrayContaining(['Quiet and verbose', '[PLAN] Quiet and verbose']),
    );
    const asked = (await issuesOf(chats)).find(({ title }) => title === 'Quiet and verbose');
    expect(asked?.body).toContain('Asked by `ana` in Slack:\n\n');
    expect(inThread(chats, thread)[0]).toBe(
      `Your request is <${asked?.html_url}|${REPO}#${asked?.number}>.`,
    );
    const proposed = inThread(chats, thread).join('\n');
    expect(proposed).toMatch(/Quiet and verbose.*waits for approval/);
    const byPlanner = chats.room.messages.filter(({ text }) => text.includes('*Plan proposed'));
    expect(byPlanner).toMatchObject([{ username: expect.stringMatching(/^Sasha /) }]);
    await say(chats, 'yes', { thread });
    const plan = (await issuesOf(chats)).find(({ title }) => title.startsWith('[PLAN]'));
    const { labels, all } = await chats.world.tell(plan?.number ?? 0);
    expect(labels).toContain('plan:active');
    expect(all.some(({ body }) => body.startsWith('`ana` in Slack:\n\n> yes'))).toBe(true);
    expect(inThread(chats, thread).join('\n')).toContain('ana approved the plan');
  },
);

test('in a private repository, the issue links to the message that asked for it', async () => {
  const chats = await aMappedWorld();
  await link(chats, 'ana');
  chats.world.emulator.repository(REPO).private = true;
  const thread = await say(chats, WISH);
  const asked = (await issuesOf(chats)).find(({ title }) => title === 'Quiet and verbose');
  const page = `https://emulated.slack.com/archives/${chats.room.id}/p${thread.replace('.', '')}`;
  expect(asked?.body).toContain(`Asked by \`ana\` in [Slack](${page}):\n\n`);
});

test('a mention that Slack delivers as two kinds of events is one request', async () => {
  const chats = await aMappedWorld();
  await link(chats, 'ana');
  const { slack, room, world } = chats;
  const text = `<@${slack.world.bot.userId}> ${WISH}`;
  const said = sayInSlack(slack.world, room, { user: BOB, text });
  const twins = (['app_mention', 'message'] as const).map((type) => {
    const delivery = toSlackEvent(slack.world, room, said);
    const event = { ...(delivery['event'] as object), type };
    const body = JSON.stringify({ ...delivery, event_id: `Ev-${type}`, event });
    const seconds = Math.floor(Date.now() / 1000);
    return { body, headers: signEvent(slack.world.signingSecret, body, seconds) };
  });
  const url = `${world.app.url}/api/slack/events`;
  const answers = await Promise.all(
    twins.map(({ body, headers }) => fetch(url, { method: 'POST', headers, body })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await world.idle();
  const titles = (await issuesOf(chats)).map(({ title }) => title);
  expect(titles.filter((title) => title === 'Quiet and verbose')).toHaveLength(1);
});

test('a voice note of 60 minutes is answered with a sentence, below what was asked, and reaches no issue', async () => {
  const chats = await aMappedWorld();
  await link(chats, 'ana');
  const note = {
    id: 'F0000VOICE',
    name: '<!channel> note.m4a',
    mimetype: 'audio/mp4',
    size: 57_600_000,
    duration_ms: 3_600_000,
    title: 'note',
    bytes: undefined,
  };
  const before = await issuesOf(chats);
  const thread = await say(chats, '', { files: [note] });
  expect(await issuesOf(chats)).toEqual(before);
  expect(inThread(chats, thread)).toEqual([
    'I cannot listen to recordings, so I did not hear this one of 60 minutes. Mention me, and write what you want.',
  ]);
  await say(chats, `<@${chats.slack.world.bot.userId}> ${WISH}`, { thread });
  expect((await issuesOf(chats)).length).toBeGreaterThan(before.length);
});

describe('nothing is done', () => {
  verifies(
    'OUT-08: name of somebody else',
    'for somebody who calls themselves as a login is called',
    async () => {
      const chats = await aMappedWorld();
      await link(chats, 'ana');
      const before = await issuesOf(chats);
      const thread = await say(chats, WISH, { user: MALLORY });
      expect(await issuesOf(chats)).toEqual(before);
      expect(inThread(chats, thread).join('\n')).toContain('/pm link');
      // Who opens one thread after another reads one hint.
      const another = await say(chats, WISH, { user: MALLORY });
      expect(inThread(chats, another)).toEqual([]);
    },
  );

  verifies('TG-20', 'for somebody whom a file on the memory branch calls a login', async () => {
    const chats = await aMappedWorld();
    await link(chats, 'ana');
    const people = [{ github: 'ana', slack: [MALLORY, `T000000001/${MALLORY}`] }];
    const peers = JSON.stringify({ people, links: { [`T000000001/${MALLORY}`]: 'ana' } });
    await moveBranch(chats.world, MEMORY_BRANCH, { sha: await tipOf(chats.world) });
    const content = Buffer.from(peers).toString('base64');
    await chats.world.emulator.as('ana').request('PUT', `/repos/${REPO}/contents/peers.json`, {
      message: 'peers',
      branch: MEMORY_BRANCH,
      content,
    });
    const before = await issuesOf(chats);
    const thread = await say(chats, WISH, { user: MALLORY });
    expect(await issuesOf(chats)).toEqual(before);
    expect(inThread(chats, thread).join('\n')).toContain('/pm link');
  });

  verifies(
    'OUT-08: approval in the thread of another',
    'for `/pm approve` of somebody who is not linked, in a thread of somebody who is',
    async () => {
      const chats = await aMappedWorld();
      await link(chats, 'ana');
      const thread = await say(chats, WISH);
      await say(chats, '/pm approve', { thread, user: MALLORY });
      const plan = (await issuesOf(chats)).find(({ title }) => title.startsWith('[PLAN]'));
      expect((await chats.world.tell(plan?.number ?? 0)).labels).toEqual(['plan']);
    },
  );

  verifies(
    'OUT-08: permission on GitHub',
    'for a login without the permission that it needs',
    async () => {
      const chats = await aMappedWorld();
      await link(chats, 'tom');
      const thread = await say(chats, WISH);
      expect((await issuesOf(chats)).map(({ title }) => title)).not.toContain('Quiet and verbose');
      expect(inThread(chats, thread).join('\n')).toContain('This needs `triage`');
    },
  );

  verifies(
    'OUT-08: bots and other channels',
    'for a bot, in a channel of a repository or of none, and for a person in a channel of none, though the settings name the account',
    async () => {
      const user = 'U0OTHERBOT';
      const named = `access:\n  identities:\n    - github: ana\n      slack: ${user}\n`;
      const titlesAfter = async (settings: string, isBot: boolean): Promise<string[]> => {
        const chats = await aChatWorld({ files: { '.github/quorum.yml': settings + named } });
        chats.slack.world.users.set(user, { id: user, name: 'other', is_bot: isBot });
        const thread = await say(chats, WISH, { user });
        const titles = (await issuesOf(chats)).map(({ title }) => title);
        if (titles.length === 0) expect(inThread(chats, thread)).toEqual([]);
        return titles;
      };
      expect(await titlesAfter(MAPPED, true)).toEqual([]);
      expect(await titlesAfter(CHAT_SETTINGS, true)).toEqual([]);
      expect(await titlesAfter(CHAT_SETTINGS, false)).toEqual([]);
      // The same words of a person, in the channel of the repository.
      expect(await titlesAfter(MAPPED, false)).toContain('Quiet and verbose');
    },
  );

  verifies(
    'TG-20',
    'for what a branch names that is not the default one: neither the people nor the channel, until it becomes the default branch’s text',
    async () => {
      const identities = `access:\n  identities:\n    - github: ana\n      slack: ${BOB}\n`;
      const chats = await aChatWorld();
      const { world } = chats;
      const titlesAfter = async (): Promise<string[]> => {
        await say(chats, WISH);
        return (await issuesOf(chats)).map(({ title }) => title);
      };
      const write = (branch: string, parent: string, text: string): Promise<void> => {
        const { gitDir } = world.emulator.repository(REPO);
        const changes = { '.github/quorum.yml': text };
        return moveBranch(world, branch, { sha: writeCommit(gitDir, { changes, parent }) });
      };
      await write('other', await tipOf(world), MAPPED + identities);
      expect(await titlesAfter()).toEqual([]);
      expect(chats.inSlack().slice(1)).toEqual([]);
      // With the channel mapped, its people are still those of nobody.
      await write('main', await tipOf(world), MAPPED);
      expect(await titlesAfter()).toEqual([]);
      expect(chats.inSlack().join('\n')).toContain('/pm link');
      await moveBranch(world, 'main', { sha: await tipOf(world, 'other') });
      expect(await titlesAfter()).toContain('Quiet and verbose');
    },
  );

  verifies('OUT-08: unsigned delivery', 'for a delivery that Slack did not sign', async () => {
    const chats = await aMappedWorld();
    const answer = await fetch(`${chats.world.app.url}/api/slack/events`, {
      method: 'POST',
      body: '{"type":"url_verification","challenge":"x"}',
    });
    expect(answer.status).toBe(401);
  });
});

verifies('OUT-08: code used twice', 'a code works once', async () => {
  const chats = await aMappedWorld();
  await anIssue(chats.world);
  const thread = await say(chats, 'hello, can you help?');
  const code = /\/pm link ([0-9A-Z]{10})/.exec(inThread(chats, thread).join('\n'))?.[1] ?? '';
  await chats.world.emulator.as('ana').comment(REPO, 1, `/pm link ${code}`);
  await chats.world.idle();
  await chats.world.emulator.as('eve').comment(REPO, 1, `/pm link ${code}`);
  await chats.world.idle();
  const { state } = (await chats.world.store.load('identities:all')) ?? {};
  expect(state).toMatchObject({ asked: {}, links: { 'T000000001/U0HUMAN001': { login: 'ana' } } });
});
