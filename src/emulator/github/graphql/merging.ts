/** What a merge depends on in GraphQL's form: who was asked, what the base branch asks of a change, what merges by itself. */
import type { BranchRules, MergeWay } from '../checks/branch-rules.ts';
import { readRef } from '../git/objects.ts';
import { openGroup } from '../checks/merge-queue.ts';
import type { Account, Pull, Repository } from '../world/world-model.ts';
import { holds } from '../world/permissions.ts';
import { allows, listMissingChecks, rulesOf } from '../checks/required.ts';
import { account, nodeId, type World } from '../world/world.ts';
import { connection, toActorNode, unresolved, type Paging, type Place } from './answer-parts.ts';

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
  const { mergeCommitSha } = pull;
  const isInMergeQueue = pull.autoMerge?.isQueued === true;
  const autoMerge = isInMergeQueue ? null : pull.autoMerge;
  return {
    isMergeQueueEnabled: rulesOf(repository, pull.baseRef).hasQueue,
    isInMergeQueue,
    mergedBy: pull.mergedById === undefined ? null : toActorNode(account(world, pull.mergedById)),
    // Asked for one kind only: that somebody had it merged by itself.
    timelineItems: () => ({
      totalCount: place.thread.timeline.filter(({ event }) => event === 'auto_merge_enabled')
        .length,
    }),
    mergeCommit:
      mergeCommitSha === undefined ? null : { __typename: 'Commit', oid: mergeCommitSha },
    autoMergeRequest: autoMerge && {
      enabledAt: place.thread.updatedAt,
      enabledBy: toActorNode(account(world, autoMerge.byId)),
      mergeMethod: WAYS[autoMerge.way],
    },
    reviewRequests: (paging: Paging) =>
      connection(
        [
          ...pull.requestedReviewerIds.map((id) => ({
            id: nodeId('RR', id),
            asCodeOwner: false,
            requestedReviewer: toActorNode(account(world, id)),
          })),
          ...toTeamRequests(place, pull),
        ],
        paging,
      ),
    baseRef: () => toBranch(place, pull.baseRef),
  };
}

/** An App that may not read teams learns that one was asked, but not which. */
function toTeamRequests({ world, repository, actor }: Place, pull: Pull): object[] {
  const owner = account(world, repository.ownerId);
  const { teams } = owner;
  const organization = toActorNode(owner);
  const isHidden =
    actor.kind === 'installation' && !holds(actor, { permissions: ['members'], level: 'read' });
  return [...pull.requestedTeams].flatMap((slug) => {
    const team = teams.get(slug);
    if (team === undefined) return [];
    const id = nodeId('T', team.id);
    const requestedReviewer = (): object => {
      if (isHidden) throw new Error('Resource not accessible by integration');
      return { __typename: 'Team', id, databaseId: team.id, name: slug, slug, organization };
    };
    return [{ id: nodeId('RR', team.id), asCodeOwner: false, requestedReviewer }];
  });
}

/** Null when it is gone. */
export async function toBranch(
  { world, repository }: Pick<Place, 'world' | 'repository'>,
  name: string,
): Promise<{ target: { oid: string } } | null> {
  const ref = `refs/heads/${name}`;
  const oid = await readRef(repository.gitDir, ref);
  if (oid === undefined) return null;
  const rules = rulesOf(repository, name);
  const branch = {
    id: nodeId('REF', repository.id),
    name,
    prefix: 'refs/heads/',
    target: { __typename: 'Commit', oid },
    refUpdateRule: isTold(world, repository, name) ? toOld(rules) : null,
    rules: (paging: Paging) =>
      connection(rules.from === 'ruleset' ? toRules(repository, rules) : [], paging),
  };
  return branch;
}

/** One for each branch that rules are set for. */
export function toRulesets({ rules }: Repository): object[] {
  const names = [...(rules ?? [])].flatMap(([name, { from }]) =>
    from === 'ruleset' ? [name] : [],
  );
  return names.map((name) => ({ __typename: 'RepositoryRuleset', name }));
}

function isTold({ behaviour }: World, repository: Repository, name: string): boolean {
  return !behaviour.hidesUpdateRule && repository.rules?.get(name)?.from === 'protection';
}

/** A branch's own protection, as everybody may know it: the names without their Apps. */
function toOld({ checks, mustResolve = false, mustSign = false }: BranchRules): object {
  return {
    requiredStatusCheckContexts: checks.map(({ context }) => context),
    requiresConversationResolution: mustResolve,
    requiresLinearHistory: false,
    requiresSignatures: mustSign,
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

/** In GitHub's words for each refusal. */
export async function addToQueue(
  place: Place,
  by: Account,
  expected: string | undefined,
): Promise<object> {
  const { repository, thread } = place;
  const { pull } = thread;
  if (pull === undefined) throw unresolved('a PullRequest');
  const { baseRef: branch, headSha: sha } = pull;
  if (!rulesOf(repository, branch).hasQueue) throw new Error('Merge queue is not enabled.');
  if (expected !== undefined && expected !== sha)
    throw new Error(`Head branch was modified. Expected ${expected}, but it is ${sha}.`);
  if (pull.autoMerge?.isQueued === true) throw new Error('Pull request is already in the queue.');
  if (
    thread.state !== 'open' ||
    pull.draft ||
    listMissingChecks(repository, { branch, sha }).length > 0
  )
    throw new Error('Pull request is not mergeable.');
  pull.autoMerge = { byId: by.id, way: 'squash', isQueued: true };
  await openGroup(place.world, repository, thread);
  return { mergeQueueEntry: { id: nodeId('MQE', thread.id), position: 1, state: 'QUEUED' } };
}
