/** The roots of GraphQL's queries and changes: what gh and Apps ask for, for one caller. */
import { canSee } from '../world/permissions.ts';
import type { Account } from '../world/world-model.ts';
import { findAccount, readNodeId, type World } from '../world/world.ts';
import type { Actor } from '../world/tokens.ts';
import { findThreads } from '../search.ts';
import { connection, unresolved, type Paging, type ResolverContext } from './answer-parts.ts';
import { checkMutations } from './check-runs.ts';
import { findBy, findCommentNode, findThreadNode } from './threads/find-nodes.ts';
import { findViewer, mutations } from './mutations/mutations.ts';
import {
  toRepositoryNode,
  toSubject,
  toThread,
  whereabouts,
} from './threads/repository-threads.ts';
import { commitMutation } from './mutations/commit-mutation.ts';
import { threadMutations } from './mutations/thread-mutations.ts';
import { toRepositoryFields } from './repository-fields.ts';
import { toOwner } from './to-owner.ts';
import { heads, toReviewThread } from './to-review.ts';

export function actorRoot(world: World, actor: Actor): object {
  const context = { world, actor };
  return {
    viewer: () => toOwned(context, findViewer(context)),
    repositoryOwner: ({ login }: { login: string }) => {
      const owner = findAccount(world, login);
      return owner === undefined ? null : toOwned(context, owner);
    },
    repository: (at: { owner: string; name: string }) => toRepositoryNode(context, at),
    node: (at: { id: string }) => toNode(context, at.id),
    rateLimit: () => ({
      limit: 5000,
      cost: 1,
      remaining: 5000,
      used: 0,
      nodeCount: 0,
      resetAt: new Date(world.clock.now()).toISOString(),
    }),
    search: (asked: Search) => search(context, asked),
    user: ({ login }: { login: string }) => toAccount(context, login, 'User'),
    organization: ({ login }: { login: string }) => toAccount(context, login, 'Organization'),
    ...mutations(context),
    ...threadMutations(context),
    ...commitMutation(context),
    ...checkMutations(context),
  };
}

/** An account with its repositories that the caller may see, as `gh repo list` asks for them. */
function toOwned(context: ResolverContext, owner: Account): object {
  const { world, actor } = context;
  return {
    ...toOwner(context, owner),
    repositories: (asked: Paging & { privacy?: string | null; isFork?: boolean | null }) => {
      const own = [...world.state.repositories.values()].filter(
        (one) =>
          one.ownerId === owner.id &&
          canSee(world, actor, one) &&
          [undefined, null, one.private ? 'PRIVATE' : 'PUBLIC'].includes(asked.privacy) &&
          [undefined, null, one.forkOf !== undefined].includes(asked.isFork),
      );
      const newest = own.toSorted((a, b) => (a.pushedAt < b.pushedAt ? 1 : -1));
      return connection(
        newest.map((one) => toRepositoryFields(context, one)),
        asked,
      );
    },
  };
}

interface Search extends Paging {
  query: string;
  type: string;
}

/** Repositories, people and discussions are not searched. */
function search({ world, actor }: ResolverContext, { query, type, ...paging }: Search): object {
  const hits = type.startsWith('ISSUE') ? findThreads(world, actor, query) : [];
  const found = connection(
    hits.map((hit) => toThread({ world, actor, ...hit })),
    paging,
  );
  return { ...found, issueCount: hits.length };
}

function toAccount(context: ResolverContext, login: string, type: 'User' | 'Organization'): object {
  const account = findAccount(context.world, login);
  if (account?.type !== type) throw unresolved(`a ${type} with the login of '${login}'`);
  return toOwner(context, account);
}

function toNode(context: ResolverContext, node: string): object {
  const kind = readNodeId(node)?.kind;
  if (kind === 'I' || kind === 'PR') return toThread(findThreadNode(context, node));
  if (kind === 'PRRT') {
    const found = findBy(context, node, (thread, id) => heads(thread).find((one) => one.id === id));
    return toReviewThread(found.place, found.thing, whereabouts(found.place));
  }
  const found = findCommentNode(context, node);
  return toSubject(found.place, found.thing);
}
