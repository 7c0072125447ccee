/** One review, reply and check, whatever call goes wrong. */
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { QuorumError, TransientError } from '../../src/domain/event/errors.ts';
import type { ThreadRef } from '../../src/domain/run/thread-ref.ts';
import type { EnsuredReview, GitHubPulls } from '../../src/ports/github/pulls.ts';
import { verifies } from '../verifies.ts';
import { FAULTS, HARD_FAULTS, type ContractFault } from './github.ts';
import { AFTER, firstLine, pullOf, reviewOf, type PullsWorld } from './pulls-world.ts';

export function describePullFaults(server: string, make: () => Promise<PullsWorld>): void {
  describe(`Pull request contract: ${server}: one review, whatever call goes wrong`, () => {
    let world: PullsWorld;
    beforeAll(async () => {
      world = await make();
    });
    afterAll(() => world.close());
    beforeEach(() => world.advance(2 * 3_600_000));

    verifies(['DUR-02', 'P2'], 'with comments that all have a place', async () => {
      await tryEveryCall(world, {
        faults: FAULTS,
        perform: async (github, { ref, headSha, run }) => {
          await github.at(ref).reviews.ensureReview(ref, reviewOf(headSha, ofRun(run)));
        },
        verify: ({ ref, run }) => {
          const ours = world.reviews(ref).filter((one) => firstLine(one.body) === run);
          expect(ours.length).toBe(1);
        },
      });
    });

    verifies(['DUR-02', 'P2'], 'without looking for one at the first time', async () => {
      await tryEveryCall(world, {
        faults: HARD_FAULTS,
        perform: async (github, { ref, headSha, run, isNew }) => {
          const review = { ...reviewOf(headSha, ofRun(run)), event: 'COMMENT' as const, isNew };
          await github.at(ref).reviews.ensureReview(ref, review);
        },
        verify: ({ ref, run }) => {
          const ours = world.reviews(ref).filter((one) => firstLine(one.body) === run);
          expect(ours.length).toBe(1);
        },
      });
    });

    verifies(['DUR-02', 'P2'], 'with one that has none, and a reply', async () => {
      await tryEveryCall(world, {
        faults: HARD_FAULTS,
        perform: async (github, { ref, headSha, run, commentId }) => {
          const lost = { key: 'l', path: 'x.ts', line: 1, side: 'RIGHT' as const, body: 'lost' };
          const comments = [...reviewOf(headSha).comments, lost];
          const { reviews, pulls } = github.at(ref);
          await reviews.ensureReview(ref, { ...reviewOf(headSha, ofRun(run)), comments });
          const marker = { kind: 'run', run, key: 'answer' } as const;
          await reviews.ensureReply(ref, { commentId }, { marker, body: `${run} answers` });
          await pulls.feedback(ref);
        },
        verify: ({ ref, run }) => {
          const ours = world.reviews(ref).filter((one) => firstLine(one.body) === run);
          expect(ours.map((one) => one.body.includes('lost'))).toEqual([true]);
          const replies = world
            .comments(ref)
            .filter((one) => firstLine(one.body) === `${run} answers`);
          expect(replies.length).toBe(1);
        },
      });
    });
  });
}

function ofRun(run: string): Partial<EnsuredReview> {
  return { marker: { kind: 'run', run, key: 'review' }, body: run };
}

interface Attempted {
  ref: ThreadRef;
  headSha: string;
  /** A person's comment on the diff. */
  commentId: number;
  /** Its own for each attempt. */
  run: string;
  /** The first time; after its failure nobody knows what is there. */
  isNew: boolean;
}

interface Scenario {
  faults: ContractFault[];
  perform(github: GitHubPulls, at: Attempted): Promise<void>;
  verify(at: Attempted): void;
}

/** The k-th call fails, for every k and every kind of failure; a new adapter goes on until it is done. */
export async function tryEveryCall(world: PullsWorld, scenario: Scenario): Promise<void> {
  for (const [index, { fault }] of scenario.faults.entries()) {
    const ref = await world.openPull({ 'src/a.ts': AFTER });
    const commentId = await world.commentOn(ref, { path: 'src/a.ts', line: 2, body: 'Why?' });
    const { headSha } = await pullOf(world, ref);
    for (let nth = 1; nth <= 25; nth += 1) {
      world.advance(2 * 3_600_000);
      const at = { ref, headSha, commentId, run: `run-${index}-${nth}`, isNew: false };
      world.breakCall(nth, fault);
      await tryOnce(() => scenario.perform(world.open(), { ...at, isNew: true }));
      const isMet = world.mend();
      world.advance(2 * 3_600_000);
      await scenario.perform(world.open(), at);
      scenario.verify(at);
      if (!isMet) break;
    }
  }
}

/** A failure of the kinds that the port names is expected; anything else is a bug. */
async function tryOnce(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof QuorumError)) throw error;
    if (error instanceof TransientError) expect(error.retryable).toBe(true);
  }
}
