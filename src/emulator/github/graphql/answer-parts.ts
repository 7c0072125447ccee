/** What GraphQL's answers are made of: who asks, where things are, accounts and pages. */
import type { Account, Comment, Repository, Thread } from '../world/world-model.ts';
import { threadHtmlUrl } from '../render/to-thread.ts';
import type { Actor } from '../world/tokens.ts';
import { account, nodeId, type World } from '../world/world.ts';

export interface Scene {
  world: World;
  actor: Actor;
}

export interface Place extends Scene {
  repository: Repository;
  thread: Thread;
}

/** What GraphQL says about a thing that is not there or not visible. */
export function unresolved(what: string): Error {
  return new Error(`Could not resolve to ${what}.`);
}

export function toActor(user: Account): object {
  const type = { User: 'User', Organization: 'Organization', Bot: 'Bot' }[user.type];
  return {
    __typename: type,
    id: nodeId(user.type === 'Bot' ? 'BOT' : 'U', user.id),
    databaseId: user.id,
    login: user.login.replace(/\[bot\]$/, ''),
    name: user.name,
  };
}

/** GitHub's paging arguments; a cursor is the position of a node. */
export interface Paging {
  first?: number | null;
  last?: number | null;
  after?: string | null;
}

/** As {@link connection}, of edges that say something of their nodes. */
export function edges(all: readonly { node: object }[], paging: Paging): object {
  const found = connection(all, paging);
  return { ...found, edges: found.nodes, nodes: found.nodes.map(({ node }) => node) };
}

interface Connection<T> {
  nodes: T[];
  edges: object[];
  totalCount: number;
  pageInfo: object;
}

/** The nodes that the arguments ask for. @throws where GitHub does: without a number, or with more than a hundred */
export function connection<T extends object>(all: readonly T[], paging: Paging): Connection<T> {
  refuseEndless(paging);
  const from = paging.after === undefined || paging.after === null ? 0 : Number(paging.after) + 1;
  const rest = all.slice(from);
  const head = typeof paging.first === 'number' ? rest.slice(0, paging.first) : rest;
  const nodes = typeof paging.last === 'number' ? head.slice(-paging.last) : head;
  const start = from + head.length - nodes.length;
  const end = start + nodes.length;
  return {
    nodes,
    edges: nodes.map((node, index) => ({ cursor: String(start + index), node })),
    totalCount: all.length,
    pageInfo: {
      hasNextPage: end < all.length,
      hasPreviousPage: start > 0,
      startCursor: nodes.length === 0 ? null : String(start),
      endCursor: nodes.length === 0 ? null : String(end - 1),
    },
  };
}

const MAX_NODES = 100;

function refuseEndless({ first, last }: Paging): void {
  const wanted = first ?? last;
  if (wanted === undefined || wanted === null)
    throw new Error('You must provide a `first` or `last` value to properly paginate.');
  if (wanted > MAX_NODES)
    throw new Error(`Requesting ${wanted} records exceeds the limit of ${MAX_NODES} records.`);
}

const REACTIONS: Record<string, string> = {
  '+1': 'THUMBS_UP',
  '-1': 'THUMBS_DOWN',
  laugh: 'LAUGH',
  confused: 'CONFUSED',
  heart: 'HEART',
  hooray: 'HOORAY',
  rocket: 'ROCKET',
  eyes: 'EYES',
};

export function toReactions(place: Place, comment: Pick<Comment, 'reactions'>, paging: Paging) {
  return connection(
    comment.reactions.map((one) => ({
      id: nodeId('REA', one.id),
      databaseId: one.id,
      content: REACTIONS[one.content],
      createdAt: one.createdAt,
      user: toUserOnly(account(place.world, one.userId)),
    })),
    paging,
  );
}

/** Fields of the type `User` are null for bots. */
export function toUserOnly(user: Account): object | null {
  return user.type === 'User' ? toActor(user) : null;
}

export function toComment(place: Place, comment: Comment): object {
  const isInline = 'diffHunk' in comment;
  const anchor = isInline ? `discussion_r${comment.id}` : `issuecomment-${comment.id}`;
  return {
    __typename: isInline ? 'PullRequestReviewComment' : 'IssueComment',
    id: nodeId(isInline ? 'PRRC' : 'IC', comment.id),
    databaseId: comment.id,
    fullDatabaseId: String(comment.id),
    body: comment.body,
    createdAt: comment.createdAt,
    updatedAt: comment.updatedAt,
    isMinimized: comment.minimizedReason !== undefined,
    minimizedReason: comment.minimizedReason?.toLowerCase().replaceAll('_', '-') ?? null,
    author: toActor(account(place.world, comment.userId)),
    url: `${threadHtmlUrl(place.world, place.repository, place.thread)}#${anchor}`,
    reactions: (paging: Paging) => toReactions(place, comment, paging),
  };
}
