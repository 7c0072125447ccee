/** `quorum init --pr` when any one of its calls fails, in every way that calls fail. */
import { describe, expect, test } from 'vitest';
import { aWorld, openPulls, SOURCE, textAt, WORKFLOW } from './init-world.ts';

describe('quorum init --pr after a call that failed', () => {
  const KINDS = [
    { kind: 'fail-without-effect' },
    { kind: 'effect-then-fail' },
    { kind: 'reset' },
    { kind: 'truncated' },
    { kind: 'wrong-body', body: 'html' },
    { kind: 'wrong-body', body: 'other-json' },
  ] as const;

  test.each(KINDS)(
    '$kind $body: says so, and run again ends with one pull request',
    async (fault) => {
      const calm = await aWorld();
      calm.github.clearRequests();
      await calm.run('init', ...SOURCE);
      const calls = calm.github.requests.length;
      expect(calls).toBeGreaterThan(8);
      for (let nth = 1; nth <= calls; nth += 1) {
        const world = await aWorld();
        world.github.faults.add({ nth, fault });
        const first = await world.run('init', ...SOURCE);
        if (first.code !== 0) expect([nth, first.code, first.err]).toEqual([nth, 1, FAILED]);
        const second = await world.run('init', ...SOURCE);
        expect([nth, second.code, second.err]).toEqual([nth, 0, '']);
        expect(await openPulls(world)).toHaveLength(1);
        expect(await textAt(world, WORKFLOW, 'quorum/init')).toContain('acme/quorum');
      }
    },
  );

  const FAILED: unknown = expect.stringMatching(/^quorum: .* \[(?:github|unexpected)-[a-z-]+\]/);
});
