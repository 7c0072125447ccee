/** The changes that gh asks for in GraphQL. Each is REST's own operation, so that it has the same limits and webhooks. */
import { z } from 'zod';
import { HttpError } from '../../behave/http-error.ts';
import type { Repository } from '../../world/world-model.ts';
import { actorAccount, type Actor } from '../../world/tokens.ts';
import { account, fullName, readNodeId } from '../../world/world.ts';
import {
  connection,
  forbidden,
  toCommentNode,
  unresolved,
  type Place,
  type ResolverContext,
} from '../answer-parts.ts';
import { labelsOf } from '../../render/to-thread.ts';
import { findCommentNode, findThreadNode } from '../threads/find-nodes.ts';
import type { Input } from './mutations.ts';
import { toSubject, toThread } from '../threads/repository-threads.ts';

interface TextInput {
  title?: string | null;
  body?: string | null;
  state?: string | null;
  assigneeIds?: string[] | null;
  labelIds?: string[] | null;
}

const Created = z.looseObject({ number: z.number() });
const WithId = z.looseObject({ id: z.number() });

export function threadMutations(context: ResolverContext): object {
  return {
    createIssue: async ({ input }: Input<TextInput & { repositoryId: string }>) => {
      const repository = findRepository(context, input.repositoryId);
      const path = `${pathOf(context, repository)}/issues`;
      const answer = await askRest(context, 'CreateIssue', {
        method: 'POST',
        path,
        body: toFields(context, repository, input),
      });
      return { issue: threadNumbered(context, repository, Created.parse(answer).number) };
    },
    updateIssue: async ({ input }: Input<TextInput & { id: string }>) => ({
      issue: await change(context, input.id, { name: 'UpdateIssue', fields: input }),
    }),
    updatePullRequest: async ({ input }: Input<TextInput & { pullRequestId: string }>) => ({
      pullRequest: await change(context, input.pullRequestId, {
        name: 'UpdatePullRequest',
        fields: input,
      }),
    }),
    ...stateMutations(context),
    ...labelMutations(context),
    ...commentMutations(context),
    ...pullMutations(context),
  };
}

function stateMutations(context: ResolverContext): object {
  const setter =
    (name: string, state: 'open' | 'closed') =>
    (id: string, reason?: string | null): Promise<object> =>
      change(context, id, { name, fields: { state }, reason: reason?.toLowerCase() });
  const [closeIssue, reopenIssue] = [setter('CloseIssue', 'closed'), setter('ReopenIssue', 'open')];
  const [closePull, reopenPull] = [
    setter('ClosePullRequest', 'closed'),
    setter('ReopenPullRequest', 'open'),
  ];
  return {
    closeIssue: async ({ input }: Input<{ issueId: string; stateReason?: string | null }>) => ({
      issue: await closeIssue(input.issueId, input.stateReason),
    }),
    reopenIssue: async ({ input }: Input<{ issueId: string }>) => ({
      issue: await reopenIssue(input.issueId),
    }),
    closePullRequest: async ({ input }: Input<{ pullRequestId: string }>) => ({
      pullRequest: await closePull(input.pullRequestId),
    }),
    reopenPullRequest: async ({ input }: Input<{ pullRequestId: string }>) => ({
      pullRequest: await reopenPull(input.pullRequestId),
    }),
  };
}

type LabelsInput = Input<{ labelableId: string; labelIds: string[] }>;

function labelMutations(context: ResolverContext): object {
  return {
    addLabelsToLabelable: async ({ input }: LabelsInput) => {
      const place = findThreadNode(context, input.labelableId);
      const labels = labelNames(place.repository, input.labelIds);
      const path = `${issuePath(place)}/labels`;
      await askRest(context, 'AddLabelsToLabelable', { method: 'POST', path, body: { labels } });
      return { labelable: toThread(place) };
    },
    removeLabelsFromLabelable: async ({ input }: LabelsInput) => {
      const place = findThreadNode(context, input.labelableId);
      const worn = new Set(labelsOf(place.repository, place.thread).map(({ name }) => name));
      for (const label of labelNames(place.repository, input.labelIds)) {
        // GitHub passes over a label that the thread does not have.
        if (!worn.has(label)) continue;
        const path = `${issuePath(place)}/labels/${encodeURIComponent(label)}`;
        await askRest(context, 'RemoveLabelsFromLabelable', { method: 'DELETE', path });
      }
      return { labelable: toThread(place) };
    },
  };
}

function commentMutations(context: ResolverContext): object {
  return {
    addComment: async ({ input }: Input<{ subjectId: string; body: string }>) => {
      const place = findThreadNode(context, input.subjectId);
      const path = `${issuePath(place)}/comments`;
      const body = { body: input.body };
      const { id } = WithId.parse(
        await askRest(context, 'AddComment', { method: 'POST', path, body }),
      );
      const comment = place.thread.comments.find((one) => one.id === id);
      if (comment === undefined) throw unresolved('the comment that was written');
      const { edges } = connection([toCommentNode(place, comment)], { first: 1 });
      return { subject: toThread(place), commentEdge: edges()[0] };
    },
    updateIssueComment: async ({ input }: Input<{ id: string; body: string }>) => {
      const { place, thing } = findCommentNode(context, input.id);
      const path = `${pathOf(context, place.repository)}/issues/comments/${thing.id}`;
      const body = { body: input.body };
      await askRest(context, 'UpdateIssueComment', { method: 'PATCH', path, body });
      return { issueComment: toSubject(place, thing) };
    },
  };
}

