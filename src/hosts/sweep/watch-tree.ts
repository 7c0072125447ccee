/** One pass of the code watch over a working tree: at a terminal and in a workflow. No issue is opened. */
import { randomBytes } from 'node:crypto';
import { createDryRun } from '../../act/dry-run.ts';
import type { Perform } from '../../act/perform.ts';
import type { ActPorts } from '../../act/ports.ts';
import {
  openLocalRepository,
  type LocalRepository,
} from '../../adapters/local/local-repository.ts';
import type { WorkingTree } from '../../adapters/local/working-tree.ts';
import { createSecretDetector } from '../../adapters/secrets/detector.ts';
import { loadSecretlint } from '../../adapters/secrets/secretlint.ts';
import { RefusedError } from '../../domain/event/errors.ts';
import type { WatchState } from '../../domain/repository/watched-code.ts';
import type { RunAuthority } from '../../domain/run/permit/run-authority.ts';
import { ofKind, type Run } from '../../domain/run/state/run-record.ts';
import { sumTokens } from '../../domain/run/ledger.ts';
import { threadKey, type Actor } from '../../domain/run/thread-ref.ts';
import type { Store } from '../../ports/store.ts';
import { seedSpent } from '../action/job/seed-spent.ts';
import { performAtTerminal, runAtTerminal } from '../cli/at-terminal.ts';
import type { Basics } from '../host-parts.ts';

/** Who pays for the pass: the user of a terminal, or the owner of the workflow. */
const YOU: Actor = { id: 2, login: 'you', isBot: false };
/** They outrank the repository's settings, since nothing is posted. */
const YOURS: RunAuthority = { kind: 'terminal', waives: ['enabled', 'role'] };

export interface WatchedTree {
  basics: Basics;
  dir: string;
  tree: WorkingTree;
  /** The file or folder to search; empty for all of it. */
  path: string;
  /** That of this host when absent. */
  scanner?: ActPorts['scanner'];
  /** Dollars that count against the caps of the day already. */
  spentUsd?: number;
  onLook: (run: Run | undefined) => void;
  /** Told what models cost, also where the search fails. */
  onSpent?: (spent: SearchSpent) => void;
}

export interface SearchSpent {
  usd: number;
  tokens: number;
}

/** Far more calls than a search makes. */
const MOST_CALLS = 1_000;

/** @throws RefusedError `not-watched` */
export async function watchTree(
  wanted: WatchedTree,
): Promise<{ run: Run<'code_watch'>; seen: WatchState }> {
  const { basics, dir, tree, path, onLook, scanner } = wanted;
  const markerSecret = randomBytes(32).toString('base64url');
  const local = await openLocalRepository({
    dir,
    tree,
    clock: basics.clock,
    issue: { number: 1, title: 'Code watch', body: '' },
    markerSecret,
    onWrite: () => undefined,
  });
  const { thread } = local;
  const run = await runAtTerminal({
    basics,
    thread,
    trigger: {
      kind: 'requested',
      thread,
      actor: YOU,
      label: 'code-watch',
      meaning: 'code-watch',
      by: 'cli',
      authority: YOURS,
      path,
    },
    config: 'local',
    perform: async (store) => {
      const { spentUsd: usd = 0 } = wanted;
      await seedSpent(store, { repository: thread, usd, now: basics.clock.now() });
      return openPerform(local, { basics, store, markerSecret, scanner });
    },
    onLook,
    onEnd: async ({ records }) => {
      const key = threadKey(thread);
      const { usd } = await records.spent({ key });
      const tokens = sumTokens(await records.calls({ key, limit: MOST_CALLS }));
      wanted.onSpent?.({ usd, tokens });
    },
  });
  const watched = ofKind(run, 'code_watch');
  const why = watched === undefined ? 'it never started' : (watched.endReason ?? 'nobody said why');
  if (watched?.watch !== undefined) return { run: watched, seen: watched.watch };
  throw new RefusedError({
    code: 'not-watched',
    message: `The code was not searched: ${why}.`,
  });
}

interface Performing {
  basics: Basics;
  store: Store;
  markerSecret: string;
  scanner: ActPorts['scanner'] | undefined;
}

async function openPerform(
  { github }: LocalRepository,
  { basics, store, markerSecret, scanner }: Performing,
): Promise<Perform> {
  const perform = await performAtTerminal({
    basics,
    github,
    store,
    markerSecret,
    ...(scanner && { scanner }),
    detectSecrets: createSecretDetector({
      load: loadSecretlint,
      onMissing: (error) =>
        basics.log.warn({ err: error }, 'the detector of credentials cannot be loaded'),
    }),
  });
  return createDryRun(perform);
}
