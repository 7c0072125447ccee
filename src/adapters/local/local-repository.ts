/** A directory on this machine in the place of GitHub: real files, one issue in memory, writes told and not sent. */
import { resolve } from 'node:path';
import { RefusedError } from '../../domain/event/errors.ts';
import type { Actor, RepositoryRef, ThreadRef } from '../../domain/run/thread-ref.ts';
import type { IssueView, SourceFile } from '../../domain/run/view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { GitHub } from '../../ports/github/github.ts';
import type { GitHubApp } from '../../ports/github/github-app.ts';
import type { GitHubCode } from '../../ports/github/github-code.ts';
import type { GitHubHistory } from '../../ports/github/github-history.ts';
import type { GitHubReader } from '../../ports/github/github-reader.ts';
import { openGitTree } from './git-tree.ts';
import { openPlainTree } from './plain-tree.ts';
import { createLocalWriter, type LocalThread } from './local-thread.ts';
import type { WorkingTree } from './working-tree.ts';

export interface LocalRepositoryOptions {
  dir: string;
  /** In place of what `dir` holds. */
  tree?: WorkingTree;
  clock: Clock;
  issue: { number: number; title: string; body: string; labels?: string[] };
  /** Signs the markers, as on GitHub. */
  markerSecret: string;
  /** What the team wanted done, once for each change. */
  onWrite(change: LocalChange): void;
}

export type LocalChange =
  /** `isNotice`: it only tells somebody of another comment. */
  | { kind: 'comment'; id: number; outcome: 'created' | 'edited'; body: string; isNotice?: true }
  | { kind: 'labels'; add: string[]; remove: string[] }
  | { kind: 'reaction'; content: string }
  | { kind: 'closed'; reason: string }
  | { kind: 'check'; name: string; conclusion: string; title: string };

export interface LocalRepository {
  github: GitHub;
  /** The issue that was given. */
  thread: ThreadRef;
}

/** Installation and repository have no ids here. */
const INSTALLATION = 0;
const REPOSITORY_ID = 1;
const SELF: Actor = { id: 1, login: 'quorum[bot]', isBot: true };
const OWNER_ID = 2;
/** As many as GitHub lists on one page. */
const MAX_COMMITS = 100;

/**
 * Opens a directory: git's HEAD in a repository, otherwise the files on disk.
 *
 * @throws what the file system throws for an unreadable directory
 */
export async function openLocalRepository(
  options: LocalRepositoryOptions,
): Promise<LocalRepository> {
  const dir = resolve(options.dir);
  const tree = options.tree ?? (await openGitTree(dir)) ?? (await openPlainTree(dir));
  const [owner = 'local', repo = 'directory'] = tree.fullName.split('/');
  const ref: ThreadRef = {
    installationId: INSTALLATION,
    repositoryId: REPOSITORY_ID,
    owner,
    repo,
    number: options.issue.number,
  };
  const thread: LocalThread = {
    ref,
    state: 'open',
    labels: new Set(options.issue.labels),
    reactions: new Set(),
    comments: [],
    updatedAt: new Date(options.clock.now()).toISOString(),
  };
  const read = createLocalReader({
    tree,
    thread,
    issue: options.issue,
    createdAt: thread.updatedAt,
  });
  const write = createLocalWriter({ ...options, thread, self: SELF });
  return {
    thread: ref,
    github: {
      app: createLocalApp(thread),
      accountHost: 'github.com',
      at: () => ({
        read,
        survey: {
          issue: async () => undefined,
          milestones: async () => undefined,
          person: async () => undefined,
        },
        history: createLocalHistory(tree),
        code: createLocalCode(tree),
        write,
        counts: {},
      }),
      forget: () => undefined,
    },
  };
}