interface ReviewInput {
  pullRequestId: string;
  event?: string | null;
  body?: string | null;
  commitOID?: string | null;
}

interface MergeInput {
  pullRequestId: string;
  mergeMethod?: string | null;
  commitHeadline?: string | null;
  commitBody?: string | null;
  expectedHeadOid?: string | null;
}

function pullMutations(context: ResolverContext): object {
  return {
    addPullRequestReview: async ({ input }: Input<ReviewInput>) => {
      const place = findThreadNode(context, input.pullRequestId);
      const path = `${pullPath(place)}/reviews`;
      const body = given({ event: input.event, body: input.body, commit_id: input.commitOID });
      const answer = await askRest(context, 'AddPullRequestReview', { method: 'POST', path, body });
      const { id } = WithId.parse(answer);
      const review = place.thread.pull?.reviews.find((one) => one.id === id);
      return { pullRequestReview: review === undefined ? null : toSubject(place, review) };
    },
    mergePullRequest: async ({ input }: Input<MergeInput>) => {
      const place = findThreadNode(context, input.pullRequestId);
      const body = given({
        merge_method: input.mergeMethod?.toLowerCase(),
        commit_title: input.commitHeadline,
        commit_message: input.commitBody,
        sha: input.expectedHeadOid,
      });
      const path = `${pullPath(place)}/merge`;
      await askRest(context, 'MergePullRequest', { method: 'PUT', path, body });
      return { pullRequest: toThread(place) };
    },
  };
}

async function change(
  context: ResolverContext,
  node: string,
  of: { name: string; fields: TextInput; reason?: string | undefined },
): Promise<object> {
  const place = findThreadNode(context, node);
  const fields = toFields(context, place.repository, of.fields);
  const body = { ...fields, ...given({ state_reason: of.reason }) };
  await askRest(context, of.name, { method: 'PATCH', path: issuePath(place), body });
  return toThread(place);
}

function toFields(context: ResolverContext, repository: Repository, input: TextInput): object {
  const { title, body, state, assigneeIds, labelIds } = input;
  return given({
    title,
    body,
    state: state?.toLowerCase(),
    assignees: assigneeIds?.map((node) => account(context.world, databaseId(node)).login),
    labels: labelIds && labelNames(repository, labelIds),
  });
}

/** Without what was left out. */
function given(fields: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function databaseId(node: string): number {
  const id = readNodeId(node)?.id;
  if (id === undefined) throw unresolved(`a node with the global id of '${node}'`);
  return id;
}

function labelNames(repository: Repository, nodes: readonly string[]): string[] {
  return nodes.map((node) => {
    const label = repository.labels.find(({ id }) => id === databaseId(node));
    if (label === undefined) throw unresolved(`a node with the global id of '${node}'`);
    return label.name;
  });
}

function findRepository({ world }: ResolverContext, node: string): Repository {
  const found = world.state.repositories.get(databaseId(node));
  if (found === undefined) throw unresolved(`a node with the global id of '${node}'`);
  return found;
}

function threadNumbered(context: ResolverContext, repository: Repository, number: number): object {
  const thread = repository.threads.get(number);
  if (thread === undefined) throw unresolved(`an Issue with the number of ${number}`);
  return toThread({ ...context, repository, thread });
}

function pathOf({ world }: ResolverContext, repository: Repository): string {
  return `/repos/${fullName(world, repository)}`;
}

function issuePath(place: Place): string {
  return `${pathOf(place, place.repository)}/issues/${place.thread.number}`;
}

function pullPath(place: Place): string {
  return `${pathOf(place, place.repository)}/pulls/${place.thread.number}`;
}

/** Refusals in the words of GraphQL, which names the change. */
export async function askRest(
  { world, actor }: ResolverContext,
  name: string,
  operation: { method: string; path: string; body?: unknown },
): Promise<unknown> {
  try {
    return await world.operate(actor, operation);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new Error(toWords(actor, name, error), { cause: error });
  }
}

function toWords(actor: Actor, name: string, { status, message, errors = [] }: HttpError): string {
  const login = actorAccount(actor)?.login ?? 'Nobody';
  if (status === 403 && actor.kind === 'installation') return forbidden().message;
  if (status === 403 || status === 404)
    return `${login} does not have the correct permissions to execute \`${name}\``;
  const details = errors.map((one) =>
    typeof one === 'string' ? one : (one.message ?? `${one.field ?? ''} is ${one.code}`),
  );
  return details.length === 0 ? message : details.join(', ');
}
