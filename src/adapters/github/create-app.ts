/** What the App itself may do: who it is, where it is installed, what carries a label, what was not delivered. */
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { GitHubApp, LabelledThread } from '../../ports/github/github-app.ts';
import type { Clock } from '../../ports/clock.ts';
import { isNotFound } from './client/github-failure.ts';
import { findLabeller } from './read/history.ts';
import type { Identity } from './identity.ts';
import type { Calls } from './installation-client.ts';
import type { GitHubLog } from './client/github-options.ts';
import {
  GET_REPOSITORY_INSTALLATION,
  LIST_INSTALLATIONS,
  LIST_ISSUES,
  LIST_OWN_REPOSITORIES,
  LIST_REPOSITORIES,
  type WireIssue,
} from './rest-operations.ts';
import { eachPage, PER_PAGE } from './client/pages.ts';
import { toRepositoryPlace } from './repository-locator.ts';
import { readRecent } from './read/read-recent.ts';
import { redeliverFailed } from './redeliver.ts';

export interface AppParts {
  kind: 'app' | 'token';
  identity: Identity;
  /** As the App, or with the token. */
  own: Calls;
  of(installationId: number): Calls;
  clock: Clock;
  log: GitHubLog;
}

export function createGitHubApp(parts: AppParts): GitHubApp {
  const isApp = parts.kind === 'app';
  return {
    self: () => parts.identity.self(),
    installations: () => (isApp ? readInstallations(parts.own) : tokenInstallation(parts.identity)),
    repositories: (installationId) =>
      isApp ? readRepositories(parts, installationId) : readTokenRepositories(parts.own),
    events: async (ref) => {
      if (!isApp) return undefined;
      const found = await parts.own.find(GET_REPOSITORY_INSTALLATION, {
        ...toRepositoryPlace(ref),
      });
      return deliveredEvents(found?.data ?? {});
    },
    labelled: (ref, labels) => readLabelled(parts.of(ref.installationId), ref, labels),
    recent: (ref, since) =>
      readRecent({ ...parts, calls: parts.of(ref.installationId) }, ref, since),
    redeliverFailed: async (since) =>
      isApp ? redeliverFailed({ calls: parts.own, clock: parts.clock, log: parts.log }, since) : 0,
  };
}

interface Delivered {
  events?: string[] | undefined;
  permissions?: Record<string, unknown> | undefined;
}

/** GitHub delivers `merge_group` with its permission only, whatever was subscribed to: https://github.com/dcoapp/app/issues/303 */
function deliveredEvents({ events, permissions }: Delivered): string[] | undefined {
  const isHeard = permissions === undefined || permissions['merge_queues'] !== undefined;
  return isHeard ? events : events?.filter((event) => event !== 'merge_group');
}

type Installation = Awaited<ReturnType<GitHubApp['installations']>>[number];

async function readInstallations(calls: Calls): Promise<Installation[]> {
  const found: Installation[] = [];
  for await (const page of eachPage(calls, LIST_INSTALLATIONS, { per_page: PER_PAGE })) {
    for (const one of page) {
      const account = one.account?.login ?? one.account?.slug ?? '';
      found.push({ installationId: one.id, account, isSuspended: Boolean(one.suspended_at) });
    }
  }
  return found;
}

/** A token is no installation; it stands for one with the number 0. */
async function tokenInstallation(identity: Identity): Promise<Installation[]> {
  return [{ installationId: 0, account: (await identity.self()).login, isSuspended: false }];
}

/** None for an installation that is gone, and on a server without this list. */
async function readRepositories(parts: AppParts, installationId: number): Promise<RepositoryRef[]> {
  const found: RepositoryRef[] = [];
  const pages = eachPage(parts.of(installationId), LIST_REPOSITORIES, { per_page: PER_PAGE });
  try {
    for await (const { repositories } of pages)
      for (const one of repositories) found.push(toRef(installationId, one));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    parts.log.warn({ installationId }, 'the repositories of this installation are not told');
  }
  return found;
}

async function readTokenRepositories(calls: Calls): Promise<RepositoryRef[]> {
  const found: RepositoryRef[] = [];
  for await (const page of eachPage(calls, LIST_OWN_REPOSITORIES, { per_page: PER_PAGE }))
    for (const one of page) found.push(toRef(0, one));
  return found;
}

function toRef(
  installationId: number,
  one: { id: number; name: string; owner: { login: string } },
): RepositoryRef {
  return { installationId, repositoryId: one.id, owner: one.owner.login, repo: one.name };
}

/** One list for each label, because GitHub joins several by "and". A thread with two of them is reported once. */
async function readLabelled(
  calls: Calls,
  ref: RepositoryRef,
  labels: string[],
): Promise<LabelledThread[]> {
  const found = new Map<number, WireIssue>();
  for (const label of labels) {
    const query = { ...toRepositoryPlace(ref), state: 'open', labels: label };
    for await (const page of eachPage(calls, LIST_ISSUES, { ...query, per_page: PER_PAGE })) {
      for (const issue of page) found.set(issue.number, issue);
    }
  }
  const oldestFirst = [...found.values()].toSorted((a, b) => a.number - b.number);
  const threads: LabelledThread[] = [];
  for (const issue of oldestFirst) threads.push(await toLabelled(calls, { ref, issue, labels }));
  return threads;
}

async function toLabelled(
  calls: Calls,
  from: { ref: RepositoryRef; issue: WireIssue; labels: string[] },
): Promise<LabelledThread> {
  const { installationId, repositoryId, owner, repo } = from.ref;
  const thread = { installationId, repositoryId, owner, repo, number: from.issue.number };
  return {
    thread,
    labels: from.issue.labels,
    updatedAt: from.issue.updated_at,
    labelledBy: await findLabeller(calls, thread, from.labels),
  };
}
