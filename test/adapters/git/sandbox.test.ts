/** The contract on the embedded GitHub's smart HTTP. */
import { afterAll } from 'vitest';
import { describeGit } from '../../contract/git.ts';
import { openSandboxGit, type SandboxGit } from './world.ts';

const open: SandboxGit[] = [];
afterAll(async () => {
  for (const world of open) await world.close();
});

describeGit('the sandbox', async () => {
  const world = await openSandboxGit();
  open.push(world);
  return world;
});
