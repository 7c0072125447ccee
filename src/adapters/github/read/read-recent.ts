/** What was opened, pushed or said in a repository lately, from lists at fixed addresses: unchanged ones cost nothing. */
import { z } from 'zod';
import { QuorumError, toFailure, type Failure } from '../../../domain/event/errors.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type {
  RecentActivity,
  RecentComment,
  RecentPull,
} from '../../../ports/github/github-app.ts';
import type { Identity } from '../identity.ts';
import type { Calls } from '../installation-client.ts';
import type { GitHubLog } from '../client/github-options.ts';
import { operation, Text, User, type Operation } from '../rest-operations.ts';
import { eachPage } from '../client/pages.ts';
import { toRepositoryPlace } from '../repository-locator.ts';
import { toActor } from './to-domain.ts';

/** Small pages: each repository's are kept to be compared with. */
const PER_PAGE = 30;
/** So many pages of a list are read when they are all new. */
const MAX_PAGES = 10;

const Author = {
  user: User.nullish(),
  performed_via_github_app: z.object({ id: z.number() }).nullish(),
};

const Pull = z.object({
  id: z.number(),
  number: z.number(),
  draft: z.boolean().default(false),
  head: z.object({ sha: z.string() }),
  created_at: z.string(),
  updated_at: z.string(),
  ...Author,
});

const said = {
  id: z.number(),
  body: Text,
  created_at: z.string(),
  updated_at: z.string(),
  ...Author,
};
const Comment = z.object({ ...said, issue_url: z.string() });
const DiffComment = z.object({ ...said, pull_request_url: z.string() });

const REPO = '/repos/{owner}/{repo}';
const PULLS = slim(operation(`GET ${REPO}/pulls`, z.array(Pull)));
const COMMENTS = slim(operation(`GET ${REPO}/issues/comments`, z.array(Comment)));
const DIFF_COMMENTS = slim(operation(`GET ${REPO}/pulls/comments`, z.array(DiffComment)));

function slim<T>(list: Operation<T>): Operation<T> {
  return { ...list, isSlim: true };
}

export interface RecentParts {
  calls: Calls;
  identity: Identity;
  log: GitHubLog;
}

/** Without what we wrote ourselves. */
export async function readRecent(
  parts: RecentParts,
  ref: RepositoryRef,
  since: string,
): Promise<RecentActivity> {
  const at = { ...toRepositoryPlace(ref), direction: 'desc', per_page: PER_PAGE };
  const byChange = { ...at, sort: 'updated', state: 'open' };
  const byTime = { ...at, sort: 'created' };
  const pulls = await readSince(parts, PULLS, {
    params: byChange,
    isIn: ({ updated_at: time }) => isSince(time, since),
  });
  const isNew = ({ created_at: time }: { created_at: string }): boolean => isSince(time, since);
  const comments = await readSince(parts, COMMENTS, { params: byTime, isIn: isNew });
  const onDiffs = await readSince(parts, DIFF_COMMENTS, { params: byTime, isIn: isNew });
  const unread = pulls.unread ?? comments.unread ?? onDiffs.unread;
  return {
    pulls: pulls.found.map(toPull),
    comments: [
      ...comments.found.map((one) => toComment(one, 'thread', one.issue_url)),
      ...onDiffs.found.map((one) => toComment(one, 'review', one.pull_request_url)),
    ],
    ...(unread && { unread }),
  };
}

function isSince(time: string, since: string): boolean {
  return Date.parse(time) >= Date.parse(since);
}

type Authored = Pick<z.infer<typeof Pull>, 'user' | 'performed_via_github_app'>;

interface ReadList<T> {
  found: T[];
  /** Why it was not read to its end. */
  unread?: Failure;
}

/** Newest first, down to the first that is older. A list that fails takes nothing from the others. */
async function readSince<T extends Authored>(
  { calls, identity, log }: RecentParts,
  list: Operation<T[]>,
  { params, isIn }: { params: Record<string, unknown>; isIn: (one: T) => boolean },
): Promise<ReadList<T>> {
  const found: T[] = [];
  let unread: Failure | undefined;
  let pages = 0;
  try {
    for await (const page of eachPage(calls, list, params)) {
      const wanted = page.filter(isIn);
      found.push(...wanted);
      pages += 1;
      if (wanted.length < page.length || pages === MAX_PAGES) break;
    }
  } catch (error) {
    if (!(error instanceof QuorumError)) throw error;
    unread = toFailure(error);
    log.info({ route: list.route, code: error.code }, 'a list of recent activity was not readable');
  }
  const isOurs = await Promise.all(found.map((one) => identity.isOurs(one)));
  return { found: found.filter((_, at) => isOurs[at] !== true), ...(unread && { unread }) };
}

function toPull(one: z.infer<typeof Pull>): RecentPull {
  return {
    id: one.id,
    number: one.number,
    author: one.user ? toActor(one.user) : undefined,
    headSha: one.head.sha,
    isDraft: one.draft,
    createdAt: one.created_at,
    updatedAt: one.updated_at,
  };
}

/** @param url - of the issue or pull request, which ends with its number */
function toComment(
  one: Pick<z.infer<typeof Comment>, 'id' | 'body' | 'created_at' | 'updated_at'> & Authored,
  place: RecentComment['place'],
  url: string,
): RecentComment {
  const appId = one.performed_via_github_app?.id;
  return {
    id: one.id,
    place,
    number: Number(url.split('/').at(-1)),
    author: one.user ? toActor(one.user) : undefined,
    ...(appId === undefined ? {} : { appId }),
    body: one.body,
    createdAt: one.created_at,
    updatedAt: one.updated_at,
  };
}
