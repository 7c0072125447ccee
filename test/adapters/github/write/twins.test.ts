/** After a restart, a list that lags behind: what was written stays one, and what was written twice is folded away. */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Trace } from '../../../../src/ports/github/github-writer.ts';
import type { PullSession } from '../../../../src/ports/github/pulls.ts';
import type { ThreadRef } from '../../../../src/domain/run/thread-ref.ts';
import { AFTER, checkOf, reviewOf } from '../../../contract/pulls-world.ts';
import { verifies } from '../../../verifies.ts';
import { openEmulatedPulls, type EmulatedPulls } from '../pulls/world.ts';

const LISTS = /\/(?:comments|reviews|check-runs|issues|reactions)$/;
const MARKER = { kind: 'run', run: 'run-1', key: 'live' } as const;
const RUN = 'run-1';

interface Written {
  world: EmulatedPulls;
  pull: ThreadRef;
  headSha: string;
}

interface Kind {
  title: string;
  /** Writes it in a session of a new process; returns its id, where there is one. */
  write: (
    session: PullSession,
    at: Written,
    trace: () => Promise<Trace>,
  ) => Promise<number | undefined>;
  /** How many of it people see. */
  count: (at: Written) => number;
}

const KINDS: readonly Kind[] = [
  {
    title: 'a comment',
    write: async ({ write }, { pull }, trace) =>
      (await write.ensureComment(pull, { marker: MARKER, body: 'Our view.', trace })).id,
    count: ({ world, pull }) => threadOf(world, pull).comments.length,
  },
  {
    title: 'an issue',
    write: async ({ write }, { world }, trace) => {
      const issue = { marker: MARKER, title: 'Found', body: 'What was found.', labels: [], trace };
      const told = await write.ensureIssue(world.repository, issue);
      return 'number' in told ? told.number : undefined;
    },
    count: ({ world }) =>
      [...world.emulator.repository('acme/widgets').threads.values()].filter(
        ({ title, state }) => title === 'Found' && state === 'open',
      ).length,
  },
  {
    title: 'a review with a comment on a line',
    write: async ({ reviews }, { pull, headSha }, trace) =>
      (await reviews.ensureReview(pull, { ...reviewOf(headSha), trace })).id,
    count: ({ world, pull }) =>
      Math.max(
        world.reviews(pull).filter(({ body }) => !body.includes('posted twice')).length,
        world.comments(pull).length / reviewOf('').comments.length,
      ),
  },
  {
    title: 'a reply',
    write: async ({ reviews }, { pull, world }, trace) => {
      const [asked] = world.comments(pull);
      const to = { commentId: asked?.id ?? 0 };
      return (await reviews.ensureReply(pull, to, { marker: MARKER, body: 'Yes.', trace })).id;
    },
    count: ({ world, pull }) => world.comments(pull).length - 1,
  },
  {
    title: 'the check of a review',
    write: async ({ reviews }, { world, headSha }, trace) =>
      (await reviews.ensureReviewCheck(world.repository, { ...checkOf(headSha), run: RUN, trace }))
        .id,
    count: (at) => liveChecks(at),
  },
  {
    title: 'a check',
    write: async ({ write }, { world, headSha }, trace) => {
      const said = { conclusion: 'success', title: 'Fine', summary: 'Nothing found.' } as const;
      const checks = [{ name: 'quorum / scope', ...said, trace }];
      const ids = await write.ensureChecks({ repository: world.repository, headSha, checks });
      return ids['quorum / scope'];
    },
    count: (at) => liveChecks(at),
  },
];

function threadOf(world: EmulatedPulls, { number }: ThreadRef) {
  const found = world.emulator.repository('acme/widgets').threads.get(number);
  if (found === undefined) throw new Error(`no thread ${number}`);
  return found;
}

function liveChecks({ world, headSha }: Written): number {
  return world.checks(headSha).filter(({ title }) => title !== 'Superseded').length;
}

function isReply(title: string): boolean {
  return title === 'a reply';
}

describe.each(KINDS)('$title, written before a crash', ({ title, write, count }) => {
  let at: Written;
  const again = (trace: Trace) =>
    write(at.world.open().at(at.world.repository), at, () => Promise.resolve(trace));
  const lag = (times: number, behindMs = 3_600_000) =>
    at.world.emulator.faults.add({
      method: 'GET',
      path: LISTS,
      times,
      fault: { kind: 'stale', behindMs },
    });
  beforeEach(async () => {
    const world = await openEmulatedPulls();
    onTestFinished(() => world.close());
    const pull = await world.openPull({ 'src/a.ts': AFTER });
    const { headSha } = await world.open().at(pull).pulls.pull(pull);
    if (isReply(title)) await world.commentOn(pull, { path: 'src/a.ts', line: 1, body: 'Why?' });
    // What the list tells of the past stays, however far it lags behind.
    world.advance(2 * 3_600_000);
    at = { world, pull, headSha };
  });

  verifies('P2', 'is one when the first list does not show it', async () => {
    await again({});
    lag(1);
    await again({ isDoubtful: true });
    expect([count(at), at.world.openApi.violations]).toEqual([1, []]);
  });

  verifies('P2', 'is one again when no list shows it before it is written twice', async () => {
    await again({});
    lag(2);
    await again({ isDoubtful: true });
    expect([count(at), at.world.openApi.violations]).toEqual([1, []]);
  });

  verifies('P2', 'is one when the first list shows only the older of two', async () => {
    await again({});
    at.world.advance(60_000);
    lag(1);
    await again({});
    lag(1, 20_000);
    await again({ isDoubtful: true });
    expect([count(at), at.world.openApi.violations]).toEqual([1, []]);
  });

  verifies('P2', 'is one when its id was recorded and no list ever shows it', async () => {
    const id = await again({});
    expect(id).toBeGreaterThan(0);
    lag(Infinity);
    expect(await again(id === undefined ? {} : { id })).toBe(id);
    expect([count(at), at.world.openApi.violations]).toEqual([1, []]);
  });

  test('is written again where what was recorded is gone, and once', async () => {
    await again({ id: 987_654 });
    expect([count(at), at.world.openApi.violations]).toEqual([1, []]);
  });
});
