/** Reads of one session, in our words. */
import { ConflictError, QuorumError, RefusedError } from '../../../domain/event/errors.ts';
import {
  threadName,
  type Permission,
  type RepositoryRef,
  type ThreadRef,
} from '../../../domain/run/thread-ref.ts';
import type { IssueView, PastIssue } from '../../../domain/run/view.ts';
import type {
  CommentFacts,
  GitHubReader,
  RepositoryFacts,
} from '../../../ports/github/github-reader.ts';
import type { SessionContext } from '../bound.ts';
import { assertLasting, settleDoubt } from '../cache/doubts.ts';
import { isEventuallyConsistent, isNotFound } from '../client/github-failure.ts';
import { eachPage, newestPages, PER_PAGE } from '../client/pages.ts';
import type { Person } from '../../../ports/github/github-survey.ts';
import type { Place } from '../repository-locator.ts';
import { readFiles } from './read-files.ts';
import {
  GET_ISSUE,
  GET_PERMISSION,
  GET_REF,
  LIST_COMMENTS,
  LIST_ISSUES,
  type WireComment,
  type WireIssue,
} from '../rest-operations.ts';
import { isPull, toActor, toIssueView, toPastIssue, toPermission } from './to-domain.ts';

/** When an object that was just announced is read again before it counts as missing: GitHub's copies lag behind its webhooks. */
const LAG_MS = [300, 1_200];

export function createReader(bound: SessionContext): GitHubReader {
  const { calls, places, trees } = bound;
  return {
    repository: (ref) => readRepository(bound, ref),
    issue: (ref) => readIssue(bound, ref),
    comments: (ref, limit) => readComments(bound, ref, limit),
    permission: (ref, user) => readPermission(bound, ref, user),
    paths: async (ref, sha, limit) => {
      const tree = await trees.at({ ...ref, sha }, places.last(ref), calls);
      const paths = tree.files.keys().take(limit).toArray();
      return { paths, isCut: tree.isCut || tree.files.size > limit };
    },
    files: (ref, sha, want) => readFiles(bound, { ...ref, sha }, want),
    pastIssues: (ref, limit) => readPastIssues(bound, ref, limit),
  };
}

async function readRepository(bound: SessionContext, ref: RepositoryRef): Promise<RepositoryFacts> {
  const data = await bound.places.read(ref, bound.calls);
  const params = { ...bound.places.last(ref), ref: `heads/${data.default_branch}` };
  const tip = await findTip(bound, params);
  return {
    fullName: data.full_name,
    isPrivate: data.private,
    isArchived: data.archived,
    defaultBranch: data.default_branch,
    headSha: tip,
    host: bound.host,
    ...(data.has_issues === false && { hasNoIssues: true }),
  };
}

/** An empty repository answers 409, an unborn branch 404. */
async function findTip(bound: SessionContext, params: Place & { ref: string }): Promise<string> {
  try {
    const tip = await bound.calls.find(GET_REF, { ...params });
    return tip?.data.object.sha ?? '';
  } catch (error) {
    if (error instanceof ConflictError) return '';
    throw error;
  }
}

async function readIssue(bound: SessionContext, ref: ThreadRef): Promise<IssueView['issue']> {
  const data = await readAnnounced(bound, ref);
  await assertHere(bound, ref, data);
  const author = toActor(data.user);
  const permission = author.isBot ? 'none' : await readPermission(bound, ref, author);
  return toIssueView(data, permission);
}

function readAnnounced(bound: SessionContext, ref: ThreadRef): Promise<WireIssue> {
  const name = `issue/${ref.repositoryId}/${ref.number}`;
  return readLagging(bound, { name, mayPass: isNotFoundYet }, async () => {
    const params = { ...bound.places.last(ref), issue_number: ref.number };
    return (await bound.calls.get(GET_ISSUE, params)).data;
  });
}

function isNotFoundYet(error: unknown): boolean {
  return isNotFound(error) && isEventuallyConsistent(error);
}

