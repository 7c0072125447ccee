/** Makes a trigger of a workflow's event, as the App makes one of a delivery. */
import { z } from 'zod';
import type { Trigger } from '../../../domain/event/trigger.ts';
import { threadKey, type ThreadRef } from '../../../domain/run/thread-ref.ts';
import { parseDelivery } from '../../../events/parse-delivery.ts';
import { ACTIONS_LOGIN } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';

export type ThreadTrigger = Extract<Trigger, { thread: ThreadRef }>;

export type FoundTrigger =
  | {
      kind: 'trigger';
      trigger: ThreadTrigger;
      /** What the event says: two events that say the same are one. */
      says: string;
    }
  | { kind: 'ignored'; reason: string };

/** A number that an input names, or that was found for a `workflow_run`. */
export interface NamedThread {
  kind: 'pull' | 'issue';
  number: number;
  headSha?: string;
}

export function findTrigger(
  context: WorkflowContext,
  named: NamedThread | undefined,
  at: string,
): FoundTrigger {
  if (named !== undefined) return toNamedTrigger(context, named);
  const edit = findOwnEdit(context);
  if (edit !== undefined) return edit;
  const verdict = parseDelivery({
    event: context.event,
    deliveryId: `actions:${context.workflowRun}`,
    payload: context.payload,
    at,
    installationId: context.repository.installationId,
  });
  if (verdict.kind === 'ignored') return verdict;
  const [event] = verdict.events;
  const data = event?.data;
  if (data?.kind !== 'trigger' || !('thread' in data.trigger))
    return { kind: 'ignored', reason: `nothing acts on ${context.event} in a workflow` };
  const { trigger } = data;
  // Without anything that tells a replay from a repetition, each workflow run is an event of its own.
  const says = event?.dedupKey ?? `run ${context.workflowRun}`;
  return { kind: 'trigger', trigger, says: `${threadKey(trigger.thread)} ${says}` };
}

const Edited = z.object({
  action: z.literal('edited'),
  issue: z.object({ number: z.number() }),
  comment: z.object({
    id: z.number(),
    updated_at: z.string(),
    user: z.object({ login: z.literal(ACTIONS_LOGIN) }),
  }),
});

/** A person edited what a workflow wrote: they may have ticked a box. No App's id tells our comments here. */
function findOwnEdit(context: WorkflowContext): FoundTrigger | undefined {
  const { event, payload, sender, repository } = context;
  const { data } = Edited.safeParse(payload);
  if (event !== 'issue_comment' || data === undefined || sender.isBot) return undefined;
  const { id: commentId, updated_at: updatedAt } = data.comment;
  const thread: ThreadRef = { ...repository, number: data.issue.number };
  const says = `${threadKey(thread)} edit ${commentId} ${updatedAt}`;
  return {
    kind: 'trigger',
    says,
    trigger: { kind: 'own-comment-edited', thread, actor: sender, commentId },
  };
}

function toNamedTrigger(context: WorkflowContext, named: NamedThread): FoundTrigger {
  const thread: ThreadRef = { ...context.repository, number: named.number };
  const actor = context.sender;
  const says = `${threadKey(thread)} ${named.headSha ?? `run ${context.workflowRun}`}`;
  if (named.kind === 'issue')
    return {
      kind: 'trigger',
      says,
      trigger: {
        kind: 'requested',
        thread,
        actor,
        label: 'deliberate',
        meaning: 'deliberate',
        by: 'command',
      },
    };
  const headSha = named.headSha ?? '';
  return {
    kind: 'trigger',
    says,
    trigger: { kind: 'pull', action: 'opened', thread, actor, headSha },
  };
}
