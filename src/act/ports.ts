/** What carrying out effects needs from the outside. */
import type { ChannelName } from '../domain/channel/chat-thread.ts';
import type { Delivery, DeliveryVerdict } from '../domain/github/delivery.ts';
import type { PersonaFile } from '../domain/persona/persona-file.ts';
import type { ErrorCode } from '../domain/event/error-codes.ts';
import { RefusedError } from '../domain/event/errors.ts';
import type { DetectSecrets } from '../domain/secrets/secret-text.ts';
import type { EffectKind } from '../domain/event/effect.ts';
import type { EffectResults } from '../domain/event/result.ts';
import type { HostCaps } from '../domain/config/host-caps.ts';
import type { CallCounts } from '../domain/run/ledger.ts';
import type { RepositoryRef, ThreadRef } from '../domain/run/thread-ref.ts';
import type { StandupSource } from '../domain/standup/standup-run.ts';
import type { CollectedRun } from '../record/standup/collect-run.ts';
import type { ModelState } from '../domain/run/talk.ts';
import type { RoleTexts } from '../domain/memory/role/role-memory.ts';
import type { SearchCode } from '../domain/repository/watched-code.ts';
import type { InstallationCaches } from './installation-caches.ts';
import type { KeptFiles } from '../ports/erasure.ts';
import type { Channel } from '../ports/channel.ts';
import type { Embeddings } from '../ports/embeddings.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { BuildSession } from '../ports/github/builds.ts';
import type { GitHub, GitHubSession } from '../ports/github/github.ts';
import type { Log } from '../ports/log.ts';
import type { MemoryIndex } from '../ports/memory-index.ts';
import type { GitHubPulls, PullSession } from '../ports/github/pulls.ts';
import type { Model, ModelRequest } from '../ports/model.ts';
import type { Scanner } from '../ports/scanner.ts';
import type { Store } from '../ports/store.ts';
import type { Transcriber } from '../ports/model/transcriber.ts';
import type { TextLimits } from './read/pull/pull-texts.ts';
import type { CodingRuntime } from './task/coder/coding-runtime.ts';

/** The channels of this host. */
export interface Channels {
  /** Undefined where the channel is off, or this repository may not use it. */
  open(name: ChannelName, repository: RepositoryRef): Promise<Channel | undefined>;
}

export interface ActPorts {
  /** Without pull requests (a working tree on disk), reviews are refused. */
  github: GitHub | GitHubPulls;
  model: Model;
  /** Dollars a request may cost at most, by the price table; undefined when the price is unknown. */
  estimateUsd: (request: ModelRequest, known: { isCached: boolean }) => number | undefined;
  /** What this host's operator lets be spent in a day; no limit where absent. */
  hostCaps?: HostCaps;
  /** The smallest context window that a prompt may have to fit into, in tokens; ample where absent. */
  contextTokens?: number;
  /** The models that may answer here, to show to people; nothing is shown where this is absent. */
  models?: (installationId: number) => ModelState[];
  store: Pick<Store, 'load' | 'append' | 'records' | 'erasure' | 'standups'>;
  clock: Clock;
  random: Random;
  /** The package's own personas: the layer under the repository's. */
  personas: readonly PersonaFile[];
  /** A maintained detector of credentials; without one the shapes that issuers document are all that is known. */
  detectSecrets?: DetectSecrets;
  /** How much is read around a change; what is reasonable over the network when absent. */
  texts?: TextLimits;
  /** Scans what is read, away from the main thread: every look brings what its scan found, so that no reducer scans text. */
  scanner: Scanner;
  /** The analysers of whole repositories; without them the code watch is refused. */
  searchCode?: SearchCode;
  /** Git, a sandbox and coders; without them no code is written. */
  codingRuntime?: CodingRuntime;
  /** Mirrors, worktrees and installed dependencies; without it there is nothing on disk to erase. */
  files?: KeptFiles;
  /** How long what is kept of a place outlives its end, in milliseconds; without it nothing is erased by itself. */
  graceMs?: number;
  /** Orders what is remembered by its meaning, where a repository asks for it; by words alone where this is absent. */
  embeddings?: Embeddings;
  /** Told the code of each failure to order by meaning. */
  onUnranked?: (code: ErrorCode) => void;
  /** Told how many notes of a repository are stale, whenever its memory is used. */
  onStaleNotes?: (
    of: Pick<RepositoryRef, 'installationId' | 'repositoryId'>,
    count: number,
  ) => void;
  /** Finds what personas remember of a matter; without it nothing is remembered. */
  memoryIndex?: MemoryIndex;
  /** The files of roles that this package ships, for repositories without them; empty where absent. */
  roleDefaults?: () => Promise<RoleTexts>;
  /** Where people talk outside GitHub; where this is absent, nothing is announced. */
  channels?: Channels;
  /** Turns recordings into text; without it people are asked to write. */
  transcriber?: Transcriber;
  /** What this process remembers of installations. */
  caches?: InstallationCaches;
  /** What a webhook would have meant to us; without it nothing is made of what the reconcile pass finds. */
  parseDelivery?: (delivery: Delivery) => Promise<DeliveryVerdict>;
  /** Where a failure is written down that does not end the effect; nowhere when absent. */
  log?: Pick<Log, 'warn' | 'info'>;
  /** What a standup looks back on, where the store is thrown away; the store's own record where this is absent. */
  lookBack?: (of: { thread: ThreadRef; source: StandupSource }) => Promise<CollectedRun>;
  /** Signs and checks the markers of our comments. */
  markerSecret: string;
}

/** A session that can review. Throws RefusedError `no-pull-requests` where the server has no pull requests. */
export function pullsAt({ github }: ActPorts, ref: RepositoryRef): PullSession {
  const session = github.at(ref);
  if (canReview(session)) return session;
  throw new RefusedError({ code: 'no-pull-requests', message: 'There are no pull requests here.' });
}

/** A session that can read builds. Throws RefusedError `no-builds` where the server has no builds. */
export function buildsAt({ github }: ActPorts, ref: RepositoryRef): BuildSession {
  const session = github.at(ref);
  if (canReadBuilds(session)) return session;
  throw new RefusedError({ code: 'no-builds', message: 'There are no builds here.' });
}

function canReadBuilds(session: GitHubSession | BuildSession): session is BuildSession {
  return 'builds' in session;
}

/** Whether the server has pull requests. */
export function canReview(session: GitHubSession | PullSession): session is PullSession {
  return 'pulls' in session && 'reviews' in session;
}

/** What carrying out an effect brought, and what it cost of GitHub. */
export type Performed<K extends EffectKind = EffectKind> = {
  [Kind in K]: { effectKind: Kind; result: EffectResults[Kind]; githubCalls: CallCounts };
}[K];
