/** What follows from a moved ref: push events, synchronised or merged pull requests, closed issues, check suites. */
import { fetchInto } from '../git/bare.ts';
import { isAncestor, readRefs, updateRef, ZERO_SHA } from '../git/objects.ts';
import type { Repository, Thread } from '../world/world-model.ts';
import { toCheckSuite } from '../render/to-check-run.ts';
import { recordActivity } from './activity.ts';
import { moveReviewLines } from './review-lines.ts';
import {
  appendEvent,
  closeByKeywords,
  emitThread,
  setState,
  touch,
  type Deed,
} from '../threads.ts';
import { installationCovers, nextId, nowIso, type World } from '../world/world.ts';
import { type RefMove, pushedCommits, toPush } from './push-payload.ts';

/** Tells everyone about refs that have already moved. */
export async function announceMoves(deed: Deed, moves: readonly RefMove[]): Promise<void> {
  for (const move of moves) await announceMove(deed, move);
}

/** The moves between two readings of a repository's refs. */
function movesBetween(before: Map<string, string>, after: Map<string, string>): RefMove[] {
  const refs = new Set([...before.keys(), ...after.keys()]);
  return [...refs].flatMap((ref) => {
    const from = before.get(ref) ?? ZERO_SHA;
    const to = after.get(ref) ?? ZERO_SHA;
    return from === to || ref.startsWith('refs/pull/') ? [] : [{ ref, from, to }];
  });
}

async function announceMove(deed: Deed, move: RefMove): Promise<void> {
  const { world, repository } = deed;
  repository.pushedAt = nowIso(world);
  const isBranch = move.ref.startsWith('refs/heads/');
  if (!isBranch && !move.ref.startsWith('refs/tags/')) return;
  emitCreateOrDelete(deed, move);
  await recordActivity(deed, move);
  const commits = await pushedCommits(repository, move);
  world.emit({
    event: 'push',
    repository,
    sender: deed.by,
    payload: await toPush(deed, move, commits),
  });
  if (!isBranch) return;
  const branch = move.ref.slice('refs/heads/'.length);
  if (move.to !== ZERO_SHA) requestSuites(deed, { branch, move });
  if (branch === repository.defaultBranch)
    for (const commit of commits) closeByKeywords(deed, commit.message, commit.sha);
  await followHeads(deed, { branch, move });
  await followBases(deed, { branch, move });
}

