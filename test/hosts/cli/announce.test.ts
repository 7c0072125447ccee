/** `quorum announce`: what each channel would show, what is sent, and that a private repository stays in Slack. */
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openChats } from '../../helpers/a-chat-world.ts';
import { quorum } from './fake-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SETTINGS =
  "channels:\n  slack:\n    channel: '#team'\n    events: [merged]\n  bluesky:\n    events: [merged]\n";
const MERGED = ['announce', 'merged', 'Orders are kept', '--repo', 'acme/shop', '--number', '12'];

/** A GitHub that knows one repository. */
async function aGitHub(isPrivate: boolean): Promise<string> {
  const server = createServer((req, res) => {
    res.setHeader('content-type', 'application/json');
    if (req.url === '/repos/acme/shop') res.end(JSON.stringify({ id: 7, private: isPrivate }));
    else res.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function announce(args: readonly string[], env: Record<string, string>) {
  const cwd = temporaryFolder({ '.github/quorum.yml': SETTINGS });
  return quorum([...args], { cwd, env });
}

test('--dry-run shows the messages and sends none', async () => {
  const chats = await openChats();
  const env = { ...chats.env, GITHUB_API_URL: await aGitHub(false) };
  const said = await announce([...MERGED, '--dry-run', '--json'], env);
  expect(said.code).toBe(0);
  expect(said.json()).toMatchObject({
    ok: true,
    private: false,
    channels: [
      { channel: 'slack', outcome: 'not sent', text: expect.stringContaining('acme/shop#12') },
      { channel: 'bluesky', outcome: 'not sent', text: expect.stringContaining('merged') },
    ],
  });
  expect([chats.inSlack(), chats.onBluesky()]).toEqual([[], []]);
});

test('sends to every channel that the configuration names', async () => {
  const chats = await openChats();
  const said = await announce(MERGED, { ...chats.env, GITHUB_API_URL: await aGitHub(false) });
  expect(said.code).toBe(0);
  expect(chats.inSlack()[0]).toContain('Orders are kept');
  expect(chats.onBluesky()[0]).toContain('Orders are kept');
});

test.each([
  ['private', true],
  ['not to be read', undefined],
])('a repository that is %s is not announced on Bluesky', async (_, isPrivate) => {
  const chats = await openChats();
  const api = isPrivate === undefined ? 'http://127.0.0.1:9' : await aGitHub(isPrivate);
  await announce(MERGED, { ...chats.env, GITHUB_API_URL: api });
  expect(chats.inSlack()).toHaveLength(1);
  expect(chats.onBluesky()).toEqual([]);
});

test('a channel that fails is exit code 1, and the other one still gets the announcement', async () => {
  const chats = await openChats();
  chats.slack.world.isRevoked = true;
  const said = await announce(MERGED, { ...chats.env, GITHUB_API_URL: await aGitHub(false) });
  expect(said.code).toBe(1);
  expect(said.out).toContain('slack (failed');
  expect(chats.onBluesky()).toHaveLength(1);
});
