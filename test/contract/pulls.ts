/** What every GitHub must do for Quorum with pull requests, whichever server is behind the port. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ThreadRef } from '../../src/domain/run/thread-ref.ts';
import type { ReviewCheck } from '../../src/ports/github/pulls.ts';
import { verifies } from '../verifies.ts';
import { HARD_FAULTS } from './github.ts';
import { tryEveryCall } from './pulls-faults.ts';
import {
  AFTER,
  BEFORE,
  checkOf,
  firstLine,
  MARKER,
  pullOf,
  reviewOf,
  sessionOf,
  type PullsWorld,
} from './pulls-world.ts';

export function describePulls(server: string, make: () => Promise<PullsWorld>): void {
  describe(`Pull request contract: ${server}`, () => {
    let world: PullsWorld;
    beforeAll(async () => {
      world = await make();
    });
    afterAll(() => world.close());
    beforeEach(() => world.advance(2 * 3_600_000));
    describeReading(() => world);
    describeReviewing(() => world);
    describeFeedback(() => world);
    describeChecks(() => world);
    describeFolding(() => world);
  });
}

function describeReading(current: () => PullsWorld): void {
  describe('reading', () => {
    test('tells the facts', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER }, { isDraft: true });
      const facts = await pullOf(world, ref);
      expect(facts).toMatchObject({
        number: ref.number,
        state: 'open',
        isDraft: true,
        isMerged: false,
        isFork: false,
        headRepositoryId: ref.repositoryId,
        author: world.person,
        changedFiles: 1,
        additions: 2,
        deletions: 1,
        baseRef: 'main',
      });
      expect([facts.headSha, facts.baseSha]).toEqual([
        expect.stringMatching(/^[0-9a-f]{40}$/),
        expect.stringMatching(/^[0-9a-f]{40}$/),
      ]);
    });

    test('says when the number is an issue, nothing, or of another repository', async () => {
      const world = current();
      const issue = await world.openIssue();
      const { pulls } = sessionOf(world);
      await expect(pulls.pull(issue)).rejects.toMatchObject({ code: 'no-pull' });
      const nothing = { ...world.repository, number: 987_654 };
      await expect(pulls.pull(nothing)).rejects.toMatchObject({ code: 'github-not-found' });
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const other = { ...ref, repositoryId: ref.repositoryId + 1 };
      for (const read of [() => pulls.pull(other), () => pulls.feedback(other)])
        await expect(read()).rejects.toMatchObject({ code: 'github-not-found' });
    });

    test('gives the diff in one call, whatever is in it', async () => {
      const world = current();
      const ref = await world.openPull({
        'src/a.ts': AFTER,
        'src/b.ts': null,
        'src/c.ts': BEFORE,
        'README.md': { mode: '100755', text: '# Widgets\n' },
        'logo.bin': Buffer.from([0, 1, 2, 255]),
        'empty.txt': '',
        'no-newline.txt': 'last',
        'crlf.txt': 'a\r\nb\r\n',
        'späce name.txt': 'x\n',
        vendor: { submodule: 'a'.repeat(40) },
      });
      const facts = await pullOf(world, ref);
      const session = sessionOf(world);
      const changes = await session.pulls.changes(ref, facts);
      expect(changes).toMatchObject({ isCut: false, leftOut: [], unnamedFiles: 0 });
      expect(session.counts).toMatchObject({ 'GET /repos/{owner}/{repo}/compare/{basehead}': 1 });
      for (const part of [
        '+line two and a half\n',
        'rename from src/b.ts\nrename to src/c.ts\n',
        'old mode 100644\nnew mode 100755\n',
        'Binary files /dev/null and b/logo.bin differ\n',
        '+Subproject commit aaaa',
        '\\ No newline at end of file\n',
        '+a\r\n',
      ])
        expect(changes.diff).toContain(part);
    });

    test('gives nothing for an empty range and only what came since for a later one', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const first = await pullOf(world, ref);
      await world.push(ref, { 'src/b.ts': AFTER });
      const second = await pullOf(world, ref);
      const { pulls } = sessionOf(world);
      const empty = { baseSha: first.headSha, headSha: first.headSha };
      expect(await pulls.changes(ref, empty)).toMatchObject({ diff: '', isCut: false });
      const since = { baseSha: first.headSha, headSha: second.headSha };
      const { diff } = await pulls.changes(ref, since);
      expect(diff.match(/^diff --git .*$/gm)).toEqual(['diff --git a/src/b.ts b/src/b.ts']);
    });

    test('gives no diff where two commits make up for each other', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      await world.push(ref, { 'src/a.ts': BEFORE });
      const facts = await pullOf(world, ref);
      expect(facts.changedFiles).toBe(0);
      const changes = await sessionOf(world).pulls.changes(ref, facts);
      expect(changes).toEqual({ diff: '', isCut: false, leftOut: [], unnamedFiles: 0 });
    });

    test('works for a fork, and after the fork was deleted', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER }, { fork: true });
      const before = await pullOf(world, ref);
      expect([before.isFork, before.headRepositoryId === ref.repositoryId]).toEqual([true, false]);
      await world.deleteFork(ref);
      const facts = await pullOf(world, ref);
      expect([facts.isFork, facts.headRepositoryId]).toEqual([true, undefined]);
      const { diff } = await sessionOf(world).pulls.changes(ref, facts);
      expect(diff).toContain('+line two\n');
    });

    test('says when a commit of the range is gone', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const range = { baseSha: 'b'.repeat(40), headSha };
      const read = sessionOf(world).pulls.changes(ref, range);
      await expect(read).rejects.toMatchObject({ code: 'github-not-found' });
    });
  });
}

function describeReviewing(current: () => PullsWorld): void {
  describe('a review', () => {
    test('is written whole, with its comments on their lines, in one call', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const session = sessionOf(world);
      const told = await session.reviews.ensureReview(ref, reviewOf(headSha));
      expect(told).toMatchObject({ outcome: 'created', unplaced: [] });
      expect(told.url).toContain(String(told.id));
      expect(world.reviews(ref)).toMatchObject([{ id: told.id, state: 'COMMENTED' }]);
      expect(
        world.comments(ref).map(({ path, line, body }) => [path, line, firstLine(body)]),
      ).toEqual([
        ['src/a.ts', 2, '**high · first**'],
        ['src/a.ts', 3, '**low · second**'],
      ]);
      const posts = Object.entries(session.counts).filter(([route]) =>
        route.startsWith('POST /repos'),
      );
      expect(posts).toEqual([['POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews', 1]]);
    });

    verifies(
      'DUR-02',
      'is found again after a restart, even when the head moved since',
      async () => {
        const world = current();
        const ref = await world.openPull({ 'src/a.ts': AFTER });
        const { headSha } = await pullOf(world, ref);
        const first = await sessionOf(world).reviews.ensureReview(ref, reviewOf(headSha));
        await world.push(ref, { 'src/b.ts': AFTER });
        const again = await sessionOf(world).reviews.ensureReview(ref, reviewOf(headSha));
        expect(again).toEqual({ ...first, outcome: 'unchanged' });
        expect(world.reviews(ref).length).toBe(1);
      },
    );

    test('with another key is another review', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const { reviews } = sessionOf(world);
      await reviews.ensureReview(ref, reviewOf(headSha));
      const other = reviewOf(headSha, { marker: { ...MARKER, run: 'run-2' }, comments: [] });
      await reviews.ensureReview(ref, { ...other, event: 'REQUEST_CHANGES' });
      expect(world.reviews(ref).map((one) => one.state)).toEqual([
        'COMMENTED',
        'CHANGES_REQUESTED',
      ]);
    });

    test('asked for several times at once is one', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const github = world.open();
      const ensure = () => github.at(ref).reviews.ensureReview(ref, reviewOf(headSha));
      await Promise.all([ensure(), ensure(), ensure()]);
      expect(world.reviews(ref).length).toBe(1);
    });

    test('is refused when the head moved before it was written', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      await world.push(ref, { 'src/b.ts': AFTER });
      const write = sessionOf(world).reviews.ensureReview(ref, reviewOf(headSha));
      await expect(write).rejects.toMatchObject({ code: 'head-moved' });
      expect(world.reviews(ref)).toEqual([]);
    });

    test('takes comments into its body that fit on no line, and says which', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const wrong = [
        { path: 'src/a.ts', line: 11, side: 'RIGHT' as const },
        { path: 'src/gone.ts', line: 1, side: 'RIGHT' as const },
        { path: 'src/a.ts', line: 3, side: 'RIGHT' as const, startLine: 12 },
      ].map((at, index) => ({ ...at, key: `wrong-${index}`, body: `wrong ${index}` }));
      const right = reviewOf(headSha).comments;
      const review = reviewOf(headSha, { comments: [...wrong, ...right] });
      const told = await sessionOf(world).reviews.ensureReview(ref, review);
      expect(told).toMatchObject({ outcome: 'created', unplaced: [0, 1, 2] });
      expect(world.comments(ref).map((one) => one.line)).toEqual([2, 3]);
      const [only, ...others] = world.reviews(ref);
      expect(others).toEqual([]);
      expect(only?.body).toContain('**`src/a.ts#L11`**\n\nwrong 0');
      expect(only?.body).toContain('**`src/a.ts#L12-L3`**\n\nwrong 2');
      const again = await sessionOf(world).reviews.ensureReview(ref, review);
      expect(again).toEqual({ ...told, outcome: 'unchanged' });
    });

    test('takes comments on removed lines on their side', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER, 'src/b.ts': null });
      const { headSha } = await pullOf(world, ref);
      const comments = [
        { key: 'l', path: 'src/a.ts', line: 2, side: 'LEFT' as const, body: 'was better' },
        { key: 'd', path: 'src/b.ts', line: 12, side: 'LEFT' as const, body: 'still needed' },
      ];
      const review = reviewOf(headSha, { comments });
      const told = await sessionOf(world).reviews.ensureReview(ref, review);
      expect([told.unplaced, world.comments(ref).length]).toEqual([[], 2]);
    });

    verifies('OUT-09', 'longer than GitHub takes is shortened and keeps its marker', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const body = `Start.\n\n${'word '.repeat(40_000)}\n\nEnd \uD800.`;
      const [comment] = reviewOf(headSha).comments;
      const review = reviewOf(headSha, { body, comments: comment ? [{ ...comment, body }] : [] });
      await sessionOf(world).reviews.ensureReview(ref, review);
      const again = await sessionOf(world).reviews.ensureReview(ref, review);
      expect(again).toMatchObject({ outcome: 'unchanged', unplaced: [] });
      expect(world.reviews(ref)[0]?.body.length).toBeLessThanOrEqual(65_536);
    });

    test('copied by a person is not taken for ours', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      await sessionOf(world).reviews.ensureReview(ref, reviewOf(headSha));
      const stolen = world.comments(ref)[0]?.body ?? '';
      const id = await world.commentOn(ref, { path: 'src/a.ts', line: 2, body: stolen });
      const { threads } = await sessionOf(world).pulls.feedback(ref);
      const copy = threads.flatMap((one) => one.comments).find((one) => one.id === id);
      expect([copy?.isOurs, copy?.marker]).toEqual([false, undefined]);
    });
  });

  describe('a reply', () => {
    test('is one for each marker, in the conversation it belongs to', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const commentId = await world.commentOn(ref, { path: 'src/a.ts', line: 2, body: 'Why?' });
      const inner = await world.reply(ref, commentId, 'Yes, why?');
      const ensure = (to: number, body: string) =>
        sessionOf(world).reviews.ensureReply(
          ref,
          { commentId: to },
          { marker: { ...MARKER, key: 'answer' }, body },
        );
      const outcomes = [
        await ensure(commentId, 'Because.'),
        await ensure(inner, 'Because.'),
        await ensure(commentId, 'Because of that.'),
      ];
      expect(outcomes.map((one) => one.outcome)).toEqual(['created', 'unchanged', 'edited']);
      const replies = world.comments(ref).filter((one) => one.replyTo !== undefined);
      expect(replies.map((one) => [one.replyTo, firstLine(one.body)])).toEqual([
        [commentId, 'Yes, why?'],
        [commentId, 'Because of that.'],
      ]);
    });
  });
}

function describeFeedback(current: () => PullsWorld): void {
  /** A reviewed pull request, answered, reacted to, partly resolved by a person, partly outdated. */
  async function discuss(world: PullsWorld): Promise<ThreadRef> {
    const ref = await world.openPull({ 'src/a.ts': AFTER, 'src/b.ts': AFTER });
    const { headSha } = await pullOf(world, ref);
    const { comments } = reviewOf(headSha);
    const third = { key: 'f3', path: 'src/b.ts', line: 2, side: 'RIGHT' as const, body: 'third' };
    const review = reviewOf(headSha, { comments: [...comments, third] });
    await sessionOf(world).reviews.ensureReview(ref, review);
    const [first, , last] = world.comments(ref);
    await world.reply(ref, first?.id ?? 0, 'This is meant so.');
    await world.react(first?.id ?? 0, '-1');
    await world.resolve(first?.id ?? 0);
    await world.react(last?.id ?? 0, '+1');
    await world.push(ref, { 'src/b.ts': BEFORE, 'src/a.ts': `// head\n${AFTER}` });
    return ref;
  }

  describe('feedback', () => {
    test('tells replies, reactions, who resolved what and which lines vanished, in one call', async () => {
      const world = current();
      const ref = await discuss(world);
      const session = sessionOf(world);
      const { reviews, threads, isCut } = await session.pulls.feedback(ref);
      expect([isCut, session.counts['POST /graphql']]).toEqual([false, 1]);
      const ours = reviews.filter((one) => one.isOurs);
      expect(ours).toMatchObject([{ state: 'commented', marker: MARKER }]);
      expect(threads.map((one) => one.comments[0]?.marker?.key)).toEqual(['f1', 'f2', 'f3']);
      const [first, second, third] = threads;
      expect(first).toMatchObject({
        path: 'src/a.ts',
        side: 'RIGHT',
        line: 3,
        originalLine: 2,
        isOutdated: false,
        isResolved: true,
        resolvedBy: world.person,
        comments: [
          { isOurs: true, isHidden: false, reviewId: ours[0]?.id },
          { isOurs: false, author: world.person, body: 'This is meant so.' },
        ],
      });
      expect(first?.comments[0]?.reactions).toEqual([{ content: '-1', by: world.person }]);
      expect(second).toMatchObject({ line: 4, isResolved: false, resolvedBy: undefined });
      expect(third).toMatchObject({ line: undefined, originalLine: 2, isOutdated: true });
      expect(third?.comments[0]?.reactions).toEqual([{ content: '+1', by: world.person }]);
    });

    test('tells the same without GraphQL, but not who resolved what', async () => {
      const world = current();
      const ref = await discuss(world);
      const whole = await sessionOf(world).pulls.feedback(ref);
      const restore = world.withoutGraphql();
      const { reviews, threads } = await sessionOf(world).pulls.feedback(ref);
      restore();
      const known = whole.threads.map((thread) => ({
        ...thread,
        id: undefined,
        isResolved: undefined,
        resolvedBy: undefined,
        comments: thread.comments.map((one) => ({ ...one, isHidden: undefined })),
      }));
      expect(threads).toEqual(known);
      expect(reviews).toEqual(whole.reviews.map((one) => ({ ...one, isHidden: undefined })));
    });

    test('of a pull request that nobody reviewed is empty', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const feedback = await sessionOf(world).pulls.feedback(ref);
      expect(feedback).toEqual({ reviews: [], threads: [], isCut: false });
    });
  });
}

