/** Twenty processes that write to one memory branch at once: some 200 commits are made, and 20 of them count. */
import { verifies } from '../../../verifies.ts';
import { writeAtOnce } from '../../../contract/memory-branch.ts';
import { openMemoryWorld } from './memory-world.ts';

verifies('GIT-08', 'loses no line of 20 processes that write at once', async () => {
  const world = await openMemoryWorld({ hasGraphql: true });
  await writeAtOnce(world, { processes: 20, writers: 20 });
});
