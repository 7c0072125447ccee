/** What a branch asks of what is merged into it, by its protection or by a ruleset. */
import type { BranchRules, MergeWay } from './branch-rules.ts';
import { readContents } from '../git/cat-file.ts';
import { gitOutput } from '../git/git-process.ts';
import type { Repository } from '../world/world-model.ts';

const NO_RULES: BranchRules = { from: 'protection', checks: [], isStrict: false, hasQueue: false };

export function rulesOf(repository: Repository, branch: string): BranchRules {
  return repository.rules?.get(branch) ?? repository.rules?.get(EVERY_BRANCH) ?? NO_RULES;
}

/** As a ruleset names all branches. */
const EVERY_BRANCH = '~ALL';

/** The commits of one that are not part of the other and have no signature. */
export async function unsignedCommits(
  gitDir: string,
  range: { from: string; to: string },
): Promise<string[]> {
  const shas = (await gitOutput(gitDir, ['rev-list', range.to, `^${range.from}`])).split('\n');
  const found = shas.filter((sha) => sha !== '');
  const commits = await Promise.all(found.map((sha) => readContents(gitDir, sha)));
  const heads = commits.map((commit) => commit?.contents.toString().split('\n\n')[0] ?? '');
  return found.filter((_, index) => !/^gpgsig /m.test(heads[index] ?? ''));
}

/** Names of the branches that take signed commits only, as the hook of a push reads them. */
export function signedBranches({ rules }: Repository): string {
  return [...(rules ?? [])]
    .flatMap(([name, { mustSign }]) => (mustSign === true ? [name] : []))
    .join(' ');
}

export function allows(repository: Repository, way: MergeWay): boolean {
  return repository.mergeWays?.has(way) ?? true;
}

/** GitHub takes these for done (docs.github.com, "Troubleshooting required status checks"). */
const DONE = new Set(['success', 'skipped', 'neutral']);

/** The required names that nothing good was reported under at this commit. */
export function listMissingChecks(
  repository: Repository,
  at: { branch: string; sha: string },
): string[] {
  const { checks } = rulesOf(repository, at.branch);
  return checks
    .filter(({ context, appId }) => {
      const runs = repository.checkRuns.filter(
        (run) =>
          run.headSha === at.sha && run.name === context && (appId ?? run.appId) === run.appId,
      );
      const status = repository.statuses.findLast(
        (one) => one.sha === at.sha && one.context === context,
      );
      const states = [
        ...runs.slice(-1).map((run) => run.conclusion ?? 'pending'),
        ...(status === undefined || appId !== undefined ? [] : [status.state]),
      ];
      return states.length === 0 || states.some((state) => !DONE.has(state));
    })
    .map(({ context }) => context);
}
