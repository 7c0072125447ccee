/** GitHub through Octokit: one line per installation, with its own token, budget and memory. */
import type { CallCounts } from '../../domain/run/ledger.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { BuildSession, GitHubBuilds } from '../../ports/github/builds.ts';
import type { GitHubMemory, MemorySession } from '../../ports/github/memory-branch.ts';
import type { PullChanges } from '../../ports/github/pulls.ts';
import type { GitHubWork, WorkSession } from '../../ports/github/work.ts';
import { readPrivateKey } from './client/app-jwt.ts';
import { createGitHubApp } from './create-app.ts';
import type { SessionContext, KeptText } from './bound.ts';
import { createBudget } from './client/budget.ts';
import { createBuildReader } from './builds/build-reader.ts';
import {
  appCredentials,
  installationCredentials,
  tokenCredentials,
  type Credentials,
} from './client/credentials.ts';
import { createCode } from './read/read-code.ts';
import { createCoverage } from './read/coverage.ts';
import { createDispatches } from './dispatch/dispatches.ts';
import { createGitRemote } from './git-remote.ts';
import { createHistory } from './read/history.ts';
import { createLeases } from './write/ref-leases.ts';
import { createMemoryBranch } from './memory/memory-branch.ts';
import { createIdentity } from './identity.ts';
import { createKept } from './cache/kept.ts';
import { createLine } from './client/line.ts';
import { type Calls, type InstallationClient } from './installation-client.ts';
import { DEFAULT_BUDGETS, SILENT, type GitHubOptions } from './client/github-options.ts';
import { createPlaces } from './repository-locator.ts';
import { createPullReader } from './pulls/pull-reader.ts';
import { createPullWriter } from './pulls/pull-writer.ts';
import { createReadCache } from './cache/read-cache.ts';
import { createTeams } from './read/read-membership.ts';
import { createReader, readPerson } from './read/session-reader.ts';
import { createWriteCache } from './cache/recall.ts';
import { createKeyLocks } from './client/key-locks.ts';
import { fetchIssueSurvey } from './survey/issue.ts';
import { fetchMilestones } from './survey/milestones.ts';
import { createTrees } from './read/trees.ts';
import { accountHost } from './client/web-host.ts';
import { createWire } from './client/wire.ts';
import { createWorkReader } from './work/work-reader.ts';
import { createPlanWriter, createTaskPulls } from './work/work-writer.ts';
import { createWriter } from './write/session-writer.ts';

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_BASE_URL = 'https://api.github.com';
/** For what the looks of a run have in common; a diff of 100,000 lines is some 4 MB. */
const CHANGES_BYTES = 16_000_000;
const TEXTS_BYTES = 16_000_000;
/** Owner of what is read as the App itself or with a token. */
const OWN = 0;

/**
 * Opens GitHub with an App's key or a token. Nothing is asked before the first call.
 *
 * @throws ConfigError `github-private-key`
 */
export function createGitHub(options: GitHubOptions): GitHubWork & GitHubBuilds & GitHubMemory {
  const lines = createLines(options);
  const { clock, random, auth, markerSecret, isRecorded, jobSignatures, log = SILENT } = options;
  const places = createPlaces();
  const recall = createWriteCache();
  const own = lines.own.calls({});
  const of = (installationId: number): Calls => lines.of(installationId).calls({});
  const identity = createIdentity({ auth, isRecorded, jobSignatures, own, of });
  const coverage = createCoverage({ own: auth.kind === 'app' ? own : undefined, places, log });
  const shared = {
    appId: auth.kind === 'app' ? Number(auth.appId) : undefined,
    host: accountHost(options.baseUrl ?? DEFAULT_BASE_URL),
    identity,
    places,
    recall,
    clock,
    random,
    log,
    markerSecret,
    isJobToken: options.isJobToken ?? false,
    uncheckedHeads: new Set(options.uncheckedHead === undefined ? [] : [options.uncheckedHead]),
    jobSignatures,
    locks: createKeyLocks(),
    ...createReadCaches(),
  };
  const remotes = createGitRemote({
    apiUrl: options.baseUrl ?? DEFAULT_BASE_URL,
    credentialsOf: (ref) => lines.contentsOf(ref),
    nameOf: (ref) => fullNameOf({ ...shared, ref, calls: of(ref.installationId) }),
  });
  return {
    accountHost: shared.host,
    app: createGitHubApp({ kind: auth.kind, identity, clock, log, own, of }),
    at: (ref, signal) => {
      const counts: CallCounts = {};
      const bound: SessionContext = {
        ...shared,
        installationId: ref.installationId,
        calls: coverage.watch(ref, lines.of(ref.installationId).calls(counts, signal)),
      };
      return { ...createSession(bound), counts };
    },
    remote: (ref) => remotes.of(ref),
    forget: (installationId) => {
      for (const part of [lines, places, coverage, recall, remotes, shared.trees])
        part.forget(installationId);
      for (const kept of [shared.changes, shared.texts]) kept.forget(`${installationId}/`);
    },
  };
}