function describeChecks(current: () => PullsWorld): void {
  const annotations = (count: number): ReviewCheck['annotations'] =>
    Array.from({ length: count }, (_, index) => ({
      path: 'src/a.ts',
      startLine: index + 1,
      endLine: index + 1,
      level: 'warning' as const,
      title: `T${index}`,
      message: `M${index}`,
    }));

  describe('the review’s check', () => {
    test('goes from in progress to its end, once, with all annotations', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const ensure = (more: Partial<ReviewCheck>) =>
        sessionOf(world).reviews.ensureReviewCheck(ref, checkOf(headSha, more));
      const outcomes = [
        await ensure({ conclusion: undefined, title: 'Reviewing' }),
        await ensure({ annotations: annotations(120) }),
        await ensure({ annotations: annotations(120) }),
      ];
      expect(outcomes.map((one) => one.outcome)).toEqual(['created', 'edited', 'unchanged']);
      expect(world.checks(headSha)).toEqual([
        {
          name: 'quorum / review',
          title: 'Two things to fix',
          status: 'completed',
          conclusion: 'action_required',
          annotations: 120,
        },
      ]);
    });

    test('of another run on the same head is another one', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const { reviews } = sessionOf(world);
      await reviews.ensureReviewCheck(ref, checkOf(headSha, { annotations: annotations(1) }));
      const again = checkOf(headSha, { run: 'run-2', conclusion: 'success' });
      await reviews.ensureReviewCheck(ref, again);
      expect(world.checks(headSha).map((one) => [one.conclusion, one.annotations])).toEqual([
        ['action_required', 1],
        ['success', 0],
      ]);
    });

    verifies(['DUR-02', 'P2'], 'has each annotation once, whatever call goes wrong', async () => {
      const world = current();
      await tryEveryCall(world, {
        faults: HARD_FAULTS,
        perform: async (github, { ref, headSha, run, isNew }) => {
          const { reviews } = github.at(ref);
          const begun = checkOf(headSha, { run, title: run, conclusion: undefined, isNew });
          await reviews.ensureReviewCheck(ref, begun);
          const ended = { ...begun, conclusion: 'neutral' as const, annotations: annotations(101) };
          await reviews.ensureReviewCheck(ref, ended);
        },
        verify: ({ headSha, run }) => {
          const ours = world.checks(headSha).filter((one) => one.title === run);
          expect(ours).toMatchObject([{ annotations: 101 }]);
        },
      });
    });
  });
}

