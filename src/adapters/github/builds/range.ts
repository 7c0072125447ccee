/** The commits between two, with the files that they change together. */
import type { CommitRange, RangeCommit } from '../../../domain/build/build.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import type { SessionContext } from '../bound.ts';
import { PER_PAGE } from '../client/pages.ts';
import { COMPARE_COMMITS, type WireComparison } from './build-operations.ts';

export async function fetchRange(
  bound: SessionContext,
  ref: RepositoryRef,
  { baseSha, headSha }: { baseSha: string; headSha: string },
): Promise<CommitRange> {
  const params = {
    ...bound.places.last(ref),
    basehead: `${baseSha}...${headSha}`,
    per_page: PER_PAGE,
  };
  const { data: first } = await bound.calls.get(COMPARE_COMMITS, params);
  const pages = Math.ceil(first.total_commits / PER_PAGE);
  // The oldest come first, and those that broke something lately stand on the last page.
  const last =
    pages > 1
      ? (await bound.calls.get(COMPARE_COMMITS, { ...params, page: pages })).data
      : undefined;
  const commits = [...first.commits, ...(last?.commits ?? [])];
  return {
    commits: commits.map(toCommit).toReversed(),
    total: first.total_commits,
    files: first.files.map(({ filename, patch }) => ({ path: filename, patch })),
  };
}

function toCommit({ sha, commit, author }: WireComparison['commits'][number]): RangeCommit {
  return {
    sha,
    title: commit.message.split('\n')[0] ?? '',
    author: author?.login ?? commit.author?.name ?? 'unknown',
    isByBot: author?.type === 'Bot',
    at: commit.author?.date ?? '',
  };
}
