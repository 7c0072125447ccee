/** Whether an event is about a plan: no model is asked then, and the apply job takes the plan further. */
import { z } from 'zod';
import { parseCommands } from '../../../domain/commands/command-parse.ts';
import { DEFAULT_LABELS } from '../../../domain/repository/labels.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import type { ThreadTrigger } from './find-trigger.ts';

const WithIssue = z.object({
  issue: z.object({
    body: z.string().nullish(),
    pull_request: z.unknown().optional(),
    labels: z.array(z.object({ name: z.string() })).default([]),
  }),
  comment: z.object({ body: z.string().nullish() }).optional(),
});

/** Commands that a plan waits for. */
const ANSWERS: ReadonlySet<string> = new Set(['approve', 'reject']);

/** A hint: the apply job reads the issue and its labels again. */
export function isOfPlan(
  { payload }: Pick<WorkflowContext, 'payload'>,
  trigger: ThreadTrigger,
  label: string = DEFAULT_LABELS.plan,
): boolean {
  const { data } = WithIssue.safeParse(payload);
  if (data === undefined || isSet(data.issue.pull_request)) return false;
  const isLabelled = data.issue.labels.some(({ name }) => name === label);
  if (trigger.kind === 'commented')
    return isLabelled && isAnswer(trigger, data.comment?.body ?? '');
  if (trigger.kind === 'labeled') return trigger.label === label;
  return isLabelled && MOVES.has(trigger.kind);
}

const MOVES: ReadonlySet<ThreadTrigger['kind']> = new Set(['opened', 'edited', 'reopened']);

function isAnswer(
  { address }: Extract<ThreadTrigger, { kind: 'commented' }>,
  body: string,
): boolean {
  if (address === undefined || address.place !== 'thread') return false;
  const { commands } = parseCommands(body);
  return address.isYes === true || commands.some(({ name }) => ANSWERS.has(name));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
