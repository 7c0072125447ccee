/** The memory branch on the embedded GitHub: real commits in a real repository, over HTTP. */
import { describe, expect, test } from 'vitest';
import { appending, describeMemoryBranch } from '../../../contract/memory-branch.ts';
import { openMemoryWorld } from './memory-world.ts';

describeMemoryBranch('the emulator', () => openMemoryWorld({ hasGraphql: true }));

test('a repository without a commit gets no memory, and the error says why', async () => {
  const world = await openMemoryWorld({ hasGraphql: true, isEmpty: true });
  const memory = world.open();
  expect(await memory.read(world.place, { paths: ['personas/'], known: 'a' })).toMatchObject({
    head: undefined,
  });
  await expect(memory.update(world.place, appending('one'))).rejects.toMatchObject({
    code: 'memory-refused',
    details: 'Push a first commit to the default branch.',
  });
});

describe('requests', () => {
  const READ = 'POST /graphql';
  const HEAD = 'GET /repos/{owner}/{repo}/git/ref/{ref}';
  const WRITE = ['trees', 'commits'].map((each) => `POST /repos/{owner}/{repo}/git/${each}`);
  const CREATE = 'POST /repos/{owner}/{repo}/git/refs';
  const MOVE = 'PATCH /repos/{owner}/{repo}/git/refs/{ref}';

  test('a write takes four, also the first, and one that changes nothing takes one', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    const memory = world.open();
    world.calls();
    await memory.update(world.place, appending('one'));
    expect(world.calls()).toEqual([READ, ...WRITE, CREATE]);
    await memory.update(world.place, appending('two'));
    expect(world.calls()).toEqual([READ, ...WRITE, MOVE]);
    await memory.update(world.place, appending('two'));
    expect(world.calls()).toEqual([READ]);
  });

  test('a read takes one, of a known head one that costs no limit while it holds, else two', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    const memory = world.open();
    const { head = '' } = await memory.update(world.place, appending('one'));
    world.calls();
    const paths = ['insights.jsonl', 'personas/', 'state/'];
    await memory.read(world.place, { paths });
    expect(world.calls()).toEqual([READ]);
    for (let times = 0; times < 2; times += 1)
      await memory.read(world.place, { paths, known: head });
    expect(world.calls()).toEqual([HEAD, HEAD]);
    expect(world.emulator.requests.at(-1)?.status).toBe(304);
    await world.person.push({ 'insights.jsonl': 'other\n' });
    await memory.read(world.place, { paths, known: head });
    expect(world.calls()).toEqual([HEAD, READ]);
  });

  test('one of several writers in one process waits for the others and races none', async () => {
    const world = await openMemoryWorld({ hasGraphql: true });
    const memory = world.open();
    world.calls();
    const lines = Array.from({ length: 5 }, (_, at) => `line ${at}`);
    const done = await Promise.all(
      lines.map((line) => memory.update(world.place, appending(line))),
    );
    expect(done.map(({ races }) => races)).toEqual([0, 0, 0, 0, 0]);
    expect(world.calls()).toHaveLength(20);
  });
});
