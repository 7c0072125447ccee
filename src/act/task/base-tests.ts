/** What the tests of the base count, for gate 2 to tell what a task took away: run once for a base, and remembered. */
import type { Config } from '../../domain/config/config.ts';
import { QuorumError } from '../../domain/event/errors.ts';
import type { TestCommand } from '../../domain/gates/test-command.ts';
import type { TestCounts } from '../../domain/gates/test-counts.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import type { ActPorts } from '../ports.ts';
import { createTtlCache } from '../ttl-cache.ts';
import type { FillProject } from './coder/project.ts';
import { runTests } from './gates.ts';
import { requireCodingRuntime } from './coder/coding-runtime.ts';

export interface BaseWanted {
  baseSha: string;
  /** Of the attempt's worktrees: the one for the base is beside them. */
  name: string;
  branch: string;
  found: TestCommand;
  config: Config;
  /** The requester's signal. Runs that it stopped are not remembered. */
  signal: AbortSignal;
}

/**
 * Undefined where the base's own tests do not pass, or their result cannot be counted. Then there is nothing to compare
 * with.
 *
 * @throws QuorumError where a retry may succeed; nothing is remembered then
 */
export type CountBase = (ref: RepositoryRef, wanted: BaseWanted) => Promise<TestCounts | undefined>;

const KEPT_MS = 24 * 3_600_000;
const MOST = 200;

interface Testing {
  fillProject: FillProject;
}

/** The tests run in the slot of the caller. */
export function createBaseTests(ports: ActPorts, testing: Testing): CountBase {
  const kept = createTtlCache<{ counts: TestCounts | undefined }>(ports.clock, {
    ttlMs: KEPT_MS,
    most: MOST,
  });
  return async (ref, wanted) => {
    const key = `${ref.repositoryId}/${wanted.baseSha}/${wanted.found.test ?? ''}`;
    const known = kept.get(key);
    if (known !== undefined) return known.counts;
    const counted = await count(ref, wanted, { ports, ...testing }).catch(toUncounted);
    // What did not run is run by the next one who asks.
    if (counted.hasRun) kept.set(key, counted);
    return counted.counts;
  };
}

interface Counted {
  counts: TestCounts | undefined;
  hasRun: boolean;
}

/** A figure to compare with is missing, and the tests of the change itself are what counts; but what heals is waited for. */
function toUncounted(error: unknown): Counted {
  if (!(error instanceof QuorumError) || error.retryable) throw error;
  return { counts: undefined, hasRun: false };
}

async function count(
  ref: RepositoryRef,
  wanted: BaseWanted,
  { ports, fillProject }: Testing & { ports: ActPorts },
): Promise<Counted> {
  const runtime = requireCodingRuntime(ports);
  const { baseSha, name, branch, found, config } = wanted;
  const worktree = await runtime.git.open(ref, {
    name: `${name}-base`,
    branch: `${branch}-base`,
    sha: baseSha,
    limitMb: config.coder.worktreeLimitMb,
  });
  try {
    const judged = await runTests({
      worktree,
      fill: () => fillProject(worktree, { ...wanted, repository: ref, changed: [] }),
      commands: runtime.commands(config.coder),
      found,
      config,
      accepted: undefined,
      signal: wanted.signal,
    });
    const counts = judged.result === 'passed' ? judged.tests : undefined;
    return { counts, hasRun: judged.durationMs !== undefined };
  } finally {
    await worktree.close();
  }
}
