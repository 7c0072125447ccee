/** Commits on the memory branch in one call, as workflows make them. */
import { expect, test } from 'vitest';
import { appending } from '../../../contract/memory-branch.ts';
import { openMemoryWorld } from './memory-world.ts';

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