function emitCreateOrDelete(deed: Deed, move: RefMove): void {
  const isNew = move.from === ZERO_SHA;
  if (!isNew && move.to !== ZERO_SHA) return;
  const { repository } = deed;
  const isTag = move.ref.startsWith('refs/tags/');
  deed.world.emit({
    event: isNew ? 'create' : 'delete',
    repository,
    sender: deed.by,
    payload: {
      ref: move.ref.replace(/^refs\/(?:heads|tags)\//, ''),
      ref_type: isTag ? 'tag' : 'branch',
      pusher_type: 'user',
      ...(isNew
        ? { master_branch: repository.defaultBranch, description: repository.description }
        : {}),
    },
  });
}

/**
 * Every App with `checks: write` gets a check suite for each pushed commit, unless it was switched off.
 *
 * @see https://github.com/petry-projects/.github/pull/195
 */
function requestSuites(deed: Deed, at: { branch: string; move: RefMove }): void {
  const { world, repository } = deed;
  for (const installation of world.state.installations.values()) {
    if (
      installation.permissions['checks'] !== 'write' ||
      !installationCovers(installation, repository) ||
      repository.appsWithoutSuites?.has(installation.appId) === true
    )
      continue;
    const time = nowIso(world);
    const suite = {
      id: nextId(world),
      appId: installation.appId,
      headSha: at.move.to,
      headBranch: at.branch,
      createdAt: time,
      updatedAt: time,
    };
    repository.checkSuites.push(suite);
    world.emit({
      event: 'check_suite',
      action: 'requested',
      repository,
      installation,
      sender: deed.by,
      payload: { check_suite: toCheckSuite(world, repository, suite) },
    });
  }
}

function openPulls(world: World): { repository: Repository; thread: Thread }[] {
  return [...world.state.repositories.values()].flatMap((repository) =>
    [...repository.threads.values()]
      .filter((thread) => thread.pull !== undefined && thread.state === 'open')
      .map((thread) => ({ repository, thread })),
  );
}

/** Pull requests whose head branch moved are synchronised; one whose branch is gone is closed. */
async function followHeads(deed: Deed, at: { branch: string; move: RefMove }): Promise<void> {
  const { world, repository } = deed;
  for (const found of openPulls(world)) {
    const pull = found.thread.pull;
    if (pull?.headRepositoryId !== repository.id || pull.headRef !== at.branch) continue;
    const own = { ...deed, repository: found.repository };
    if (at.move.to === ZERO_SHA) {
      setState(own, found.thread, { state: 'closed' });
      continue;
    }
    const from = pull.headSha;
    await fetchHead(found.repository, repository, at.move.to);
    pull.headSha = at.move.to;
    await keepHead(found.repository, found.thread);
    await moveReviewLines(found.repository, found.thread, { from, to: at.move.to });
    touch(own, found.thread);
    if (
      at.move.from !== ZERO_SHA &&
      !(await isAncestor(repository.gitDir, at.move.from, at.move.to))
    )
      appendEvent(own, found.thread, { event: 'head_ref_force_pushed', commitId: at.move.to });
    emitThread(own, found.thread, {
      action: 'synchronize',
      more: { before: at.move.from, after: at.move.to },
    });
  }
}

/** The commits of a fork are here before anybody asks for their diff. */
export async function fetchHead(
  repository: Repository,
  head: Repository,
  sha: string,
): Promise<void> {
  if (head.id !== repository.id) await fetchInto(repository.gitDir, head.gitDir, [sha]);
}

/** GitHub keeps the head of each pull request under `refs/pull/{n}/head`, forks' included. */
export async function keepHead(repository: Repository, thread: Thread): Promise<void> {
  const ref = `refs/pull/${thread.number}/head`;
  await updateRef(repository.gitDir, ref, { to: thread.pull?.headSha ?? '' });
}

/** A pull request whose head is now part of its base counts as merged. */
async function followBases(deed: Deed, at: { branch: string; move: RefMove }): Promise<void> {
  if (at.move.to === ZERO_SHA) return;
  for (const thread of deed.repository.threads.values()) {
    const pull = thread.pull;
    if (pull === undefined || thread.state !== 'open' || pull.baseRef !== at.branch) continue;
    if (await isAncestor(deed.repository.gitDir, pull.headSha, at.move.to))
      markMerged(deed, thread, { sha: at.move.to });
    else pull.baseSha = at.move.to;
  }
}

/** Closes a pull request as merged and, on the default branch, the issues that it names. */
export function markMerged(deed: Deed, thread: Thread, at: { sha: string }): void {
  const { pull } = thread;
  if (pull === undefined || pull.merged) return;
  pull.merged = true;
  if (pull.autoMerge !== undefined) appendEvent(deed, thread, { event: 'auto_merge_enabled' });
  delete pull.autoMerge;
  pull.mergedAt = nowIso(deed.world);
  pull.mergedById = deed.by.id;
  pull.mergeCommitSha = at.sha;
  appendEvent(deed, thread, { event: 'merged', commitId: at.sha });
  setState(deed, thread, { state: 'closed', commitId: at.sha });
  if (pull.baseRef === deed.repository.defaultBranch)
    closeByKeywords(deed, `${thread.title}\n${thread.body ?? ''}`, at.sha);
}

/** Reads the refs, lets `change` move some, and announces what moved. */
export async function withAnnouncement<T>(deed: Deed, change: () => Promise<T>): Promise<T> {
  const before = await readRefs(deed.repository.gitDir);
  const result = await change();
  await announceMoves(deed, movesBetween(before, await readRefs(deed.repository.gitDir)));
  return result;
}
