/** Conversations marked resolved and texts folded away: GraphQL only, left undone where that is not to be had. */
import { z } from 'zod';
import type { ThreadRef } from '../../../../domain/run/thread-ref.ts';
import type { FoldOutcome, Settled } from '../../../../ports/github/pulls.ts';
import type { SessionContext } from '../../bound.ts';
import { askGraphql, sendGraphql } from '../../client/ask-graphql.ts';

const WHERE = 'pullRequest { number repository { databaseId } }';
const LOOK = `... on PullRequestReviewThread {
    isResolved comments(first: 1) { nodes { id isMinimized } } ${WHERE}
  }
  ... on PullRequestReviewComment { isMinimized ${WHERE} }
  ... on PullRequestReview { isMinimized ${WHERE} }`;

/** Ids in one request. */
const AT_ONCE = 25;

const Node = z.object({
  isResolved: z.boolean().default(false),
  isMinimized: z.boolean().default(false),
  comments: z
    .object({ nodes: z.array(z.object({ id: z.string(), isMinimized: z.boolean() })) })
    .optional(),
  pullRequest: z.object({
    number: z.number(),
    repository: z.object({ databaseId: z.number() }),
  }),
});

interface Target {
  id: string;
  /** Of a conversation: the comment that began it. */
  commentId: string | undefined;
  outcome: FoldOutcome;
}

export async function foldSettled(
  bound: SessionContext,
  ref: ThreadRef,
  { conversations, texts }: Settled,
): Promise<FoldOutcome[]> {
  const wanted = [...conversations, ...texts];
  const ids = [...new Set(wanted)];
  const outcomes = new Map<string, FoldOutcome>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const targets = await look(bound, ref, ids.slice(from, from + AT_ONCE));
    await foldOpen(
      bound,
      targets.filter(({ outcome }) => outcome === 'done'),
    );
    for (const { id, outcome } of targets) outcomes.set(id, outcome);
  }
  return wanted.map((id) => outcomes.get(id) ?? 'unavailable');
}

/** What each will have come to when all goes well. */
async function look(
  bound: SessionContext,
  ref: ThreadRef,
  ids: readonly string[],
): Promise<Target[]> {
  const fields = ids.map((_, index) => `n${index}: node(id: $i${index}) { ${LOOK} }`);
  const data = (await askGraphql(bound, toQuery('query', ids, fields)))?.fields;
  return ids.map((id, index) =>
    data === undefined
      ? { id, commentId: undefined, outcome: 'unavailable' }
      : toTarget(ref, id, data[`n${index}`]),
  );
}

/** An id is anybody's word: only what is of this pull request is touched. */
function toTarget(ref: ThreadRef, id: string, found: unknown): Target {
  const { data: node } = Node.safeParse(found);
  if (node === undefined || !isOf(ref, node)) return { id, commentId: undefined, outcome: 'gone' };
  const [first] = node.comments?.nodes ?? [];
  const isFolded = node.isResolved || node.isMinimized || first?.isMinimized === true;
  return { id, commentId: first?.id, outcome: isFolded ? 'was-done' : 'done' };
}

function isOf(ref: ThreadRef, { pullRequest }: z.infer<typeof Node>): boolean {
  const { number, repository } = pullRequest;
  return number === ref.number && repository.databaseId === ref.repositoryId;
}

/** Resolves what may be resolved, and hides the rest. Writes into each target what it came to. */
async function foldOpen(bound: SessionContext, open: readonly Target[]): Promise<void> {
  const asked = open.map((target): Change => {
    return { target, how: target.commentId === undefined ? 'replace' : 'resolve' };
  });
  const refused = await change(bound, asked);
  const left = refused.filter(({ how }) => how === 'resolve');
  // A refusal says nothing of other conversations, so that nothing of it is remembered.
  await change(
    bound,
    left.map(({ target }) => ({ target, how: 'hide' })),
  );
}

type How = 'resolve' | 'hide' | 'replace';

interface Change {
  target: Target;
  how: How;
}

const OUTCOMES: Readonly<Record<How, FoldOutcome>> = {
  resolve: 'done',
  replace: 'done',
  hide: 'hidden',
};

/** Returns what GitHub did not let us change. */
async function change(bound: SessionContext, changes: readonly Change[]): Promise<Change[]> {
  if (changes.length === 0) return [];
  const ids = changes.map(({ target, how }) =>
    how === 'hide' ? (target.commentId ?? target.id) : target.id,
  );
  const fields = changes.map(({ how }, index) => `n${index}: ${mutationOf(how, `$i${index}`)}`);
  const data = (await sendGraphql(bound, toQuery('mutation', ids, fields)))?.fields;
  const refused: Change[] = [];
  for (const [index, one] of changes.entries()) {
    const isDone = (data?.[`n${index}`] ?? undefined) !== undefined;
    one.target.outcome = isDone ? OUTCOMES[one.how] : 'unavailable';
    if (!isDone) refused.push(one);
  }
  return refused;
}

function mutationOf(how: How, id: string): string {
  if (how === 'resolve')
    return `resolveReviewThread(input: { threadId: ${id} }) { clientMutationId }`;
  const why = how === 'hide' ? 'RESOLVED' : 'OUTDATED';
  return `minimizeComment(input: { subjectId: ${id}, classifier: ${why} }) { clientMutationId }`;
}

function toQuery(kind: 'query' | 'mutation', ids: readonly string[], fields: readonly string[]) {
  const declared = ids.map((_, index) => `$i${index}: ID!`).join(', ');
  return {
    text: `${kind} (${declared}) { ${fields.join('\n')} }`,
    variables: Object.fromEntries(ids.map((id, index) => [`i${index}`, id])),
  };
}
