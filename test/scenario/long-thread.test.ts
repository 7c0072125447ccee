/** A thread that grows past a full page of comments while Quorum knows its first page. */
import { expect } from 'vitest';
import { aWorld, REPO } from '../helpers/a-world.ts';
import { anIssue, reactionsOn } from '../helpers/talking.ts';
import { verifies } from '../verifies.ts';

verifies(
  ['LIM-05', 'P7'],
  'the command after the hundredth comment is run, though the first page is still the same',
  async () => {
    const world = await aWorld();
    const number = await anIssue(world);
    const say = async (body: string): Promise<number> =>
      (await world.emulator.as('ana').comment(REPO, number, body)).id;
    for (let n = 1; n < 100; n += 1) await say(`word ${n}`);
    // The page is full when this one is read, and there is no other page.
    const hundredth = await say('/pm hold');
    await world.idle();
    const next = await say('/pm status');
    await world.idle();
    for (const id of [hundredth, next])
      expect(await reactionsOn(world, `issues/comments/${id}`)).toEqual(['+1']);
  },
);
