/** The head of a pull request that people may approve now. */
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { GitHubSession } from '../../ports/github/github.ts';
import { canReview } from '../ports.ts';

/** Undefined where the pull request is not open. RefusedError `no-pull` where the number is an issue's. */
export async function readOpenHead(
  session: GitHubSession,
  thread: ThreadRef,
): Promise<string | undefined> {
  if (!canReview(session)) return undefined;
  const { state, headSha } = await session.pulls.pull(thread);
  return state === 'open' ? headSha : undefined;
}
