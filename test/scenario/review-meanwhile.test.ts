/** What changes while a review is going on, or between two: it ends in a way that people can read, and nothing is lost. */
import { describe, expect, test } from 'vitest';
import { aModel, type ModelScript } from '../helpers/a-model.ts';
import { checksOf, expectAllWell, headOf, reviewsOf } from '../helpers/a-pull.ts';
import { aPosition, aVerdict } from '../helpers/an-issue.ts';
import { aWorld, REPO, type TestWorld } from '../helpers/a-world.ts';
import {
  moveBranch,
  openPullOf,
  pushTo,
  setDraft,
  tipOf,
  writeCommit,
} from '../helpers/commits.ts';

const QUICK = 'review:\n  settleSeconds: 0\n';
const LINES = Array.from({ length: 20 }, (_, n) => `export const v${n} = ${n};\n`).join('');
const FILES = { '.github/quorum.yml': QUICK, 'src/values.ts': LINES };
const BAD = 'export function run(text: string): unknown {\n  return eval(text);\n}\n';
const GOOD = 'export function run(text: string): string {\n  return text;\n}\n';

interface Held {
  world: TestWorld;
  /** Resolves when the team waits for the model. */
  isAsked: Promise<void>;
  /** Lets the model answer. */
  goOn: () => void;
}

/**
 * A world whose model thinks about `what` until the test releases it, once. The verdict is that
 * something must change.
 */
async function aHeldWorld(
  what: 'position' | 'verdict',
  script: ModelScript = {},
  settings = QUICK,
): Promise<Held> {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = async (): Promise<void> => {
    asked.resolve();
    await gate.promise;
  };
  const { env } = await aModel({
    ...script,
    position: async (call, handle) => {
      if (what === 'position') await hold();
      const own = await script.position?.(call, handle);
      return own ?? { json: aPosition({ vote: 'CHANGES', reasons: handle } as never) };
    },
    verdict: async (call) => {
      if (what === 'verdict') await hold();
      const own = await script.verdict?.(call);
      return own ?? { json: aVerdict({ verdict: 'CHANGES', headline: 'one thing' } as never) };
    },
  });
  const world = await aWorld({ env, files: { ...FILES, '.github/quorum.yml': settings } });
  return { world, isAsked: asked.promise, goOn: () => gate.resolve() };
}

async function titles(world: TestWorld, sha: string): Promise<[string | null, string][]> {
  return (await checksOf(world, sha)).map(({ conclusion, output }) => [conclusion, output.title]);
}

