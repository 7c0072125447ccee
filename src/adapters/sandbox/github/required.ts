/** What a branch asks of what is merged into it, by its protection or by a ruleset. */
import type { BranchRules, MergeWay } from './branch-rules.ts';
import type { Repository } from './model.ts';

const NO_RULES: BranchRules = { from: 'protection', checks: [], isStrict: false, hasQueue: false };

export function rulesOf(repository: Repository, branch: string): BranchRules {
  return repository.rules?.get(branch) ?? NO_RULES;
}

export function allows(repository: Repository, way: MergeWay): boolean {
  return repository.mergeWays?.has(way) ?? true;
}

/** GitHub takes these for done (docs.github.com, "Troubleshooting required status checks"). */
const DONE = new Set(['success', 'skipped', 'neutral']);

/** The required names that nothing good was reported under at this commit. */
export function missingChecks(
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
