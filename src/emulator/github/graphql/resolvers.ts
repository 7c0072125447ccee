/** The roots of GraphQL's queries and changes: what gh and Apps ask for, for one caller. */
import { findAccount, readNodeId, type World } from '../world/world.ts';
import type { Actor } from '../world/tokens.ts';
import { findThreads } from '../search.ts';
import { connection, toActor, unresolved, type Paging, type Scene } from './answer-parts.ts';
import { checkMutations } from './check-runs.ts';
import { findBy, findComment, findThread } from './threads/find-nodes.ts';
import { findViewer, mutations } from './mutations/mutations.ts';
import { toRepository, toSubject, toThread, whereabouts } from './threads/repository-threads.ts';
import { threadMutations } from './mutations/thread-mutations.ts';
import { toOwner } from './to-owner.ts';
import { heads, toReviewThread } from './to-review.ts';

export function actorRoot(world: World, actor: Actor): object {
  const scene = { world, actor };
  return {
    viewer: () => toActor(findViewer(scene)),
    repository: (at: { owner: string; name: string }) => toRepository(scene, at),
    node: (at: { id: string }) => toNode(scene, at.id),
    rateLimit: () => ({
      limit: 5000,
      cost: 1,
      remaining: 5000,
      used: 0,
      nodeCount: 0,
      resetAt: new Date(world.clock.now()).toISOString(),
    }),
    search: (asked: Search) => search(scene, asked),
    user: ({ login }: { login: string }) => toAccount(scene, login, 'User'),
    organization: ({ login }: { login: string }) => toAccount(scene, login, 'Organization'),
    ...mutations(scene),
    ...threadMutations(scene),
    ...checkMutations(scene),
  };
}

interface Search extends Paging {
  query: string;
  type: string;
}

/** Repositories, people and discussions are not searched. */
function search({ world, actor }: Scene, { query, type, ...paging }: Search): object {
  const hits = type.startsWith('ISSUE') ? findThreads(world, actor, query) : [];
  const found = connection(
    hits.map((hit) => toThread({ world, actor, ...hit })),
    paging,
  );
  return { ...found, issueCount: hits.length };
}

function toAccount(scene: Scene, login: string, type: 'User' | 'Organization'): object {
  const account = findAccount(scene.world, login);
  if (account?.type !== type) throw unresolved(`a ${type} with the login of '${login}'`);
  return toOwner(scene, account);
}

function toNode(scene: Scene, node: string): object {
  const kind = readNodeId(node)?.kind;
  if (kind === 'I' || kind === 'PR') return toThread(findThread(scene, node));
  if (kind === 'PRRT') {
    const found = findBy(scene, node, (thread, id) => heads(thread).find((one) => one.id === id));
    return toReviewThread(found.place, found.thing, whereabouts(found.place));
  }
  const found = findComment(scene, node);
  return toSubject(found.place, found.thing);
}
