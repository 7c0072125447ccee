/** Who changed what: the commits of a path, and who put a label on. */
import type { Actor, ThreadRef } from '../../../domain/run/thread-ref.ts';
import type { GitHubHistory } from '../../../ports/github/github-history.ts';
import type { SessionContext } from '../bound.ts';
import { readBroughtIn } from './brought-in.ts';
import { readEditor } from './comment-editor.ts';
import { isNotFound } from '../client/github-failure.ts';
import type { Calls } from '../installation-client.ts';
import { LIST_COMMITS, LIST_EVENTS } from '../rest-operations.ts';
import { newestPages, PER_PAGE } from '../client/pages.ts';
import { toRepositoryPlace } from '../repository-locator.ts';
import { toActor } from './to-domain.ts';

export function createHistory(bound: SessionContext): GitHubHistory {
  return {
    commits: async (ref, at) => {
      const query = { ...bound.places.last(ref), path: at.path, sha: at.sha, per_page: PER_PAGE };
      const listed = (await bound.calls.find(LIST_COMMITS, query))?.data ?? [];
      const commits = listed.map((commit) => ({
        sha: commit.sha,
        // Without an account (an e-mail address that nobody has confirmed) anybody may have written it.
        isByAgent: !commit.author || [commit.author, commit.committer].some(isBot),
      }));
      return { commits, isCut: commits.length >= PER_PAGE };
    },
    editor: (ref, commentId) => readEditor(bound, ref, commentId),
    broughtIn: (ref, sha) => readBroughtIn(bound, ref, sha),
  };
}

function isBot(user: { type?: string | undefined } | null | undefined): boolean {
  return user?.type === 'Bot';
}

/** Who put one of these labels on last; undefined where the server does not tell. */
export async function findLabeller(
  calls: Calls,
  thread: ThreadRef,
  labels: string[],
): Promise<Actor | undefined> {
  const wanted = new Set(labels.map((label) => label.toLowerCase()));
  const query = { ...toRepositoryPlace(thread), issue_number: thread.number, per_page: PER_PAGE };
  try {
    for await (const page of newestPages(calls, LIST_EVENTS, query)) {
      const found = page.findLast(
        (event) => event.event === 'labeled' && wanted.has(event.label?.name.toLowerCase() ?? ''),
      );
      if (found !== undefined) return found.actor ? toActor(found.actor) : undefined;
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}
