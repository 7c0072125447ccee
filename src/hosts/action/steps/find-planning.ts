/** Whether an event asks the PM for a plan, or answers its questions, and what is known of that in the thread. */
import { z } from 'zod';
import { findPlanning } from '../../../domain/actions/kept/kept-planning.ts';
import { parseCommands } from '../../../domain/commands/command-parse.ts';
import { DEFAULT_LABELS } from '../../../domain/repository/labels.ts';
import type { Basics } from '../../host-parts.ts';
import { MEMORY_BRANCH } from '../job/action-specs.ts';
import { openUnsigned } from '../job/workflow-github.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { readPlannings } from '../branch/kept-planning-branch.ts';
import type { ClaimTicket } from './claim-ticket.ts';
import type { ThreadTrigger } from './find-trigger.ts';

/** Of an issue; a pull request has no plan. */
const WithIssue = z.object({
  issue: z.object({
    pull_request: z.null().optional(),
    labels: z.array(z.object({ name: z.string() })).default([]),
  }),
  comment: z.object({ body: z.string().nullish() }).optional(),
});

/** Commands that let the PM make a plan, or make it again. */
const ASKING: ReadonlySet<string> = new Set(['plan', 'revise']);

/** Undefined for all else. The record is a hint: the apply job checks its signature. */
export async function findPlanningOf(
  basics: Basics,
  context: WorkflowContext,
  trigger: ThreadTrigger,
): Promise<ClaimTicket['planning']> {
  const { data } = WithIssue.safeParse(context.payload);
  if (data === undefined) return undefined;
  const how = howItAsks(trigger, data.comment?.body ?? '');
  if (how === 'not') return undefined;
  const place = { github: openUnsigned(basics, context), repository: context.repository };
  const kept = await readPlannings({ ...place, branch: MEMORY_BRANCH });
  const seed = findPlanning(kept, trigger.thread)?.seed;
  if (how === 'perhaps' && seed?.planning?.phase.kind !== 'waiting') return undefined;
  const isPlan = data.issue.labels.some(({ name }) => name === DEFAULT_LABELS.plan);
  return { isPlan, isAnswer: how === 'perhaps', ...(seed !== undefined && { seed }) };
}

/** `perhaps`: a person's words may answer the PM's questions. */
export function howItAsks(trigger: ThreadTrigger, body: string): 'asks' | 'perhaps' | 'not' {
  const label = DEFAULT_LABELS['plan-me'];
  if (trigger.kind === 'labeled') return trigger.label === label ? 'asks' : 'not';
  if (trigger.kind === 'opened') return trigger.labels.includes(label) ? 'asks' : 'not';
  if (trigger.kind !== 'commented' || trigger.isByBot) return 'not';
  const { commands } = parseCommands(body);
  if (commands.length === 0) return 'perhaps';
  return commands.every(({ name }) => ASKING.has(name)) ? 'asks' : 'not';
}
