/** GitHub through Octokit: one line per installation, with its own token, budget and memory. */
import type { CallCounts } from '../../domain/ledger.ts';
import type { RepositoryRef } from '../../domain/thread.ts';
import type { BuildSession, GitHubBuilds } from '../../ports/builds.ts';
import type { PullChanges } from '../../ports/pulls.ts';
import type { GitHubWork, WorkSession } from '../../ports/work.ts';
import { readPrivateKey } from './app-jwt.ts';
import { createApp } from './app.ts';
import type { Bound, KeptText } from './bound.ts';
import { createBudget } from './budget.ts';
import { createBuildReader } from './builds/reader.ts';
import {
  appCredentials,
  installationCredentials,
  tokenCredentials,
  type Credentials,
} from './credentials.ts';
import { createCode } from './code.ts';
import { createCoverage } from './coverage.ts';
import { createGitRemote } from './git-remote.ts';
import { createHistory } from './history.ts';
import { createLeases } from './leases.ts';
import { createIdentity } from './identity.ts';
import { createKept } from './kept.ts';
import { createLine, type Calls, type Line } from './line.ts';
import { DEFAULT_BUDGETS, SILENT, type GitHubOptions } from './options.ts';
import { createPlaces } from './places.ts';
import { createPullReader } from './pulls/reader.ts';
import { createPullWriter } from './pulls/writer.ts';
import { createReadCache } from './read-cache.ts';
import { createReader } from './reader.ts';
import { createRecall } from './recall.ts';
import { createLocks } from './semaphore.ts';
import { surveyIssue } from './survey/issue.ts';
import { createTrees } from './trees.ts';
import { accountHost } from './web-host.ts';
import { createWire } from './wire.ts';
import { createWorkReader } from './work/reader.ts';
import { createPlanWriter, createTaskPulls } from './work/writer.ts';
import { createWriter } from './writer.ts';

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
export function createGitHub(options: GitHubOptions): GitHubWork & GitHubBuilds {
  const lines = createLines(options);
  const { clock, auth, markerSecret } = options;
  const log = options.log ?? SILENT;
  const places = createPlaces(clock);
  const recall = createRecall();
  const own = lines.own.calls({});
  const of = (installationId: number): Calls => lines.of(installationId).calls({});
  const identity = createIdentity({ auth, own, of });
  const coverage = createCoverage({ own: auth.kind === 'app' ? own : undefined, places, log });
  const shared = {
    identity,
    places,
    recall,
    clock,
    log,
    markerSecret,
    trees: createTrees(),
    changes: createKept<PullChanges>(CHANGES_BYTES),
    texts: createKept<KeptText>(TEXTS_BYTES),
    locks: createLocks(),
  };
  const appId = auth.kind === 'app' ? Number(auth.appId) : undefined;
  return {
    accountHost: accountHost(options.baseUrl ?? DEFAULT_BASE_URL),
    app: createApp({ kind: auth.kind, identity, clock, log, own, of }),
    at: (ref, signal) => {
      const counts: CallCounts = {};
      const bound: Bound = {
        ...shared,
        appId,
        installationId: ref.installationId,
        calls: coverage.watch(ref, lines.of(ref.installationId).calls(counts, signal)),
      };
      return { ...createSession(bound), counts };
    },
    remote: createGitRemote({
      apiUrl: options.baseUrl ?? DEFAULT_BASE_URL,
      credentialsOf: (ref) => lines.contentsOf(ref),
      nameOf: async (ref) => (await places.read(ref, of(ref.installationId))).full_name,
    }),
    forget: (installationId) => {
      lines.forget(installationId);
      places.forget(installationId);
      coverage.forget(installationId);
      recall.forget(installationId);
      for (const kept of [shared.changes, shared.texts]) kept.forget(`${installationId}/`);
    },
  };
}

function createSession(bound: Bound): Omit<WorkSession & BuildSession, 'counts'> {
  return {
    read: createReader(bound),
    survey: { issue: (ref, ask) => surveyIssue(bound, ref, ask) },
    history: createHistory(bound),
    leases: createLeases(bound),
    plans: createPlanWriter(bound),
    tasks: createTaskPulls(bound),
    work: createWorkReader(bound),
    code: createCode(bound),
    write: createWriter(bound),
    pulls: createPullReader(bound),
    reviews: createPullWriter(bound),
    builds: createBuildReader(bound),
  };
}

interface Lines {
  /** As the App, or with the token. */
  own: Line;
  of(installationId: number): Line;
  /** A right to the contents of one repository, and to nothing else. */
  contentsOf(ref: RepositoryRef): Credentials;
  forget(installationId: number): void;
}

function createLines(options: GitHubOptions): Lines {
  const { auth, clock, random, baseUrl = DEFAULT_BASE_URL, fetch } = options;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const wire = createWire({ baseUrl, timeoutMs, ...(fetch && { fetch }) });
  const cache = createReadCache();
  const open = (installationId: number, credentials: Credentials): Line =>
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
    appCredentials({ appId: auth.appId, key: readPrivateKey(auth.privateKey), clock }),
  );
  const lines = new Map<number, Line>();
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
