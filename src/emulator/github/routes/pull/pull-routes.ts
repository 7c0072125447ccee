/** Operations on pull requests: list, read, create, update, files, commits, merge and reviewers. */
import { z } from 'zod';
import { hasPermission } from '../../../../domain/run/thread-ref.ts';
import { rawDiff } from '../../git/compare-revisions.ts';
import { mergeBase, readRef } from '../../git/objects.ts';
import { HttpError, invalid } from '../../behave/http-error.ts';
import type { Pull, Repository, Thread } from '../../world/world-model.ts';
import { refuseDrafts } from '../../world/free-plan.ts';
import { reads, writes } from '../../world/permissions.ts';
import { comparePull, pullOf, readFacts, refuseLargeDiff } from '../../changes/compare-pull.ts';
import { fetchHead, keepHead } from '../../changes/pushes.ts';
import { toCommit, toFile } from '../../render/to-commit.ts';
import { toFullPull, toPull } from '../../render/to-pull.ts';
import {
  created,
  renderListPage,
  ok,
  parseBody,
  threadParam,
  type Answer,
  type RepositoryCall,
  type Route,
} from '../../router.ts';
import * as threads from '../../threads.ts';
import { account, findRepository, fullName, nextId, roleOf } from '../../world/world.ts';
import { deedOf, editText } from '../issue-routes.ts';
import { selectThreads } from '../select-threads.ts';

export function pullParam(call: RepositoryCall): { thread: Thread; pull: Pull } {
  const thread = threadParam(call, 'pull_number');
  return { thread, pull: pullOf(thread) };
}

async function fullPull(call: RepositoryCall, thread: Thread): Promise<Record<string, unknown>> {
  const facts = await readFacts(call.repository, thread);
  return toFullPull(call.world, call.repository, { thread, facts });
}

function listPulls(call: RepositoryCall): Promise<Answer> {
  const head = call.query.get('head');
  const base = call.query.get('base');
  const chosen = selectThreads(call, call.repository.threads.values()).filter(({ pull }) => {
    if (pull === undefined || (base !== null && pull.baseRef !== base)) return false;
    return head === null || head === headLabel(call, pull);
  });
  return renderListPage(call, chosen, (thread) => toPull(call.world, call.repository, thread));
}

export function headLabel(call: RepositoryCall, pull: Pull): string {
  const owner = call.world.state.repositories.get(pull.headRepositoryId)?.ownerId;
  return `${owner === undefined ? '' : account(call.world, owner).login}:${pull.headRef}`;
}

const NewPull = z.looseObject({
  title: z.string().optional(),
  head: z.string(),
  head_repo: z.string().optional(),
  base: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().optional(),
  issue: z.number().optional(),
});

/** `branch`, `owner:branch`, or a fork named by `head_repo`. */
function headOf(
  call: RepositoryCall,
  body: z.infer<typeof NewPull>,
): { repository: Repository; ref: string } {
  const [first = '', ...rest] = body.head.split(':');
  const ref = rest.length === 0 ? first : rest.join(':');
  const owner = rest.length === 0 ? undefined : first;
  const own = fullName(call.world, call.repository);
  const wanted = owner === undefined ? own : `${owner}/${body.head_repo ?? call.repository.name}`;
  const repository = findRepository(call.world, wanted);
  if (repository === undefined)
    throw invalid({ resource: 'PullRequest', field: 'head', code: 'invalid' });
  return { repository, ref };
}

export async function branchSha(
  repository: Repository,
  ref: string,
  field: string,
): Promise<string> {
  const sha = await readRef(repository.gitDir, `refs/heads/${ref}`);
  if (sha === undefined) throw invalid({ resource: 'PullRequest', field, code: 'invalid' });
  return sha;
}

async function createPull(call: RepositoryCall): Promise<Answer> {
  const { repository } = call;
  const body = parseBody(call, NewPull);
  const head = headOf(call, body);
  refuseHead(call, head.repository);
  const baseSha = await branchSha(repository, body.base, 'base');
  const headSha = await branchSha(head.repository, head.ref, 'head');
  await fetchHead(repository, head.repository, headSha);
  // From here to the new thread nothing waits, so that of two requests at once one is refused.
  refuseTwin(call, { head, base: body.base });
  if (body.draft === true) refuseDrafts(call.world, repository);
  if (baseSha === headSha)
    throw invalid({
      resource: 'PullRequest',
      code: 'custom',
      message: `No commits between ${body.base} and ${body.head}`,
    });
  const thread = threads.createThread(deedOf(call), {
    title: body.title ?? '',
    body: body.body ?? null,
    labels: [],
    assigneeIds: [],
    pull: newPull(call, {
      headRepositoryId: head.repository.id,
      headRef: head.ref,
      headSha,
      baseRef: body.base,
      baseSha,
      draft: body.draft ?? false,
    }),
  });
  await keepHead(repository, thread);
  return created(await fullPull(call, thread));
}

type Sides = Pick<
  Pull,
  'headRepositoryId' | 'headRef' | 'headSha' | 'baseRef' | 'baseSha' | 'draft'
>;

