/** What one job reads and writes of the state of workflows. */
import { expect, test } from 'vitest';
import {
  readKeptFiles,
  updateKeptFiles,
  type StatePlace,
} from '../../src/hosts/action/branch/kept-file.ts';
import type { GitHubMemory } from '../../src/ports/github/memory-branch.ts';
import { openMemoryWorld } from '../adapters/github/memory/memory-world.ts';

const [ACTIONS, TASKS] = ['state/actions.json', 'state/tasks.json'] as const;

async function aState() {
  const world = await openMemoryWorld({ hasGraphql: true, commitsInOneCall: true });
  const placeOf = (seen?: StatePlace['seen']): StatePlace => {
    const memory = world.open();
    const github = { at: () => ({ memory }) } as unknown as GitHubMemory;
    return { ...world.place, github, ...(seen !== undefined && { seen }) };
  };
  const write = (place: StatePlace, path: string, text: string) =>
    updateKeptFiles(place, [path], {
      message: 'quorum: keep it',
      change: () => new Map([[path, `${text}\n`]]),
    });
  await write(placeOf(), ACTIONS, '1');
  world.calls();
  return { world, placeOf, write };
}

test('several writes of one job rest on one read', async () => {
  const { world, placeOf, write } = await aState();
  const place = placeOf({});
  await readKeptFiles(place, [ACTIONS, TASKS]);
  await write(place, ACTIONS, '2');
  await write(place, TASKS, '3');
  await write(place, ACTIONS, '4');
  expect(world.calls()).toHaveLength(4);
  expect(await world.files()).toMatchObject({ [ACTIONS]: '4\n', [TASKS]: '3\n' });
});

test('what another job wrote between two writes is kept, and read again', async () => {
  const { world, placeOf, write } = await aState();
  const place = placeOf({});
  await readKeptFiles(place, [ACTIONS]);
  await write(placeOf(), TASKS, 'of another job');
  await write(place, ACTIONS, '2');
  expect(await world.files()).toMatchObject({ [ACTIONS]: '2\n', [TASKS]: 'of another job\n' });
});

test('a file that was not read is read before it is written', async () => {
  const { world, placeOf, write } = await aState();
  const place = placeOf({});
  await readKeptFiles(place, [TASKS]);
  world.calls();
  await write(place, ACTIONS, '2');
  expect(world.calls()).toHaveLength(2);
  expect(await world.files()).toMatchObject({ [ACTIONS]: '2\n' });
});
