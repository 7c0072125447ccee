/** Commits of a workflow's job on files that it read a moment ago. */
import { expect, test } from 'vitest';
import type { MemoryBranch, MemoryUpdate } from '../../../../src/ports/github/memory-branch.ts';
import { appending } from '../../../contract/memory-branch.ts';
import { openMemoryWorld, type EmulatedMemory } from './memory-world.ts';

const [FILE = ''] = appending('one').paths;

async function openSeen(): Promise<{
  world: EmulatedMemory;
  memory: MemoryBranch;
  /** As it is now, for a later write. */
  seen: () => Promise<Pick<MemoryUpdate, 'seen'>>;
}> {
  const world = await openMemoryWorld({ hasGraphql: true, commitsInOneCall: true });
  const memory = world.open();
  await memory.update(world.place, appending('one'));
  const seen = async () => ({ seen: await memory.read(world.place, { paths: [FILE] }) });
  return { world, memory, seen };
}

test('a write takes one call where the branch is as it was read', async () => {
  const { world, memory, seen } = await openSeen();
  const known = await seen();
  world.calls();
  const { isUnchanged, base } = await memory.update(world.place, { ...appending('two'), ...known });
  expect(world.calls()).toEqual(['POST /graphql']);
  expect([isUnchanged, base]).toEqual([false, known.seen?.head]);
  expect(await world.files()).toMatchObject({ [FILE]: 'one\ntwo\n' });
});

test('what somebody pushed since it was read is kept', async () => {
  const { world, memory, seen } = await openSeen();
  const known = await seen();
  await world.person.push({ [FILE]: 'one\nby hand\n' });
  await memory.update(world.place, { ...appending('two'), ...known });
  expect(await world.files()).toMatchObject({ [FILE]: 'one\nby hand\ntwo\n' });
});

test('a change that was not needed when it was read is made where it is needed now', async () => {
  const { world, memory, seen } = await openSeen();
  const known = await seen();
  await world.person.push({ [FILE]: 'by hand\n' });
  await memory.update(world.place, { ...appending('one'), ...known });
  expect(await world.files()).toMatchObject({ [FILE]: 'by hand\none\n' });
});

test('a branch that is not there is made without another look, once by two jobs', async () => {
  const world = await openMemoryWorld({ hasGraphql: true, commitsInOneCall: true });
  const memory = world.open();
  const seen = await memory.read(world.place, { paths: [FILE] });
  world.calls();
  await memory.update(world.place, { ...appending('one'), seen });
  expect(world.calls()).toHaveLength(3);
  await world.open().update(world.place, { ...appending('two'), seen });
  expect(await world.files()).toMatchObject({ [FILE]: 'one\ntwo\n' });
});

test('without GraphQL it is written through REST', async () => {
  const world = await openMemoryWorld({ hasGraphql: false, commitsInOneCall: true });
  const memory = world.open();
  await memory.update(world.place, appending('one'));
  const seen = await memory.read(world.place, { paths: [FILE] });
  await memory.update(world.place, { ...appending('two'), seen });
  expect(await world.files()).toMatchObject({ [FILE]: 'one\ntwo\n' });
});

test('a file that could not be read is not overwritten', async () => {
  const { world, memory, seen } = await openSeen();
  await world.person.linkFile(FILE, 'README.md');
  const written = memory.update(world.place, { ...appending('two'), ...(await seen()) });
  await expect(written).rejects.toMatchObject({ code: 'memory-unreadable' });
});
