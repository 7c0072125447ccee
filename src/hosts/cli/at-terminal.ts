/** One run at a terminal, through the same reducer, effects and store as in the App; only the store is gone afterwards. */
import { createPerform, type Perform } from '../../act/perform.ts';
import type { ActPorts } from '../../act/ports.ts';
import { readPackagePersonas } from '../../adapters/files/load-personas.ts';
import type { Pool } from '../../adapters/model/pool/pool-state.ts';
import { openSqliteStore } from '../../adapters/store/sqlite/open-sqlite.ts';
import { decide } from '../../decide/route.ts';
import type { Run } from '../../domain/run/state/run-record.ts';
import { EVENT_VERSION } from '../../domain/event/event.ts';
import { threadKey, type ThreadRef } from '../../domain/run/thread-ref.ts';
import type { Trigger } from '../../domain/event/trigger.ts';
import type { Store } from '../../ports/store.ts';
import { consume } from '../../run.ts';
import { follow } from '../follow-runs.ts';
import { openModelPool, type Basics } from '../host-parts.ts';
import { isUnreadBase, refuseBrokenConfig, type ConfigSide } from './refuse-broken-config.ts';
import { createCodeSearch, createScanner } from '../scan/create-scanner.ts';

/** Several rounds of slow models fit well within. */
const TIMEOUT_MS = 15 * 60_000;
const STOP_MS = 2_000;
const AT_ONCE = 8;

export interface TerminalRun {
  basics: Basics;
  thread: ThreadRef;
  trigger: Trigger;
  perform: (store: Store) => Promise<Perform>;
  /** A configuration with errors refuses the run. */
  config: ConfigSide;
  /** Told at every look; what it throws ends the run. */
  onLook: (run: Run | undefined) => void;
  /** The last thing that is asked of the store, also where the run fails. */
  onEnd?: (store: Store) => Promise<void>;
}

/** Resolves with the run as it settled. TransientError `not-settled` when it takes a quarter of an hour. */
export async function runAtTerminal(wanted: TerminalRun): Promise<Run | undefined> {
  const { basics, thread, trigger, onLook } = wanted;
  const { clock, random, log } = basics;
  const store = await openSqliteStore({ memory: true, clock });
  const broken: Broken = {};
  const perform = noticeBrokenConfig(await wanted.perform(store), broken, wanted.config);
  const engine = { store, clock, random, log, decide, perform };
  const worker = await store.work({
    concurrency: AT_ONCE,
    // There is one installation.
    perInstallation: AT_ONCE,
    consume: (work) => consume(work, engine),
  });
  const key = threadKey(thread);
  const at = new Date(clock.now()).toISOString();
  try {
    await store.append([
      {
        id: `cli:${random.id()}`,
        key,
        version: EVENT_VERSION,
        at,
        data: { kind: 'trigger', trigger },
      },
    ]);
    const [run] = await follow({
      store,
      clock,
      keys: [key],
      timeoutMs: TIMEOUT_MS,
      onLook: ([now]) => {
        if (broken.error !== undefined) throw broken.error;
        onLook(now);
      },
    });
    return run;
  } finally {
    await worker.stop(STOP_MS);
    await wanted.onEnd?.(store);
    await store.close();
  }
}

interface Broken {
  error?: unknown;
}

/** Nothing retries at a terminal: what is wrong is kept and ends the run at the next look. */
function noticeBrokenConfig(perform: Perform, broken: Broken, side: ConfigSide): Perform {
  return async (effect, attempt) => {
    const done = await perform(effect, attempt);
    const { result } = done;
    if (result === null || typeof result !== 'object' || !('view' in result)) return done;
    const { view } = result;
    if (!('problems' in view)) return done;
    try {
      refuseBrokenConfig(view.problems, side);
    } catch (error) {
      broken.error = error;
      throw error;
    }
    if (side === 'local') view.problems = view.problems.filter((problem) => !isUnreadBase(problem));
    return done;
  };
}

export interface TerminalPorts extends Pick<
  ActPorts,
  'github' | 'store' | 'markerSecret' | 'detectSecrets' | 'texts'
> {
  basics: Basics;
  /** Threads of this host when absent. */
  scanner?: ActPorts['scanner'];
  /** Who answers; the pool of this host when absent. */
  model?: Pick<Pool, 'name' | 'generate' | 'estimateUsd' | 'contextTokens'> | undefined;
}

/** Effects with the package's personas and this host's models. */
export async function performAtTerminal({ basics, ...ports }: TerminalPorts): Promise<Perform> {
  const model = ports.model ?? openModelPool(basics);
  const scanner = ports.scanner ?? createScanner();
  return createPerform({
    searchCode: createCodeSearch(scanner),
    ...basics,
    ...ports,
    scanner,
    model,
    estimateUsd: (question, known) => model.estimateUsd(question, known),
    ...(model.contextTokens === undefined ? {} : { contextTokens: model.contextTokens }),
    personas: await readPackagePersonas(),
  });
}
