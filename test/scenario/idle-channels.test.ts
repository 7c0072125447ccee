/** What a channel costs while it is off: none of its packages is loaded by an App that starts and works without tokens. */
import { expect, test } from 'vitest';
import { CLI, leaveToProcess, startAppProcess } from '../helpers/an-app-process.ts';
import { openChats } from '../helpers/a-chat-world.ts';
import { aWorld, READY_ISSUE } from '../helpers/a-world.ts';
import { waitUntil } from '../helpers/wait-until.ts';

/** Imported first, it prints what is loaded after it. */
const PRINT_LOADED = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    process.stdout.write('loads ' + url + '\\n');
    return next(url, context);
  },
});`)}`;

/** Packages that an App has loaded once it gave its verdict on an issue. */
async function packagesOf(env: Record<string, string>, until: RegExp): Promise<Set<string>> {
  const world = await aWorld();
  const port = await leaveToProcess(world);
  const args = ['--import', PRINT_LOADED, CLI, 'start'];
  const app = await startAppProcess(world, args, { PORT: port, ...env });
  const number = await world.ask(READY_ISSUE);
  await waitUntil(async () => (await world.tell(number)).labels.includes('ready'));
  await waitUntil(() => until.test(app.said()));
  const found = app.said().matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
  return new Set([...found].map(([, name = '']) => name));
}

const CHANNEL = /^(?:@slack\/|@atproto\/|music-metadata$)/;

test('without tokens no package of a channel is loaded, at the start or by work', async () => {
  const loaded = [...(await packagesOf({}, /./))];
  expect(loaded).toContain('@octokit/core');
  expect(loaded.filter((name) => CHANNEL.test(name))).toEqual([]);
});

test('with tokens the package of Bluesky is loaded', async () => {
  const { env } = await openChats();
  const loaded = [...(await packagesOf(env, /@atproto\/api/))];
  expect(loaded).toContain('@atproto/api');
});
