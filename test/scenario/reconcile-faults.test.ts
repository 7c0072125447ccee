/** Recovery of lost webhooks while GitHub refuses one repository: everybody else's are found, and that one's later. */
import { describe, expect } from 'vitest';
import type { Effect } from '../../src/domain/event/effect.ts';
import type { Settlement } from '../../src/ports/store.ts';
import { aLeapWorld, type LeapWorld } from '../helpers/a-leap-world.ts';
import { READY_ISSUE, REPO } from '../helpers/a-world.ts';
import { verifies } from '../verifies.ts';

const MINUTE = 60_000;
const OTHER = 'globex/site';

/** Two organisations with one App; from now on GitHub sends no webhooks, and does not know that it should have. */
async function twoOrganisations(): Promise<LeapWorld> {
  const world = await aLeapWorld();
  const { emulator } = world;
  emulator.createOrg('globex');
  await emulator.createRepository({
    owner: 'globex',
    name: 'site',
    files: { 'README.md': '# s\n' },
  });
  await emulator.createRepository({ owner: 'acme', name: 'zoo', files: { 'README.md': '# z\n' } });
  for (const name of [OTHER, 'acme/zoo']) emulator.addCollaborator(name, 'ana', 'admin');
  emulator.installApp(world.appId, 'globex');
  await world.pass(6 * MINUTE);
  emulator.faults.addHook({ times: Infinity, fault: { kind: 'lost', recorded: false } });
  return world;
}

/** A command on a new issue; whether it was answered is in {@link answers}. */
async function command({ emulator }: LeapWorld, repository: string): Promise<number> {
  const { number } = await emulator.as('ana').openIssue(repository, READY_ISSUE);
  await emulator.as('ana').comment(repository, number, '/pm status');
  return number;
}

async function answers(world: LeapWorld, repository: string, number: number): Promise<number> {
  const path = `/repos/${repository}/issues/${number}/comments`;
  const all = (await world.emulator.as('ana').request('GET', path)) as {
    user: { login: string };
  }[];
  return all.filter(({ user }) => user.login.endsWith('[bot]')).length;
}

const FAULTS: [string, number, Record<string, string>][] = [
  ['403', 403, {}],
  ['404', 404, {}],
  ['451', 451, {}],
  ['500', 500, {}],
  ['a rate limit', 429, { 'retry-after': '120' }],
];

/** What GitHub answers for: the whole repository, or one list of it. */
const PLACES: [string, RegExp][] = [
  ['the repository', /^\/repos\/acme\/tidy(?:\/|$)/],
  ['its comments', /^\/repos\/acme\/tidy\/issues\/comments/],
];

describe.each(PLACES)('while GitHub answers for %s with', (_, path) => {
  for (const [name, status, headers] of FAULTS)
    verifies(
      ['ING-10', 'P7'],
      `${name}, others' lost commands are found, and its own once that is over`,
      async () => {
        const world = await twoOrganisations();
        const fault = { kind: 'status', status, headers } as const;
        const stop = world.emulator.faults.add({ path, times: Infinity, fault });
        const own = await command(world, REPO);
        const sibling = await command(world, 'acme/zoo');
        const other = await command(world, OTHER);
        await world.pass(12 * MINUTE);
        expect(await answers(world, OTHER, other)).toBe(1);
        // A rate limit is of the whole installation.
        if (status !== 429) expect(await answers(world, 'acme/zoo', sibling)).toBe(1);
        // Longer than the hour that each pass looks back.
        await world.pass(150 * MINUTE);
        expect(await answers(world, REPO, own)).toBe(0);
        stop();
        await world.pass(15 * MINUTE);
        expect(await answers(world, REPO, own)).toBe(1);
        expect(await answers(world, 'acme/zoo', sibling)).toBe(1);
        expect((await world.store.records.counts()).effects).toMatchObject({ dead: 0 });
      },
    );
});

verifies(
  ['ING-10', 'P7'],
  'an installation whose token is refused keeps nobody else waiting, and is looked at since then',
  async () => {
    const world = await twoOrganisations();
    const path = `/app/installations/${world.installationId}/access_tokens`;
    const fault = { kind: 'status', status: 500 } as const;
    const stop = world.emulator.faults.add({ path, times: Infinity, fault });
    // The token that is there lives for an hour.
    await world.pass(65 * MINUTE);
    const own = await command(world, REPO);
    const other = await command(world, OTHER);
    await world.pass(90 * MINUTE);
    expect([await answers(world, REPO, own), await answers(world, OTHER, other)]).toEqual([0, 1]);
    const kept = await world.store.load(`tick:reconcile/${world.installationId}`);
    expect(kept?.state).toMatchObject({ failure: expect.stringMatching(/^github-/) });
    stop();
    await world.pass(15 * MINUTE);
    expect(await answers(world, REPO, own)).toBe(1);
  },
);

verifies(
  ['ING-10', 'P7'],
  'a pass that an older version left in the store is carried out for every installation',
  async () => {
    const world = await twoOrganisations();
    await world.stopApp();
    const stop = world.emulator.faults.add({
      path: PLACES[0]?.[1] ?? '',
      times: Infinity,
      fault: { kind: 'status', status: 403 },
    });
    const other = await command(world, OTHER);
    const now = world.clock.now();
    const since = new Date(now - 60 * MINUTE).toISOString();
    const run = `reconcile:${new Date(now).toISOString()}:older`;
    const key = 'tick:reconcile';
    const kept = (await world.store.load(key))?.version ?? 0;
    const effect = {
      id: `${run}/1-reconcile`,
      key,
      run,
      at: new Date(now).toISOString(),
      lane: 'reconcile',
      slot: 'reconcile',
      data: { kind: 'reconcile' as const, since, foundSince: since },
    };
    const value = { v: 1, running: run, begunAt: since };
    await storeEffect(world, { effect, state: { key, expected: kept, value } });
    await world.startApp();
    await world.pass(3 * MINUTE);
    expect(await answers(world, OTHER, other)).toBe(1);
    const [done] = await world.store.records.effects({ run, limit: 1 });
    expect(done?.status).toBe('done');
    stop();
  },
);

type Stored = Pick<Extract<Settlement, { kind: 'finish' }>, 'state'> & { effect: Effect };

async function storeEffect({ store }: LeapWorld, { effect, state }: Stored): Promise<void> {
  const settled = Promise.withResolvers<void>();
  const worker = await store.work({
    concurrency: 1,
    consume: async (work) => {
      if (work.kind !== 'event' || work.id !== 'older') return new Promise<void>(() => undefined);
      await store.settle(work, {
        kind: 'finish',
        status: 'done',
        effects: [effect],
        ...(state === undefined ? {} : { state }),
      });
      settled.resolve();
    },
  });
  const trigger = { kind: 'tick', loop: 'reconcile' } as const;
  const { key, at } = effect;
  await store.append([{ id: 'older', key, version: 1, at, data: { kind: 'trigger', trigger } }]);
  await settled.promise;
  await worker.stop(0);
}
