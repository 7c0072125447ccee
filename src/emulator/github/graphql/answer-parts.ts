/** What GraphQL's answers are made of: who asks, where things are, accounts and pages. */
import type { Account, Comment, Repository, Thread } from '../world/world-model.ts';
import { authorAssociation, threadHtmlUrl } from '../render/to-thread.ts';
import { actorAccount, type Actor } from '../world/tokens.ts';
import { account, nodeId, type World } from '../world/world.ts';

export interface ResolverContext {
  world: World;
  actor: Actor;
}

export interface Place extends ResolverContext {
  repository: Repository;
  thread: Thread;
}

/** What GraphQL says to an App that was not granted what it asks for. */
export function forbidden(): Error {
  return new Error('Resource not accessible by integration');
}

/** What GraphQL says about a thing that is not there or not visible. */
export function unresolved(what: string): Error {
  return new Error(`Could not resolve to ${what}.`);
}

interface ActorAnswer {
  databaseId: number;
  login: string;
}

export function toActorNode(user: Account): ActorAnswer {
  const type = { User: 'User', Organization: 'Organization', Bot: 'Bot' }[user.type];
  const answer = {
    __typename: type,
    id: nodeId(user.type === 'Bot' ? 'BOT' : 'U', user.id),
    databaseId: user.id,
    login: user.login.replace(/\[bot\]$/, ''),
    name: user.name,
  };
  return answer;
}

/** GitHub's paging arguments; a cursor is the position of a node. */
export interface Paging {
  first?: number | null;
  last?: number | null;
  after?: string | null;
}

interface Connection<T> {
  totalCount: number;
  nodes: () => T[];
  edges: () => object[];
  pageInfo: () => object;
}

/**
 * A list whose fields are computed on demand: the total can be asked for without a page size. What the edges say of
 * their nodes comes from `more`.
 *
 * @throws where GitHub does, from its fields: without a page size, or above 100
 */
export function connection<T extends object>(
  all: readonly T[],
  paging: Paging,
  more: (node: T) => object = () => ({}),
): Connection<T> {
  let cut: Cut<T> | undefined;
  const page = (): Cut<T> => (cut ??= cutOut(all, paging));
  return {
    totalCount: all.length,
    nodes: () => page().nodes,
    edges: () =>
      page().nodes.map((node, index) => ({
        ...more(node),
        cursor: String(page().start + index),
        node,
      })),
    pageInfo: () => {
      const { nodes, start } = page();
      const end = start + nodes.length;
      return {
        hasNextPage: end < all.length,
        hasPreviousPage: start > 0,
        startCursor: nodes.length === 0 ? null : String(start),
        endCursor: nodes.length === 0 ? null : String(end - 1),
      };
    },
  };
}

interface Cut<T> {
  nodes: T[];
  /** Position of the first of them. */
  start: number;
}

function cutOut<T>(all: readonly T[], paging: Paging): Cut<T> {
  refuseEndless(paging);
  const from = paging.after === undefined || paging.after === null ? 0 : Number(paging.after) + 1;
  const rest = all.slice(from);
  const head = typeof paging.first === 'number' ? rest.slice(0, paging.first) : rest;
  const nodes = typeof paging.last === 'number' ? head.slice(-paging.last) : head;
  return { nodes, start: from + head.length - nodes.length };
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
  return user.type === 'User' ? toActorNode(user) : null;
}

export function toCommentNode(place: Place, comment: Comment): object {
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
    includesCreatedEdit: comment.updatedAt !== comment.createdAt,
    lastEditedAt: comment.editedById === undefined ? null : comment.updatedAt,
    editor:
      comment.editedById === undefined
        ? null
        : toActorNode(account(place.world, comment.editedById)),
    ...authorFields(place, comment),
    url: `${threadHtmlUrl(place.world, place.repository, place.thread)}#${anchor}`,
    reactionGroups: toReactionGroups(comment),
    reactions: (paging: Paging) => toReactions(place, comment, paging),
  };
}

/** Who wrote something, and what they are to the repository and to the caller. */
export function authorFields({ world, repository, actor }: Place, of: { userId: number }): object {
  return {
    author: toActorNode(account(world, of.userId)),
    authorAssociation: authorAssociation(world, repository, of.userId),
    viewerDidAuthor: actorAccount(actor)?.id === of.userId,
  };
}

/** All kinds, with those that nobody chose. */
export function toReactionGroups({ reactions }: Pick<Comment, 'reactions'>): object[] {
  return Object.entries(REACTIONS).map(([content, name]) => {
    const own = reactions.filter((one) => one.content === content);
    const totalCount = own.length;
    return {
      content: name,
      createdAt: own[0]?.createdAt ?? null,
      reactors: { totalCount },
      users: { totalCount },
    };
  });
}
