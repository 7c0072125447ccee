/** What a merge depends on in GraphQL's form: who was asked, what the base branch asks of a change, what merges by itself. */
import type { BranchRules, MergeWay } from '../branch-rules.ts';
import { tryGit } from '../git/run.ts';
import type { Pull, Repository } from '../model.ts';
import { allows, rulesOf } from '../required.ts';
import { account, nodeId } from '../world.ts';
import { connection, toActor, type Paging, type Place } from './parts.ts';

/** Which ways of merging the repository allows. */
export function mergeWays(repository: Repository): Record<string, boolean> {
  return {
    squashMergeAllowed: allows(repository, 'squash'),
    mergeCommitAllowed: allows(repository, 'merge'),
    rebaseMergeAllowed: allows(repository, 'rebase'),
  };
}

const WAYS: Record<MergeWay, string> = { merge: 'MERGE', squash: 'SQUASH', rebase: 'REBASE' };

export function mergeFields(place: Place, pull: Pull): object {
  const { world, repository } = place;
  const { autoMerge, mergeCommitSha } = pull;
  return {
    isMergeQueueEnabled: rulesOf(repository, pull.baseRef).hasQueue,
    isInMergeQueue: false,
    mergeCommit:
      mergeCommitSha === undefined ? null : { __typename: 'Commit', oid: mergeCommitSha },
    autoMergeRequest: autoMerge && {
      enabledAt: place.thread.updatedAt,
      enabledBy: toActor(account(world, autoMerge.byId)),
      mergeMethod: WAYS[autoMerge.way],
    },
    reviewRequests: (paging: Paging) =>
      connection(
        pull.requestedReviewerIds.map((id) => ({
          id: nodeId('RR', id),
          asCodeOwner: false,
          requestedReviewer: toActor(account(world, id)),
        })),
        paging,
      ),
    baseRef: () => toBranch(place, pull.baseRef),
  };
}

/** Null when it is gone. */
async function toBranch({ repository }: Place, name: string): Promise<object | null> {
  const ref = `refs/heads/${name}`;
  const found = await tryGit(repository.gitDir, ['rev-parse', '--verify', '--quiet', ref]);
  if (found.code !== 0) return null;
  const rules = rulesOf(repository, name);
  return {
    id: nodeId('REF', repository.id),
    name,
    prefix: 'refs/heads/',
    target: { __typename: 'Commit', oid: found.stdout.toString().trim() },
    refUpdateRule: rules.from === 'protection' && repository.rules?.has(name) ? toOld(rules) : null,
    rules: (paging: Paging) =>
      connection(rules.from === 'ruleset' ? toRules(repository, rules) : [], paging),
  };
}

/** A branch's own protection, as everybody may know it: the names without their Apps. */
function toOld({ checks, mustResolve = false }: BranchRules): object {
  return {
    requiredStatusCheckContexts: checks.map(({ context }) => context),
    requiresConversationResolution: mustResolve,
    requiresLinearHistory: false,
  };
}

function toRules(repository: Repository, rules: BranchRules): object[] {
  const { checks, isStrict, hasQueue, mustResolve = false } = rules;
  const all = [
    checks.length > 0 && {
      type: 'REQUIRED_STATUS_CHECKS',
      parameters: {
        __typename: 'RequiredStatusChecksParameters',
        strictRequiredStatusChecksPolicy: isStrict,
        requiredStatusChecks: checks.map(({ context, appId }) => ({
          context,
          integrationId: appId ?? null,
        })),
      },
    },
    mustResolve && {
      type: 'PULL_REQUEST',
      parameters: {
        __typename: 'PullRequestParameters',
        allowedMergeMethods: ['merge', 'squash', 'rebase'],
        requiredReviewThreadResolution: true,
      },
    },
    hasQueue && {
      type: 'MERGE_QUEUE',
      parameters: { __typename: 'MergeQueueParameters', mergeMethod: 'SQUASH' },
    },
  ];
  return all.flatMap((one, at) =>
    one === false ? [] : [{ id: nodeId('RRU', repository.id + at), ...one }],
  );
}
