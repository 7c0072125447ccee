/** A backup of the store that was made in the middle of some work is put back after that work went on. */
import { onTestFinished } from 'vitest';
import { aKilledApp, type KillAt, type KilledApp } from './a-killed-app.ts';
import { lookInto, type StorePlace } from './store-copies.ts';

export interface Story {
  at: KillAt;
  files?: Record<string, string>;
  env?: Record<string, string>;
  act: (app: KilledApp) => Promise<unknown>;
  /** What people do after the backup, each when nothing is left to be done without them. */
  afterwards?: readonly ((app: KilledApp) => Promise<unknown>)[];
  /** Everything that people see of it. */
  tell: (app: KilledApp) => Promise<unknown>;
}

/** What people see, and the calls to models that the store knows of, before the restored App runs and after it. */
export async function restoreAfterwards(place: StorePlace, story: Story) {
  const { at, act, tell, files = {}, env, afterwards = [] } = story;
  onTestFinished(() => place.remove());
  const app = await aKilledApp(files, { env: { ...env, ...place.env } });
  await app.startUntil(at);
  await act(app);
  await app.killed();
  await place.backUp(app.dir);
  await app.runToRest();
  for (const next of afterwards) await app.runToRest(() => next(app));
  const before = await tell(app);
  await place.restore(app.dir);
  const calls = () =>
    lookInto(place, app.dir, async ({ records }) => (await records.spent({})).calls);
  const known = await calls();
  const writes = app.world.emulator.requests.length;
  await app.runToRest();
  const mutations = app.world.emulator.requests
    .slice(writes)
    .filter(({ method }) => method === 'PATCH' || method === 'DELETE');
  return {
    app,
    before,
    after: await tell(app),
    newCalls: (await calls()) - known,
    mutations: mutations.map(({ method, path }) => `${method} ${path}`),
  };
}
