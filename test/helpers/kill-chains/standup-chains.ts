/** Standups at the end of a plan, boxes that people tick, and the end of what was ticked. */
import { expect } from 'vitest';
import type { KilledApp } from '../a-killed-app.ts';
import { leavingTodo, withPlans } from '../a-plan-story.ts';
import { REPO, type TestWorld } from '../a-world.ts';
import { tensionsIn } from '../left-in-store.ts';
import { waitUntil } from '../wait-until.ts';
import { type Chain, isInReview, openedBy, WORK } from './chain.ts';

export const STANDUP_CHAINS: readonly Chain[] = [
  {
    title: 'the end of a plan whose task left something for later',
    kinds: ['look-standup', 'settle-standup'],
    ...WORK,
    before: ({ world }) => withPlans(world).plan([leavingTodo()]),
    act: ({ world }) => world.emulator.as('tom').comment(REPO, 2, '/pm approve'),
    expectEnd: async ({ world, dir }) => {
      const { comments } = await world.tell(1);
      expect(comments.filter((body) => body.startsWith('### Standup'))).toHaveLength(1);
      const tensions = await tensionsIn({ world, dir });
      expect(tensions).toMatchObject([{ number: 1, state: 'open', seen: 1 }]);
    },
  },
  {
    title: 'a ticked box',
    kinds: ['look-ticks', 'move-tensions', 'issue'],
    ...WORK,
    before: endWithTodo,
    act: ({ world }) => tickStandup(world),
    expectEnd: async (app) => {
      const [followUp, ...others] = await openedIssues(app);
      expect(others).toEqual([]);
      expect(await tensionsIn(app)).toMatchObject([{ state: 'accepted', issue: followUp }]);
      const { comments } = await app.world.tell(1);
      expect(comments.at(-1)).toContain(`- Follow-up: #${followUp ?? 0}`);
    },
  },
  {
    title: 'the end of a follow-up issue',
    kinds: ['end-follow-up'],
    ...WORK,
    before: async (app) => {
      await endWithTodo(app);
      await tickStandup(app.world);
      await waitUntil(async () => (await openedIssues(app)).length === 1);
      await waitUntil(async () => (await standupOf(app.world)).body.includes('Follow-up: #'));
    },
    act: async (app) => {
      const [followUp = 0] = await openedIssues(app);
      await app.world.emulator.as('ana').close(REPO, followUp, 'not_planned');
    },
    expectEnd: async (app) => {
      expect(await tensionsIn(app)).toMatchObject([{ state: 'rejected', by: 'ana' }]);
      expect((await standupOf(app.world)).body).toContain('- Rejected by `ana`');
    },
  },
];

async function endWithTodo({ world }: KilledApp): Promise<void> {
  await withPlans(world).plan([leavingTodo()]);
  await waitUntil(() => isInReview(world));
  await world.emulator.as('tom').comment(REPO, 2, '/pm approve');
  await waitUntil(async () => (await standupsOf(world)).length === 1);
}

interface OwnComment {
  id: number;
  body: string;
}

async function standupsOf({ emulator }: TestWorld): Promise<OwnComment[]> {
  const path = `/repos/${REPO}/issues/1/comments?per_page=100`;
  const all = (await emulator.as('ana').request('GET', path)) as OwnComment[];
  return all.filter(({ body }) => body.startsWith('### Standup'));
}

async function standupOf(world: TestWorld): Promise<OwnComment> {
  const [found] = await standupsOf(world);
  if (found === undefined) throw new Error('there is no standup');
  return found;
}

async function tickStandup(world: TestWorld): Promise<void> {
  const { id, body } = await standupOf(world);
  const path = `/repos/${REPO}/issues/comments/${id}`;
  const ticked = body.replace('- [ ] Make', '- [x] Make');
  await world.emulator.as('tom').request('PATCH', path, { body: ticked });
}

/** Issues of the App beside the plan, which a person wrote. */
async function openedIssues(app: KilledApp): Promise<number[]> {
  return (await openedBy(app)).filter((number) => number > 2);
}