/** The name that it has now; in a job, the one that it had when the job read it first. */
async function fullNameOf({ places, ref, calls, isJobToken }: Naming): Promise<string> {
  const { owner, repo } = places.last(ref);
  if (isJobToken && places.knows(ref)) return `${owner}/${repo}`;
  return (await places.read(ref, calls)).full_name;
}

interface Naming extends Pick<SessionContext, 'places' | 'calls' | 'isJobToken'> {
  ref: RepositoryRef;
}

function createSession(
  bound: SessionContext,
): Omit<WorkSession & BuildSession & MemorySession, 'counts'> {
  return {
    read: createReader(bound),
    teams: createTeams(bound),
    survey: {
      issue: (ref, ask) => fetchIssueSurvey(bound, ref, ask),
      milestones: (ref) => fetchMilestones(bound, ref),
      person: (ref, login) => readPerson(bound, ref, login),
    },
    history: createHistory(bound),
    leases: createLeases(bound),
    plans: createPlanWriter(bound),
    tasks: createTaskPulls(bound),
    dispatches: createDispatches(bound),
    work: createWorkReader(bound),
    code: createCode(bound),
    write: createWriter(bound),
    pulls: createPullReader(bound),
    reviews: createPullWriter(bound),
    builds: createBuildReader(bound),
    memory: createMemoryBranch(bound),
  };
}

interface Lines {
  /** As the App, or with the token. */
  own: InstallationClient;
  of(installationId: number): InstallationClient;
  /** A right to the contents of one repository, and to nothing else. */
  contentsOf(ref: RepositoryRef): Credentials;
  forget(installationId: number): void;
}

function createLines(options: GitHubOptions): Lines {
  const { auth, clock, random, baseUrl = DEFAULT_BASE_URL, fetch } = options;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const wire = createWire({ baseUrl, timeoutMs, ...(fetch && { fetch }) });
  const cache = createReadCache();
  const open = (installationId: number, credentials: Credentials): InstallationClient =>
    createLine({
      installationId,
      wire,
      credentials,
      cache,
      clock,
      random,
      budget: createBudget({ budgets: options.budgets ?? DEFAULT_BUDGETS, clock, random }),
    });
  if (auth.kind === 'token') {
    const token = tokenCredentials(auth.token);
    const own = open(OWN, token);
    return { own, of: () => own, contentsOf: () => token, forget: () => own.forget() };
  }
  const own = open(
    OWN,
    appCredentials({ appId: auth.appId, privateKey: readPrivateKey(auth.privateKey), clock }),
  );
  const lines = new Map<number, InstallationClient>();
  return {
    own,
    of: (installationId) => {
      const found = lines.get(installationId);
      if (found !== undefined) return found;
      const line = open(
        installationId,
        installationCredentials({ installationId, app: own, clock }),
      );
      lines.set(installationId, line);
      return line;
    },
    contentsOf: ({ installationId, repositoryId }) =>
      installationCredentials({
        installationId,
        app: own,
        clock,
        scope: { repository_ids: [repositoryId], permissions: { contents: 'write' } },
      }),
    forget: (installationId) => {
      lines.get(installationId)?.forget();
      lines.delete(installationId);
    },
  };
}

/** What was read, kept within bounds for all sessions. */
function createReadCaches() {
  return {
    trees: createTrees(),
    changes: createKept<PullChanges>(CHANGES_BYTES),
    texts: createKept<KeptText>(TEXTS_BYTES),
  };
}