function createLocalHistory(tree: WorkingTree): GitHubHistory {
  return {
    commits: async (_, at) => {
      const commits = await tree.commits(at.path, MAX_COMMITS);
      return { commits, isCut: commits.length >= MAX_COMMITS };
    },
    // A checkout knows neither comments nor pull requests.
    editor: async () => undefined,
    broughtIn: async () => undefined,
  };
}

function createLocalCode(tree: WorkingTree): GitHubCode {
  return {
    texts: async (_ref, _sha, { paths, maxBytes, totalBytes }) => {
      const found: SourceFile[] = [];
      let bytes = 0;
      for (const path of paths) {
        const file = await tree.file(path, maxBytes);
        bytes += Buffer.byteLength(file?.text ?? '');
        if (bytes > totalBytes) break;
        if (file !== undefined) found.push(file);
      }
      return found;
    },
    blobs: () => Promise.resolve(new Map()),
    ownIssues: () => Promise.resolve([]),
    threads: () => Promise.resolve([]),
  };
}

interface ReaderParts {
  tree: WorkingTree;
  thread: LocalThread;
  issue: LocalRepositoryOptions['issue'];
  createdAt: string;
}

function createLocalReader(parts: ReaderParts): GitHubReader {
  const { tree, thread } = parts;
  return {
    repository: async (ref) => {
      refuseOthers(ref, thread.ref);
      return {
        fullName: tree.fullName,
        isPrivate: true,
        isArchived: false,
        defaultBranch: tree.branch,
        headSha: tree.headSha,
      };
    },
    issue: async (ref) => toIssue(parts, ref),
    comments: async (_ref, limit) =>
      thread.comments.slice(-limit).map((comment) => ({ ...comment })),
    permission: async (_ref, user) => (user.id === OWNER_ID ? 'admin' : 'none'),
    paths: async (_ref, _sha, limit) => ({
      paths: tree.paths.slice(0, limit),
      isCut: tree.paths.length > limit,
    }),
    files: async (_ref, _sha, want) => {
      const files = await Promise.all(want.paths.map((path) => tree.file(path, want.maxBytes)));
      return files.filter((file) => file !== undefined);
    },
    pastIssues: (_ref, limit) => tree.pastIssues(limit),
  };
}

/** An organisation's settings and the base of a configuration are on GitHub: this directory is neither. */
function refuseOthers({ owner, repo }: RepositoryRef, own: RepositoryRef): void {
  if (owner === own.owner && repo === own.repo) return;
  throw new RefusedError({
    code: 'github-not-found',
    message: `${owner}/${repo} is not on this machine.`,
  });
}

function toIssue(parts: ReaderParts, ref: ThreadRef): IssueView['issue'] {
  const { issue, thread, tree, createdAt } = parts;
  if (ref.number !== issue.number) {
    throw new RefusedError({
      code: 'github-not-found',
      message: `There is no #${ref.number} here: only #${issue.number} was given.`,
    });
  }
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: thread.state,
    isLocked: false,
    isPull: false,
    author: { id: OWNER_ID, login: tree.user, isBot: false },
    authorPermission: 'admin',
    labels: [...thread.labels],
    assignees: [],
    url: `local:${issue.number}`,
    createdAt,
    updatedAt: thread.updatedAt,
  };
}

function createLocalApp(thread: LocalThread): GitHubApp {
  const { installationId, repositoryId, owner, repo } = thread.ref;
  return {
    self: async () => SELF,
    installations: async () => [{ installationId, account: owner, isSuspended: false }],
    repositories: async () => [{ installationId, repositoryId, owner, repo }],
    events: () => Promise.resolve(undefined),
    labelled: async (_ref, labels) => {
      const isWanted = thread.state === 'open' && labels.some((label) => thread.labels.has(label));
      if (!isWanted) return [];
      const { ref, updatedAt } = thread;
      return [{ thread: ref, labels: [...thread.labels], updatedAt, labelledBy: undefined }];
    },
    recent: async () => ({ pulls: [], comments: [] }),
    redeliverFailed: async () => 0,
  };
}
