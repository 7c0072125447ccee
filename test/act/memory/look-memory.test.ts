/** What a reflection is shown of the memory: each voice its own entries and the team's, the newest first. */
import { expect, test } from 'vitest';
import type { EffectContext } from '../../../src/act/effect-context.ts';
import { lookAtMemory } from '../../../src/act/memory/look-memory.ts';
import { THREAD } from '../../helpers/play.ts';
import { aMemoryWorld, TEAM } from './a-memory-world.ts';

interface Known {
  persona: string;
  text: string;
  createdAt: string;
}

const entry = (persona: string, day: number): Known => ({
  persona,
  text: `${persona} ${day}`,
  createdAt: `2026-03-${String(day).padStart(2, '0')}T09:00:00.000Z`,
});

async function look(handles: string[], entries?: Known[], hasMemory = true) {
  const world = { ...aMemoryWorld(), hasMemory };
  const readMemory = async () => (entries === undefined ? undefined : { entries });
  const context = { ...world.context(), readMemory } as unknown as EffectContext;
  return lookAtMemory({ kind: 'look-memory', thread: THREAD, handles }, context);
}

test('a voice sees its own entries and those of the team, and nobody else’s', async () => {
  const entries = [entry('maya', 1), entry('carlos', 2), entry('team', 3)];
  const { result } = await look(['maya'], entries);
  expect(result.known).toEqual({ maya: ['team 3', 'maya 1'] });
});

test('six at most are shown, the newest first', async () => {
  const entries = [4, 1, 7, 3, 6, 2, 5].map((day) => entry('maya', day));
  const { result } = await look(['maya'], entries);
  expect(result.known['maya']).toEqual([7, 6, 5, 4, 3, 2].map((day) => `maya ${day}`));
});

test('only the personas that were named come with the answer, with a nonce and what was asked of GitHub', async () => {
  const done = await look(['carlos'], []);
  expect(done).toMatchObject({ effectKind: 'look-memory', githubCalls: { rest: 1 } });
  expect(done.result.personas).toEqual(TEAM.filter(({ handle }) => handle === 'carlos'));
  expect(done.result).toMatchObject({ known: { carlos: [] }, nonce: 'n0n5e' });
});

test.each([
  ['that was never written', true],
  ['on a host without memory', false],
])('of a memory %s nothing is known', async (_, hasMemory) => {
  const { result } = await look(['maya', 'carlos'], undefined, hasMemory);
  expect(result.known).toEqual({ maya: [], carlos: [] });
});
