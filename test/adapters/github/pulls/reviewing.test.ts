/** Reviewing where the server refuses: Quorum's own pull request, locks, 422s of other kinds, figures. */
import { expect, onTestFinished, test } from 'vitest';
import type { EnsuredReview } from '../../../../src/ports/github/pulls.ts';
import {
  createTestClock,
  openGitHub,
  openStage,
  THREAD,
  WIRE_REPOSITORY,
  WIRE_SELF,
  type Reply,
  type Seen,
} from '../stage.ts';
import { openEmulatedPulls, type EmulatedPulls } from './world.ts';

const HEAD = 'a'.repeat(40);
const AT = '2026-11-05T10:00:00Z';
const PULL = {
  number: 5,
  title: 'Change',
  body: null,
  state: 'open',
  labels: [],
  locked: false,
  merged: false,
  changed_files: 1,
  additions: 1,
  deletions: 1,
  mergeable: true,
  mergeable_state: 'clean',
  user: { id: 11, login: 'alice', type: 'User' },
  head: { ref: 'x', sha: HEAD, repo: { id: 42 } },
  base: { ref: 'main', sha: 'b'.repeat(40), repo: { id: 42 } },
  html_url: 'http://x/5',
  created_at: AT,
  updated_at: AT,
};
const REVIEW: EnsuredReview = {
  marker: { kind: 'run', run: 'r', key: 'review' },
  headSha: HEAD,
  event: 'REQUEST_CHANGES',
  body: 'Change this.',
  comments: [
    { key: 'a', path: 'a.ts', line: 1, side: 'RIGHT', body: 'first' },
    { key: 'b', path: 'a.ts', line: 9, side: 'RIGHT', body: 'second' },
  ],
};
const DIFF = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n';

interface Post {
  event: string;
  body: string;
  comments: { line: number }[];
}

/** A server with an empty list of reviews; `answer` says what comes of the n-th review. */
async function review(
  answer: (nth: number, post: Post) => Reply,
  pull: object = PULL,
  wanted = REVIEW,
) {
  const posts: Post[] = [];
  const script = (seen: Seen): Reply | undefined => {
    const { method, path } = seen;
    if (path === '/user') return { body: WIRE_SELF };
    if (path === '/repos/acme/widgets') return { body: WIRE_REPOSITORY };
    if (path.includes('/compare/'))
      return {
        raw: DIFF,
        headers: { 'content-type': 'application/vnd.github.diff; charset=utf-8' },
      };
    if (path.endsWith('/pulls/5')) return { body: pull };
    if (method === 'GET') return { body: [] };
    posts.push(seen.body as Post);
    return answer(posts.length, seen.body as Post);
  };
  const stage = await openStage(script);
  const outcome = openGitHub(stage, createTestClock())
    .at(THREAD)
    .reviews.ensureReview(THREAD, wanted);
  return { outcome, posts };
}

const WRITTEN: Reply = {
  body: { id: 77, user: WIRE_SELF, body: '', state: 'COMMENTED', html_url: 'http://x/77' },
};
const INVALID: Reply = { status: 422, body: { message: 'Unprocessable Entity' } };

test('a request for changes on a pull request of our own is a comment', async () => {
  const { outcome, posts } = await review(() => WRITTEN, { ...PULL, user: WIRE_SELF });
  await outcome;
  expect(posts.map((one) => one.event)).toEqual(['COMMENT']);
});

test('the comment that fits nowhere goes into the body, then all of them, and not more often', async () => {
  const once = await review((nth) => (nth === 1 ? INVALID : WRITTEN));
  expect(await once.outcome).toMatchObject({ outcome: 'created', unplaced: [1] });
  expect(once.posts.map((one) => one.comments.map(({ line }) => line))).toEqual([[1, 9], [1]]);
  const twice = await review((nth) => (nth < 3 ? INVALID : WRITTEN));
  expect(await twice.outcome).toMatchObject({ outcome: 'created', unplaced: [0, 1] });
  expect(twice.posts.at(-1)?.body).toMatch(/first[\s\S]*second[\s\S]*<!-- quorum:v1 /);
  const never = await review(() => INVALID);
  await expect(never.outcome).rejects.toMatchObject({ code: 'github-invalid' });
  expect(never.posts.length).toBe(3);
});

test('a refusal that does not come again costs no line its comment', async () => {
  const wanted = { ...REVIEW, comments: REVIEW.comments.slice(0, 1) };
  const { outcome, posts } = await review((nth) => (nth === 1 ? INVALID : WRITTEN), PULL, wanted);
  expect(await outcome).toMatchObject({ outcome: 'created', unplaced: [] });
  expect(posts.map(({ comments }) => comments.length)).toEqual([1, 1]);
});

test('distinguishes a lock from a missing permission', async () => {
  const refused: Reply = { status: 403, body: { message: 'Forbidden' } };
  const locked = await review(() => refused, { ...PULL, locked: true });
  await expect(locked.outcome).rejects.toMatchObject({ code: 'github-locked' });
  const forbidden = await review(() => refused);
  await expect(forbidden.outcome).rejects.toMatchObject({ code: 'github-forbidden' });
});

test('a lost answer is not asked for again blindly', async () => {
  const { outcome, posts } = await review(() => ({ ...WRITTEN, cut: 'all' }));
  await expect(outcome).rejects.toMatchObject({ code: 'github-unreachable' });
  expect(posts.length).toBe(1);
});

async function openWorld(): Promise<EmulatedPulls> {
  const world = await openEmulatedPulls();
  onTestFinished(() => world.close());
  return world;
}

test('a diff of more than 300 files is read from the emulator in pages', async () => {
  const world = await openWorld();
  const changes = Object.fromEntries(
    Array.from({ length: 301 }, (_, index) => [`f${index}.txt`, `${index}\n`]),
  );
  const ref = await world.openPull(changes);
  const { pulls, counts } = world.open().at(ref);
  const read = await pulls.changes(ref, await pulls.pull(ref));
  expect(read).toMatchObject({ isCut: false, unnamedFiles: 0 });
  expect(read.diff.match(/^diff --git/gm)?.length).toBe(301);
  expect(counts['GET /repos/{owner}/{repo}/pulls/{pull_number}/files']).toBe(4);
  expect(world.openApi.violations).toEqual([]);
});