/** Throws `github-lagging` for a refusal that not all of GitHub's copies may share yet, until it has lasted. */
async function readLagging<T>(
  bound: SessionContext,
  { name, mayPass }: { name: string; mayPass: (error: unknown) => boolean },
  read: () => Promise<T>,
): Promise<T> {
  try {
    const found = await read();
    settleDoubt(bound, name);
    return found;
  } catch (error) {
    if (mayPass(error)) assertLasting(bound, { name, againAtMs: LAG_MS });
    throw error;
  }
}

/** A transferred issue answers from its new repository; a renamed repository is still the same one. */
async function assertHere(bound: SessionContext, ref: ThreadRef, data: WireIssue): Promise<void> {
  const isHere = (): boolean => {
    const { owner, repo } = bound.places.last(ref);
    return (data.repository_url ?? `/${owner}/${repo}`)
      .toLowerCase()
      .endsWith(`/${owner}/${repo}`.toLowerCase());
  };
  if (data.number !== ref.number) throw moved(ref);
  if (isHere()) return;
  await bound.places.read(ref, bound.calls);
  if (!isHere()) throw moved(ref);
}

function moved(ref: ThreadRef): RefusedError {
  return new RefusedError({
    code: 'github-moved',
    message: `${threadName(ref)} was transferred to another repository.`,
    details: 'Nothing is written there. Start again in the new repository.',
  });
}

async function readComments(
  bound: SessionContext,
  ref: ThreadRef,
  limit: number,
): Promise<CommentFacts[]> {
  const params = { ...bound.places.last(ref), issue_number: ref.number, per_page: PER_PAGE };
  let found: WireComment[] = [];
  for await (const page of newestPages(bound.calls, LIST_COMMENTS, params)) {
    found = [...page, ...found];
    if (found.length >= limit) break;
  }
  const newest = limit > 0 ? found.slice(-limit) : [];
  return Promise.all(newest.map((comment) => toComment(bound, comment)));
}

async function toComment(bound: SessionContext, data: WireComment): Promise<CommentFacts> {
  return {
    id: data.id,
    author: toActor(data.user),
    body: data.body,
    createdAt: data.created_at,
    updatedAt: data.updated_at,
    isOurs: await bound.identity.isOurText(data),
    ...(data.reactions && { thumbs: { up: data.reactions['+1'], down: data.reactions['-1'] } }),
  };
}

/** Only a lasting refusal means no permission: a server that does not know a person yet must not refuse them. */
export async function readPermission(
  bound: SessionContext,
  ref: RepositoryRef,
  user: { id: number; login: string },
): Promise<Permission> {
  const params = { ...bound.places.last(ref), username: user.login };
  try {
    const name = `permission/${ref.repositoryId}/${user.id}`;
    const { data } = await readLagging(bound, { name, mayPass: isEventuallyConsistent }, () =>
      bound.calls.get(GET_PERMISSION, params),
    );
    // The login may belong to another account now.
    return data.user?.id === user.id ? toPermission(data) : 'none';
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return 'none';
    throw error;
  }
}

/** Undefined where nobody has the login, or GitHub does not tell. */
export async function readPerson(
  bound: SessionContext,
  ref: RepositoryRef,
  login: string,
): Promise<Person | undefined> {
  const params = { ...bound.places.last(ref), username: login };
  try {
    const { data } = await bound.calls.get(GET_PERMISSION, params);
    if (data.user === undefined || data.user === null) return undefined;
    const { id } = data.user;
    return { id, login: data.user.login, permission: toPermission(data) };
  } catch (error) {
    if (error instanceof QuorumError && !error.retryable) return undefined;
    throw error;
  }
}

async function readPastIssues(
  bound: SessionContext,
  ref: RepositoryRef,
  limit: number,
): Promise<PastIssue[]> {
  const params = {
    ...bound.places.last(ref),
    state: 'all',
    sort: 'updated',
    direction: 'desc',
    per_page: PER_PAGE,
  };
  const found: PastIssue[] = [];
  for await (const page of eachPage(bound.calls, LIST_ISSUES, params)) {
    found.push(...page.filter((issue) => !isPull(issue)).map((issue) => toPastIssue(issue)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}