function newPull(call: RepositoryCall, sides: Sides): Pull {
  return {
    id: nextId(call.world),
    ...sides,
    merged: false,
    mergedAt: undefined,
    mergedById: undefined,
    mergeCommitSha: undefined,
    requestedReviewerIds: [],
    requestedTeams: new Set(),
    reviews: [],
    reviewComments: [],
  };
}

/** A person opens a pull request only from a branch that they may write. */
function refuseHead(call: RepositoryCall, head: Repository): void {
  if (call.actor.kind !== 'user') return;
  if (hasPermission(roleOf(call.world, head, call.actor.user.id), 'write')) return;
  throw new HttpError(403, 'Must have push access to the head branch');
}

function refuseTwin(
  call: RepositoryCall,
  at: { head: { repository: Repository; ref: string }; base: string },
): void {
  for (const thread of call.repository.threads.values()) {
    const { pull } = thread;
    if (pull === undefined || thread.state !== 'open' || pull.baseRef !== at.base) continue;
    if (pull.headRepositoryId !== at.head.repository.id || pull.headRef !== at.head.ref) continue;
    const owner = account(call.world, at.head.repository.ownerId).login;
    throw invalid({
      resource: 'PullRequest',
      code: 'custom',
      message: `A pull request already exists for ${owner}:${at.head.ref}.`,
    });
  }
}

const PullChange = z.looseObject({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  base: z.string().optional(),
});

async function updatePull(call: RepositoryCall): Promise<Answer> {
  const body = parseBody(call, PullChange);
  const { thread, pull } = pullParam(call);
  const deed = deedOf(call);
  refuseOther(call, thread);
  editText(deed, thread, { title: body.title, body: body.body });
  if (body.base !== undefined && body.base !== pull.baseRef) {
    const from = { ref: pull.baseRef, sha: pull.baseSha };
    pull.baseSha = await branchSha(call.repository, body.base, 'base');
    pull.baseRef = body.base;
    threads.appendEvent(deed, thread, { event: 'base_ref_changed' });
    threads.emitThread(deed, thread, {
      action: 'edited',
      more: { changes: { base: { ref: { from: from.ref }, sha: { from: from.sha } } } },
    });
  }
  if (body.state !== undefined) {
    if (body.state === 'open' && pull.merged)
      throw invalid({
        resource: 'PullRequest',
        code: 'invalid',
        field: 'state',
        message: 'state cannot be changed. The pull request was merged.',
      });
    threads.setState(deed, thread, { state: body.state });
  }
  return ok(await fullPull(call, thread));
}

function refuseOther(call: RepositoryCall, thread: Thread): void {
  if (call.actor.kind !== 'user' || thread.userId === call.actor.user.id) return;
  if (!hasPermission(roleOf(call.world, call.repository, call.actor.user.id), 'write'))
    throw new HttpError(403, 'Must have push access to repository');
}

async function getPull(call: RepositoryCall): Promise<Answer> {
  const { thread, pull } = pullParam(call);
  const format = /application\/vnd\.github\.(?:v3\.)?(diff|patch)/.exec(call.accept)?.[1];
  if (format !== 'diff' && format !== 'patch') return ok(await fullPull(call, thread));
  const { gitDir } = call.repository;
  const from = (await mergeBase(gitDir, pull.baseSha, pull.headSha)) ?? pull.baseSha;
  return {
    status: 200,
    body: refuseLargeDiff(await rawDiff(gitDir, { from, to: pull.headSha }, format)),
    headers: { 'content-type': `application/vnd.github.v3.${format}; charset=utf-8` },
  };
}

/** GitHub lists at most 3,000 files. */
const MAX_FILES = 3000;

async function listFiles(call: RepositoryCall): Promise<Answer> {
  const { thread, pull } = pullParam(call);
  const { files } = await comparePull(call.repository, thread);
  return renderListPage(call, files.slice(0, MAX_FILES), (file) =>
    toFile(call.world, call.repository, { file, sha: pull.headSha }),
  );
}

/** GitHub lists at most 250 commits. */
const MAX_COMMITS = 250;

async function listCommits(call: RepositoryCall): Promise<Answer> {
  const { commits } = await comparePull(call.repository, pullParam(call).thread);
  return renderListPage(call, commits.slice(0, MAX_COMMITS), (commit) =>
    toCommit(call.world, call.repository, commit),
  );
}

const PULLS = '/repos/{owner}/{repo}/pulls';

const ONE = `${PULLS}/{pull_number}`;

const READ = reads('pull_requests');

export const pullRoutes: Route[] = [
  { method: 'GET', path: PULLS, need: READ, run: listPulls },
  {
    method: 'POST',
    path: PULLS,
    need: writes('read', 'pull_requests'),
    isContent: true,
    run: createPull,
  },
  { method: 'GET', path: ONE, need: READ, run: getPull },
  { method: 'PATCH', path: ONE, need: writes('read', 'pull_requests'), run: updatePull },
  { method: 'GET', path: `${ONE}/files`, need: READ, run: listFiles },
  { method: 'GET', path: `${ONE}/commits`, need: READ, run: listCommits },
];
