/** Runs the base's tests on a commit that none of our attempts made, in a worktree that is removed afterwards. */
import type { Config } from '../../domain/config/config.ts';
import type { Judgement } from '../../domain/gates/receipt.ts';
import type { TestCommand } from '../../domain/gates/test-command.ts';
import type { RepositoryRef } from '../../domain/run/thread-ref.ts';
import { runTests } from './gates.ts';
import type { CodingRuntime } from './coder/coding-runtime.ts';
import type { ConcurrencyLimit } from './coder/concurrency-limit.ts';
import type { FillProject } from './coder/project.ts';

export interface CommitToTest {
  repository: RepositoryRef;
  /** With the thread's number it names the branch and the folder. */
  kind: 'group' | 'head';
  number: number;
  sha: string;
  baseSha: string;
  /** What the base says how to test. */
  found: TestCommand;
  config: Config;
}

export async function testCommit(
  { repository, kind, number, sha, baseSha, found, config }: CommitToTest,
  codingRuntime: CodingRuntime,
  { fillProject, turns }: { fillProject: FillProject; turns: ConcurrencyLimit },
): Promise<Judgement> {
  const { signal } = new AbortController();
  const branch = `quorum/${kind}-${number}`;
  const name = `${kind}-${repository.repositoryId}-${number}-${sha.slice(0, 12)}`;
  return turns.build(found.type, async () => {
    const limitMb = config.coder.worktreeLimitMb;
    const worktree = await codingRuntime.git.open(repository, { name, branch, sha, limitMb });
    const wanted = { name, branch, baseSha, found, config, repository, changed: [], signal };
    try {
      return await runTests({
        worktree,
        fill: () => fillProject(worktree, wanted),
        commands: codingRuntime.commands(config.coder),
        found,
        config,
        accepted: undefined,
        signal,
      });
    } finally {
      await worktree.close();
    }
  });
}
