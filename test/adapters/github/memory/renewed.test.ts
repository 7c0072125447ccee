/** A proposal for memory that is made again on what memory says now. */
import { describe, expect, test } from 'vitest';
import type { MemoryPlace, MemoryUpdate } from '../../../../src/ports/github/memory-branch.ts';
import { openMemoryWorld, type EmulatedMemory } from './memory-world.ts';

const PATH = 'personas/dev/working.md';
const PROPOSAL = 'quorum/consolidate-dev';

/** Removes the line `one`. */
function proposing(over: Partial<MemoryUpdate> = {}): MemoryUpdate {
  return {
    paths: [PATH],
    message: 'propose',
    from: 'quorum/memory',
    holds: 'memory',
    change: (files) => new Map([[PATH, (files.get(PATH) ?? '').replace('one\n', '')]]),
    ...over,
  };
}

const saying = (text: string): MemoryUpdate => ({
  paths: [PATH],
  message: 'say',
  change: () => new Map([[PATH, text]]),
});

async function aProposal(): Promise<{ world: EmulatedMemory; at: MemoryPlace; head: string }> {
  const world = await openMemoryWorld({ hasGraphql: true });
  const memory = world.open();
  await memory.update(world.place, saying('one\n'));
  const at = { ...world.place, branch: PROPOSAL };
  const { head = '' } = await memory.update(at, proposing());
  return { world, at, head };
}

async function textAt(world: EmulatedMemory, at: MemoryPlace): Promise<string | undefined> {
  return (await world.open().read(at, { paths: [PATH] })).files.get(PATH);
}

describe('a branch that is renewed', () => {
  test('says what memory says now with the change, on both tips', async () => {
    const { world, at, head } = await aProposal();
    const memory = world.open();
    const { head: tip } = await memory.update(world.place, saying('one\ntwo\n'));
    const outcome = await memory.update(at, proposing({ isRenewed: true }));
    expect(await textAt(world, at)).toBe('two\n');
    const made = (await world.emulator
      .as('alice')
      .request('GET', `/repos/acme/widgets/git/commits/${outcome.head}`)) as {
      parents: { sha: string }[];
    };
    expect(made.parents.map(({ sha }) => sha)).toEqual([head, tip]);
  });

  test('is unchanged where it says so already, so that doing it twice makes one commit', async () => {
    const { world, at, head } = await aProposal();
    const again = await world.open().update(at, proposing({ isRenewed: true }));
    expect(again).toMatchObject({ head, isUnchanged: true });
  });

  test('is left on its own where nobody asks to renew it', async () => {
    const { world, at, head } = await aProposal();
    await world.open().update(world.place, saying('one\ntwo\n'));
    const again = await world.open().update(at, proposing());
    expect(again).toMatchObject({ head, isUnchanged: true });
  });
});

describe('whose a branch is', () => {
  test('only ours until a person pushes it, and also before it exists', async () => {
    const { world, at } = await aProposal();
    const memory = world.open();
    expect(await memory.isOnlyOurs({ ...at, branch: 'quorum/none' })).toBe(true);
    expect(await memory.isOnlyOurs(at)).toBe(true);
    expect(await memory.isOnlyOurs(world.place)).toBe(true);
    await world.person.push({ [PATH]: 'three\n' });
    expect(await memory.isOnlyOurs(world.place)).toBe(false);
  });

  test('nobody knows where a push is missing in the list of GitHub', async () => {
    const { world } = await aProposal();
    await world.open().update(world.place, saying('one\ntwo\n'));
    await world.open().update(world.place, saying('one\ntwo\nthree\n'));
    const { activity = [] } = world.emulator.repository('acme/widgets');
    const pushes = activity.filter(({ kind, ref }) => kind === 'push' && ref.endsWith('/memory'));
    const [first] = pushes.slice(0, 1);
    if (first !== undefined) activity.splice(activity.indexOf(first), 1);
    expect(await world.open().isOnlyOurs(world.place)).toBe(false);
  });

  test('nobody knows where GitHub does not list pushes', async () => {
    const { world, at } = await aProposal();
    const fault = { kind: 'status', status: 404 } as const;
    world.emulator.faults.add({ path: '/repos/acme/widgets/activity', times: Infinity, fault });
    expect(await world.open().isOnlyOurs(at)).toBe(false);
  });
});