function describeFolding(current: () => PullsWorld): void {
  describe('folding away', () => {
    test('resolves ours, leaves what another resolved, and touches nothing of another thread', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const elsewhere = await world.openPull({ 'src/a.ts': AFTER });
      for (const one of [ref, elsewhere]) {
        const { headSha } = await pullOf(world, one);
        await sessionOf(world).reviews.ensureReview(one, reviewOf(headSha));
      }
      const [mine] = world.comments(ref);
      await world.resolve(mine?.id ?? 0);
      const { pulls, reviews } = sessionOf(world);
      const { threads } = await pulls.feedback(ref);
      const others = (await pulls.feedback(elsewhere)).threads;
      const ids = [...threads, ...others.slice(0, 1)].map((one) => one.id ?? '');
      const outcomes = await reviews.fold(ref, { conversations: [...ids, 'nonsense'], texts: [] });
      expect(outcomes).toEqual(['was-done', 'done', 'gone', 'gone']);
      expect(world.comments(ref).map((one) => one.isResolved)).toEqual([true, true]);
      expect(world.comments(ref)[0]?.resolvedById).toBe(world.person.id);
      expect(world.comments(elsewhere).map((one) => one.isResolved)).toEqual([false, false]);
    });

    test('hides our comment where we may not resolve, and resolves again where we may', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const { pulls, reviews } = sessionOf(world);
      await reviews.ensureReview(ref, reviewOf(headSha));
      const { threads } = await pulls.feedback(ref);
      const fold = (at: number) =>
        reviews.fold(ref, { conversations: [threads[at]?.id ?? ''], texts: [] });
      const restore = world.withoutContents();
      expect([await fold(0), await fold(0)]).toEqual([['hidden'], ['was-done']]);
      restore();
      // One refusal says nothing of another conversation of the same installation.
      expect(await fold(1)).toEqual(['done']);
      expect(world.comments(ref).map((one) => [one.isResolved, one.isHidden])).toEqual([
        [false, true],
        [true, false],
      ]);
    });

    test('hides comments and reviews once', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const { headSha } = await pullOf(world, ref);
      const { pulls, reviews } = sessionOf(world);
      await reviews.ensureReview(ref, reviewOf(headSha));
      const feedback = await pulls.feedback(ref);
      const ids = [feedback.threads[0]?.comments[0], feedback.reviews[0]].map(
        (one) => one?.nodeId ?? '',
      );
      const fold = () => reviews.fold(ref, { conversations: [], texts: ids });
      expect(await fold()).toEqual(['done', 'done']);
      expect(await fold()).toEqual(['was-done', 'was-done']);
      expect(world.comments(ref).map((one) => one.isHidden)).toEqual([true, false]);
      expect((await pulls.feedback(ref)).reviews[0]?.isHidden).toBe(true);
    });

    test('is not to be had without GraphQL, which is no failure', async () => {
      const world = current();
      const ref = await world.openPull({ 'src/a.ts': AFTER });
      const restore = world.withoutGraphql();
      const { reviews } = sessionOf(world);
      const outcomes = await reviews.fold(ref, { conversations: ['a'], texts: ['b'] });
      restore();
      expect(outcomes).toEqual(['unavailable', 'unavailable']);
    });

    test('of nothing asks nothing', async () => {
      const world = current();
      const session = sessionOf(world);
      const ref = { ...world.repository, number: 1 };
      expect(await session.reviews.fold(ref, { conversations: [], texts: [] })).toEqual([]);
      expect(session.counts).toEqual({});
    });
  });
}
