/** What git says about a pull request: mergeability, size, and whether its diff is too large to be written. */
import { compareRevisions, type Comparison } from '../git/compare-revisions.ts';
import { isAncestor } from '../git/objects.ts';
import { mergeTree } from '../git/merge-revisions.ts';
import { HttpError, invalid, notFound } from '../behave/http-error.ts';
import type { Pull, Repository, SideFacts, Thread } from '../world/world-model.ts';
import { listMissingChecks, rulesOf } from '../checks/required.ts';
import type { PullFacts } from '../render/to-pull.ts';
import { totals } from '../render/to-commit.ts';

export function pullOf(thread: Thread): Pull {
  if (thread.pull === undefined) throw notFound();
  return thread.pull;
}

/** What the pull request changes against the point where it left its base. */
export async function comparePull(repository: Repository, thread: Thread): Promise<Comparison> {
  const comparison = await compared(repository, pullOf(thread)).comparison;
  if (comparison !== undefined) return comparison;
  throw invalid({
    resource: 'PullRequest',
    code: 'custom',
    message: 'The branches share no history.',
  });
}

/** Asks git once for each pair of commits: they never change. */
function compared(repository: Repository, pull: Pull): NonNullable<Pull['compared']> {
  const range = `${pull.baseSha}...${pull.headSha}`;
  if (pull.compared?.range === range) return pull.compared;
  const comparison = compareRevisions(repository.gitDir, pull.baseSha, pull.headSha);
  pull.compared = { range, comparison };
  return pull.compared;
}

export async function readFacts(repository: Repository, thread: Thread): Promise<PullFacts> {
  const pull = pullOf(thread);
  const kept = compared(repository, pull);
  const comparison = await kept.comparison;
  // A push can take away what the two had in common.
  if (comparison === undefined) return UNRELATED;
  kept.facts ??= readSides(repository, pull);
  const { isMergeable, isBehind } = await kept.facts;
  return {
    mergeable: thread.state === 'open' ? isMergeable : null,
    isBehind,
    isBlocked: isBlocked(repository, pull),
    ...totals(comparison.files),
    changedFiles: comparison.files.length,
    commits: comparison.aheadBy,
  };
}

function isBlocked(repository: Repository, { baseRef: branch, headSha: sha }: Pull): boolean {
  const isQueued = rulesOf(repository, branch).hasQueue;
  return isQueued || listMissingChecks(repository, { branch, sha }).length > 0;
}

const UNRELATED: PullFacts = {
  mergeable: false,
  isBehind: true,
  isBlocked: false,
  additions: 0,
  deletions: 0,
  changedFiles: 0,
  commits: 0,
};

async function readSides({ gitDir }: Repository, { baseSha, headSha }: Pull): Promise<SideFacts> {
  const merged = await mergeTree(gitDir, { base: baseSha, head: headSha });
  const isBehind = !(await isAncestor(gitDir, baseSha, headSha));
  return { isMergeable: merged !== undefined, isBehind };
}

/** GitHub writes no diff beyond these (docs.github.com, "Limits for viewing content and diffs"). */
const MAX_DIFF_FILES = 300;
const MAX_DIFF_LINES = 20_000;

/** @throws HttpError 406 */
export function refuseLargeDiff(diff: Buffer): Buffer {
  const text = diff.toString('latin1');
  const files = text.match(/^diff --git /gm)?.length ?? 0;
  if (files > MAX_DIFF_FILES) throw tooLarge('files', MAX_DIFF_FILES);
  if (text.split('\n').length - 1 > MAX_DIFF_LINES) throw tooLarge('lines', MAX_DIFF_LINES);
  return diff;
}

function tooLarge(what: string, limit: number): HttpError {
  return new HttpError(
    406,
    `Sorry, the diff exceeded the maximum number of ${what} (${limit}). Consider using 'List pull requests files' API or locally cloning the repository instead.`,
    { errors: [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }] },
  );
}