describe('a push', () => {
  test.each([
    { event: 'request-changes', refused: ['head-moved'], first: [] as string[] },
    { event: 'comment', refused: [], first: ['src/run.ts'] },
  ])(
    'after the last look, as a review by $event: nothing that was found is lost or told twice',
    async ({ event, refused, first }) => {
      const settings = `review:\n  settleSeconds: 0\n  event: ${event}\n`;
      const { world, isAsked, goOn } = await aHeldWorld('verdict', {}, settings);
      const number = await openPullOf(world, { 'src/run.ts': BAD });
      await isAsked;
      const old = await headOf(world, number);
      const fault = { kind: 'lost' } as const;
      world.emulator.faults.addHook({ event: 'pull_request', fault });
      await pushTo(world, { 'src/more.ts': BAD.replace('run', 'more') });
      goOn();
      await world.idle();
      await expectAllWell(world, { refused });
      expect((await checksOf(world, old)).map((check) => check.status)).toEqual(['completed']);
      const { comments } = await reviewsOf(world, number);
      if (refused.length === 0) expect(comments.map(({ path }) => path)).toEqual(first);
      const lost = world.emulator.deliveries.find((each) => each.action === 'synchronize');
      world.emulator.redeliver(lost?.id ?? 0);
      await world.idle();
      const after = await reviewsOf(world, number);
      expect(after.checks.map((check) => check.conclusion)).toEqual(['action_required']);
      expect(new Set(after.comments.map(({ path }) => path))).toEqual(
        new Set(['src/run.ts', 'src/more.ts']),
      );
      expect(after.comments).toHaveLength(2);
    },
  );

  test('between two pages of the change leaves no half of either: the last head is reviewed', async () => {
    const world = await aWorld({ files: FILES });
    const many = Array.from({ length: 301 }, (_, n) => [
      `docs/n${n}.md`,
      '# A note\n\nOne line.\n',
    ]);
    const isRead = Promise.withResolvers<void>();
    let pages = 0;
    const stop = world.emulator.onExchange(({ path }) => {
      if (!path.endsWith('/files')) return;
      pages += 1;
      if (pages === 1) void pushTo(world, { 'src/run.ts': BAD }).then(() => isRead.resolve());
    });
    const number = await openPullOf(world, Object.fromEntries(many));
    await isRead.promise;
    await world.idle();
    stop();
    const { checks, reviews, comments } = await reviewsOf(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual(['action_required']);
    expect([reviews.length, comments.map(({ path }) => path)]).toEqual([1, ['src/run.ts']]);
  });

  test('of a history that has nothing in common with the base is reviewed as files that are all new', async () => {
    const world = await aWorld({ files: FILES });
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await world.idle();
    const { gitDir } = world.emulator.repository(REPO);
    const orphan = writeCommit(gitDir, {
      changes: { 'src/run.ts': BAD, 'src/more.ts': BAD.replace('run', 'more'), 'logo.png': '\0' },
    });
    await moveBranch(world, 'change', { sha: orphan });
    await world.idle();
    const first = await reviewsOf(world, number);
    expect(first.checks.map((check) => check.conclusion)).toEqual(['action_required']);
    // GitHub shows no lines of such a change, so new findings are in the review's text.
    expect(first.comments.map(({ path }) => path)).toEqual(['src/run.ts']);
    const text = first.reviews.at(-1);
    expect(text).toContain('src/more.ts');
    expect(text).toContain('no commit in common');
    expect(text).toContain('`logo.png`: not read');
    const back = writeCommit(gitDir, { changes: { 'src/b.ts': BAD }, parent: await tipOf(world) });
    await moveBranch(world, 'change', { sha: back });
    await world.idle();
    const { checks } = await reviewsOf(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual(['action_required']);
  });

  test('of an unrelated history without a finding is no success', async () => {
    const world = await aWorld({ files: FILES });
    await openPullOf(world, { 'src/run.ts': GOOD });
    await world.idle();
    const { gitDir } = world.emulator.repository(REPO);
    const orphan = writeCommit(gitDir, { changes: { 'src/run.ts': GOOD } });
    await moveBranch(world, 'change', { sha: orphan });
    await world.idle();
    const checks = await checksOf(world, orphan);
    expect(checks.map(({ conclusion }) => conclusion)).toEqual(['neutral']);
  });

  test('whose comparison is not found once is read again, and not taken for an unrelated history', async () => {
    const world = await aWorld({ files: FILES });
    const fault = { kind: 'status', status: 404, body: { message: 'Not Found' } } as const;
    world.emulator.faults.add({ path: /\/compare\//, fault });
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await world.idle();
    const told = await reviewsOf(world, number);
    expect(told.comments.map(({ path }) => path)).toEqual(['src/run.ts']);
    const tree = `/git/trees/${await headOf(world, number)}`;
    expect(world.emulator.requests.filter(({ path }) => path.includes(tree))).toEqual([]);
    expect(
      world.emulator.requests.filter(({ path }) => path.includes('/compare/'))[0]?.status,
    ).toBe(404);
  });

  test('of the same work on a newer base says nothing twice, and nothing of what others did', async () => {
    const world = await aWorld({ files: FILES });
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await world.idle();
    await pushTo(world, { 'src/other.ts': BAD.replace('run', 'other') }, { branch: 'main' });
    const { gitDir } = world.emulator.repository(REPO);
    const rebased = writeCommit(gitDir, {
      changes: { 'src/run.ts': BAD },
      parent: await tipOf(world),
    });
    await moveBranch(world, 'change', { sha: rebased });
    await world.idle();
    await expectAllWell(world);
    const { checks, reviews, comments } = await reviewsOf(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual(['action_required']);
    expect(reviews).toHaveLength(1);
    expect(comments.map(({ path }) => path)).toEqual(['src/run.ts']);
  });
});

describe('a pull request', () => {
  const ENDS: [string, string, (world: TestWorld, number: number) => Promise<unknown>][] = [
    [
      'locked',
      'Stopped: the conversation is locked',
      ({ emulator }, number) =>
        emulator.as('ana').request('PUT', `/repos/${REPO}/issues/${number}/lock`, {}),
    ],
    [
      'merged',
      'Stopped: the pull request was closed',
      ({ emulator }, number) =>
        emulator.as('ana').request('PUT', `/repos/${REPO}/pulls/${number}/merge`, {}),
    ],
    ['a draft again', 'Stopped: it is a draft', (world, number) => setDraft(world, number, true)],
  ];
  test.each(ENDS)('that is %s meanwhile gets no review: %s', async (_, title, change) => {
    const { world, isAsked, goOn } = await aHeldWorld('position');
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await isAsked;
    const sha = await headOf(world, number);
    await change(world, number);
    goOn();
    await world.idle();
    await expectAllWell(world);
    expect(await titles(world, sha)).toEqual([['neutral', title]]);
    expect((await reviewsOf(world, number)).reviews).toEqual([]);
  });

  test('that was stopped as a draft is reviewed when it is ready, each time', async () => {
    const world = await aWorld({ files: FILES });
    const number = await openPullOf(world, { 'src/run.ts': BAD }, { draft: true });
    await world.idle();
    expect((await reviewsOf(world, number)).checks).toEqual([]);
    await setDraft(world, number, false);
    await world.idle();
    await setDraft(world, number, true);
    await pushTo(world, { 'src/more.ts': BAD.replace('run', 'more') });
    await world.idle();
    expect((await reviewsOf(world, number)).checks).toEqual([]);
    await setDraft(world, number, false);
    await world.idle();
    await expectAllWell(world);
    const { reviews, comments } = await reviewsOf(world, number);
    expect([reviews.length, comments.length]).toEqual([2, 2]);
  });

  test('whose fork is deleted meanwhile is reviewed to its end', async () => {
    const { world, isAsked, goOn } = await aHeldWorld('verdict');
    const fork = 'tom/tidy';
    await world.emulator.createFork(REPO, 'tom');
    const number = await openPullOf(world, { 'src/run.ts': BAD }, { by: 'tom', repository: fork });
    await isAsked;
    await world.emulator.deleteRepository(fork);
    goOn();
    await world.idle();
    await expectAllWell(world);
    const { checks, reviews, comments } = await reviewsOf(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual(['action_required']);
    expect([reviews.length, comments.length]).toEqual([1, 1]);
  });

  test.each(['while it is reviewed', 'after it'])(
    'that goes to another branch %s is read against that one',
    async (when) => {
      const { world, isAsked, goOn } = await aHeldWorld('verdict');
      const { gitDir } = world.emulator.repository(REPO);
      const release = writeCommit(gitDir, {
        changes: { 'src/b.ts': GOOD },
        parent: await tipOf(world),
      });
      await moveBranch(world, 'release', { sha: release });
      // The branch left `release`, so against `main` it also brings what `release` has.
      const sha = writeCommit(gitDir, {
        changes: { 'src/b.ts': BAD, 'src/c.ts': BAD.replace('run', 'c') },
        parent: release,
      });
      await moveBranch(world, 'change', { sha });
      const { number } = await world.emulator
        .as('ana')
        .openPull(REPO, { title: 'Change it', head: 'change', base: 'release' });
      await isAsked;
      const retarget = () =>
        world.emulator
          .as('ana')
          .request('PATCH', `/repos/${REPO}/pulls/${number}`, { base: 'main' });
      if (when === 'after it') goOn();
      if (when === 'after it') await world.idle();
      await retarget();
      goOn();
      await world.idle();
      await expectAllWell(world);
      const { checks, comments } = await reviewsOf(world, number);
      expect(checks.at(-1)?.conclusion).toBe('action_required');
      expect(comments.map(({ path }) => path)).toEqual(['src/b.ts', 'src/c.ts']);
    },
  );
});

describe('a repository', () => {
  test('that is renamed meanwhile has its review under the new name', async () => {
    const { world, isAsked, goOn } = await aHeldWorld('verdict');
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await isAsked;
    world.emulator.renameRepository(REPO, 'neat');
    goOn();
    await world.idle();
    await expectAllWell(world);
    const ana = world.emulator.as('ana');
    const reviews = await ana.request('GET', `/repos/acme/neat/pulls/${number}/reviews`);
    expect(reviews).toHaveLength(1);
  });

  test('that goes to somebody without the App is left alone', async () => {
    const { world, isAsked, goOn } = await aHeldWorld('verdict');
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await isAsked;
    world.emulator.transferRepository(REPO, 'eve');
    await world.emulator.settled();
    world.emulator.clearRequests();
    goOn();
    await world.idle();
    const taken = world.emulator.requests.filter(({ status }) => status < 300);
    expect(taken.filter(({ method, path }) => method !== 'GET' && path !== '/graphql')).toEqual([]);
    const { events, effects } = await world.store.records.counts();
    expect([events.dead, effects.dead, effects.pending]).toEqual([0, 0, 0]);
    const reviews = world.emulator.repository('eve/tidy').threads.get(number)?.pull?.reviews;
    expect(reviews).toEqual([]);
  });
});

describe('a comment on a line', () => {
  test('that GitHub takes on no line is in the review, the others on theirs', async () => {
    const world = await aWorld({ files: FILES });
    const compare = /\/compare\//;
    const accept = { 'content-type': 'application/vnd.github.v3.diff; charset=utf-8' };
    const diff = ['src/gone.ts', 'src/run.ts'].map((path) => addedFile(path, BAD)).join('');
    // GitHub shows a diff with a file that its review does not know.
    const fault = { kind: 'status', status: 200, body: diff, headers: accept } as const;
    const disarm = world.emulator.faults.add({ path: compare, times: Infinity, fault });
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    const stop = world.emulator.onExchange(({ method, path, status }) => {
      if (method === 'POST' && path.endsWith('/reviews') && status === 422) disarm();
    });
    await world.idle();
    stop();
    await expectAllWell(world);
    const { reviews, comments, checks } = await reviewsOf(world, number);
    expect(comments.map(({ path }) => path)).toEqual(['src/run.ts']);
    expect(reviews).toHaveLength(1);
    expect(reviews[0]).toContain('src/gone.ts#L2');
    expect(checks.map((check) => check.conclusion)).toEqual(['action_required']);
  });

  // Six times is twice over: a refusal of the whole review is believed when it comes again.
  test.each([
    [1, 'on its line'],
    [2, 'in the text'],
    [6, 'by the next review'],
  ])('whose review GitHub refuses, %i times in all, is posted %s', async (times, where) => {
    const world = await aWorld({ files: FILES });
    const fault = {
      kind: 'status',
      status: 422,
      body: { message: 'Unprocessable Entity' },
    } as const;
    world.emulator.faults.add({ method: 'POST', path: /\/pulls\/\d+\/reviews$/, times, fault });
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await world.idle();
    const isRefused = where === 'by the next review';
    await expectAllWell(world, { refused: isRefused ? ['github-invalid'] : [] });
    const { reviews, comments, checks } = await reviewsOf(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual(['action_required']);
    expect(comments.map(({ path }) => path)).toEqual(where === 'on its line' ? ['src/run.ts'] : []);
    const isInText = reviews.map((body) => body.includes('src/run.ts#L2'));
    expect(isInText).toEqual(isRefused ? [] : [where === 'in the text']);
    if (!isRefused) return;
    // Nobody has read it yet: the next review reports it.
    await pushTo(world, { 'docs/a.md': '# A note\n\nOne line.\n' });
    await world.idle();
    const next = await reviewsOf(world, number);
    expect(next.comments.map(({ path }) => path)).toEqual(['src/run.ts']);
  });

  test('whose line vanished is about something that was fixed; it is not in the way', async () => {
    const world = await aWorld({ files: FILES });
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await world.idle();
    await pushTo(world, { 'src/run.ts': null });
    await world.idle();
    const { checks, comments, reviews } = await reviewsOf(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual(['success']);
    expect([comments.map(({ line }) => line), reviews.length]).toEqual([[null], 1]);
    await expectAllWell(world);
  });

  test.each([
    { who: 'a maintainer', by: 'ana', conclusion: 'success' },
    { who: 'the author, who has no role', by: 'tom', conclusion: 'action_required' },
  ])('that $who resolves: $conclusion', async ({ by, conclusion }) => {
    const world = await aWorld({ files: FILES });
    const fork = 'tom/tidy';
    await world.emulator.createFork(REPO, 'tom');
    const number = await openPullOf(world, { 'src/run.ts': BAD }, { by: 'tom', repository: fork });
    await world.idle();
    const [comment] = (await reviewsOf(world, number)).comments;
    await resolve(world, { number, id: comment?.id ?? 0, by });
    const { gitDir } = world.emulator.repository(fork);
    const sha = writeCommit(gitDir, {
      changes: { 'docs/a.md': '# A note\n\nOne line.\n' },
      parent: await headOf(world, number),
    });
    await moveBranch(world, 'change', { sha, by: 'tom', repository: fork });
    await world.idle();
    await expectAllWell(world);
    const { checks, comments } = await reviewsOf(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual([conclusion]);
    expect(comments).toHaveLength(1);
  });
});

function addedFile(path: string, text: string): string {
  const lines = text.trimEnd().split('\n');
  const added = lines.map((line) => `+${line}\n`).join('');
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${added}`;
}

/** Somebody resolves the conversation that begins with a comment. */
async function resolve(
  { emulator }: TestWorld,
  { number, id, by }: { number: number; id: number; by: string },
): Promise<void> {
  const pull = emulator.repository(REPO).threads.get(number)?.pull;
  const comment = pull?.reviewComments.find((each) => each.id === id);
  if (comment === undefined) throw new Error(`no comment ${id}`);
  comment.isResolved = true;
  comment.resolvedById = ((await emulator.as(by).request('GET', '/user')) as { id: number }).id;
}

describe('a persona that is switched off meanwhile', () => {
  const off = (handle: string): Record<string, string> => ({
    '.github/quorum.yml': `${QUICK}personas:\n  ${handle}:\n    active: false\n`,
  });

  test('is not asked in the second round, and what it said is kept', async () => {
    const finding = {
      severity: 'high',
      title: 'The name is used before it is checked',
      evidence: 'run() takes any text.',
      place: { path: 'src/run.ts', line: 1 },
    };
    const rounds: string[][] = [[], []];
    const held = await aHeldWorld('position', {
      position: (call, handle) => {
        const isSecond = /second round/.test(call.lastText);
        rounds[isSecond ? 1 : 0]?.push(handle);
        const isDispute = handle === 'priya';
        const vote = isDispute ? 'CHANGES' : 'APPROVE';
        const findings = isDispute ? [finding] : [];
        const line = `${handle} in ${isSecond ? 'two' : 'one'}`;
        return {
          json: aPosition({ vote, findings, confidence: 0.9, line, reasons: line } as never),
        };
      },
    });
    const { world, isAsked, goOn } = held;
    const number = await openPullOf(world, { 'src/run.ts': GOOD });
    await isAsked;
    await pushTo(world, off('priya'), { branch: 'main' });
    goOn();
    await world.idle();
    await expectAllWell(world);
    expect(rounds[0]).toContain('priya');
    expect(rounds[1]?.length).toBeGreaterThan(0);
    expect(rounds[1]).not.toContain('priya');
    const { comments } = await reviewsOf(world, number);
    expect(comments.map(({ body }) => body).join()).toContain('used before it is checked');
  });

  test('leaves a question to a person when it is the lead', async () => {
    const { world, isAsked, goOn } = await aHeldWorld('position');
    const number = await openPullOf(world, { 'src/run.ts': BAD });
    await isAsked;
    await pushTo(world, off('carlos'), { branch: 'main' });
    goOn();
    await world.idle();
    const { checks, reviews } = await reviewsOf(world, number);
    expect(checks.map((check) => check.conclusion)).toEqual(['neutral']);
    expect(reviews[0]).toMatch(
      /^### Needs you: [^\n]*\n\n\*\*You decide:\*\* The lead is not in the team any more/,
    );
  });
});
