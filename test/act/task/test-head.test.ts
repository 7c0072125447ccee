/** `/pm ok-to-run`, when it is carried out: a head that was pushed over meanwhile, or a closed pull request, runs nothing. */
import { expect } from 'vitest';
import { testHead } from '../../../src/act/task/test-head.ts';
import { THREAD } from '../../helpers/play.ts';
import { verifies } from '../../verifies.ts';

const HEAD = 'a'.repeat(40);

/** Whatever is asked of them besides the pull request throws: there is nothing. */
async function run(pull: { state: 'open' | 'closed'; headSha: string }): Promise<unknown> {
  const session = {
    counts: { read: 1 },
    leases: {},
    tasks: {},
    plans: {},
    reviews: {},
    pulls: { pull: async () => ({ ...pull, baseSha: 'b'.repeat(40) }) },
  };
  const ports = { github: { at: () => session } };
  const data = { kind: 'test-head', thread: THREAD, headSha: HEAD, by: 'ana' } as const;
  const { result } = await testHead(data, { ports } as unknown as Parameters<typeof testHead>[1]);
  return result;
}

verifies('CMD-13: a later push', 'between the command and the run, nothing runs', async () => {
  expect(await run({ state: 'open', headSha: 'c'.repeat(40) })).toEqual({ outcome: 'moved' });
  expect(await run({ state: 'closed', headSha: HEAD })).toEqual({ outcome: 'moved' });
  // The head itself would be written to.
  await expect(run({ state: 'open', headSha: HEAD })).rejects.toThrow(TypeError);
});
