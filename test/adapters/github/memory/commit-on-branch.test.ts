/** Commits on the memory branch in one call, as workflows make them. */
import { describe, expect, test } from 'vitest';
import { gitOutput } from '../../../../src/emulator/github/git/git-process.ts';
import { appending } from '../../../contract/memory-branch.ts';
import { openMemoryWorld, type EmulatedMemory } from './memory-world.ts';

const open = () => openMemoryWorld({ hasGraphql: true, commitsInOneCall: true });

test('a write takes two calls where the branch exists', async () => {
  const world = await open();
  const memory = world.open();
  await memory.update(world.place, appending('one'));
  world.calls();
  const { head, base } = await memory.update(world.place, appending('two'));
  expect(world.calls()).toEqual(['POST /graphql', 'POST /graphql']);
  expect(await world.files()).toMatchObject({ 'insights.jsonl': 'one\ntwo\n' });
  const [newest] = await world.history();
  expect(newest).toEqual({ sha: head, parents: [base], message: 'memory: two' });
});

test('where somebody was faster, the commit is not made and both lines are kept', async () => {
  const world = await open();
  const memory = world.open();
  await memory.update(world.place, appending('one'));
  world.before('move-ref', () => world.person.push({ 'insights.jsonl': 'one\nby hand\n' }));
  const { races } = await memory.update(world.place, appending('two'));
  expect(races).toBe(1);
  expect(await world.files()).toMatchObject({ 'insights.jsonl': 'one\nby hand\ntwo\n' });
});

test('the refusal of a commit by a rule has the words of the rule', async () => {
  const world = await open();
  const memory = world.open();
  await memory.update(world.place, appending('one'));
  world.person.protect('ruleset');
  await expect(memory.update(world.place, appending('two'))).rejects.toMatchObject({
    code: 'memory-refused',
  });
});

const FILE = 'insights.jsonl';

test('a file is deleted and an empty one is written, in the same commit', async () => {
  const world = await open();
  const memory = world.open();
  await memory.update(world.place, appending('one'));
  world.calls();
  const other = 'personas/maya/core.md';
  await memory.update(world.place, {
    paths: [FILE, other],
    message: 'memory: tidy up',
    change: () =>
      new Map([
        [FILE, undefined],
        [other, ''],
      ]),
  });
  expect(world.calls()).toEqual(['POST /graphql', 'POST /graphql']);
  const files = await world.files();
  expect([FILE in files, files[other]]).toEqual([false, '']);
});

test('the message keeps what follows its first line, with the blank lines in it', async () => {
  const world = await open();
  const memory = world.open();
  await memory.update(world.place, appending('one'));
  const message = 'memory: two\n\nA first reason.\n\nA second reason.';
  await memory.update(world.place, { ...appending('two'), message });
  const { gitDir } = world.emulator.repository('acme/widgets');
  const said = await gitOutput(gitDir, ['log', '-1', '--format=%B', 'quorum/memory']);
  expect(said.trim()).toBe(message);
});

describe('an answer that says no', () => {
  interface Refusal {
    type: string;
    message: string;
  }

  /** GitHub reads the branch, and refuses the commit with these words. */
  function refuseCommit({ emulator }: EmulatedMemory, refusal: Refusal): void {
    const body = {
      data: { createCommitOnBranch: null },
      errors: [{ ...refusal, path: ['createCommitOnBranch'] }],
    };
    emulator.faults.add({ path: '/graphql', nth: 2, fault: { kind: 'status', status: 200, body } });
  }

  test('FORBIDDEN fails with the words of GitHub', async () => {
    const world = await open();
    const memory = world.open();
    await memory.update(world.place, appending('one'));
    const message = 'Resource not accessible by integration';
    refuseCommit(world, { type: 'FORBIDDEN', message });
    world.emulator.faults.add({
      method: 'POST',
      path: '/repos/{owner}/{repo}/git/trees',
      times: Infinity,
      fault: { kind: 'status', status: 403, body: { message } },
    });
    await expect(memory.update(world.place, appending('two'))).rejects.toMatchObject({
      code: 'github-forbidden',
      details: expect.stringContaining(message) as string,
    });
    expect(await world.files()).toMatchObject({ [FILE]: 'one\n' });
  });

  test('STALE_DATA leads to a commit on what is there now', async () => {
    const world = await open();
    const memory = world.open();
    await memory.update(world.place, appending('one'));
    refuseCommit(world, {
      type: 'STALE_DATA',
      message: 'Expected branch to point to "0" but it did not. Pull and try again.',
    });
    world.before('move-ref', () => world.person.push({ [FILE]: 'one\nby hand\n' }));
    const { races } = await memory.update(world.place, appending('two'));
    expect(races).toBe(1);
    expect(await world.files()).toMatchObject({ [FILE]: 'one\nby hand\ntwo\n' });
    expect(world.emulator.faults.hits()).toEqual([1]);
    expect(await world.history()).toHaveLength(3);
  });
});
