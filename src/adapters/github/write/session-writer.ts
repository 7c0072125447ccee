/** Writes of one session: one at a time for each thread, issues one at a time for each repository, because each looks before it writes. */
import { threadKey } from '../../../domain/run/thread-ref.ts';
import type { GitHubWriter } from '../../../ports/github/github-writer.ts';
import type { SessionContext } from '../bound.ts';
import { ensureChecks } from './ensure-checks.ts';
import { ensureClosed } from './ensure-closed.ts';
import { ensureComment } from './ensure-comment.ts';
import { ensureIssue } from './ensure-issue.ts';
import { ensureLabels } from './ensure-labels.ts';
import { ensureReaction } from './ensure-reaction.ts';
import { SET_SUITE_PREFERENCES } from '../rest-operations.ts';

export function createWriter(bound: SessionContext): GitHubWriter {
  const { locks } = bound;
  return {
    ensureComment: (ref, comment) =>
      locks.use(threadKey(ref), () => ensureComment(bound, ref, comment)),
    ensureLabels: (ref, change) =>
      locks.use(threadKey(ref), () => ensureLabels(bound, ref, change)),
    ensureReaction: (ref, change) =>
      locks.use(threadKey(ref), () => ensureReaction(bound, ref, change)),
    ensureIssue: (ref, issue) =>
      locks.use(`issues:${ref.repositoryId}`, () => ensureIssue(bound, ref, issue)),
    ensureClosed: (ref, reason) =>
      locks.use(threadKey(ref), () => ensureClosed(bound, ref, reason)),
    ensureChecks: (change) =>
      locks.use(`check:${change.repository.repositoryId}/${change.headSha}`, () =>
        ensureChecks(bound, change),
      ),
    ensureNoEmptySuites: async (ref) => {
      const { appId } = bound;
      if (appId === undefined) return;
      const preferences = { auto_trigger_checks: [{ app_id: appId, setting: false }] };
      await bound.places.at(ref, bound.calls, (place) =>
        bound.calls.send(SET_SUITE_PREFERENCES, { ...place, ...preferences }),
      );
    },
  };
}
