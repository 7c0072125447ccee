/** What an event says about the merge of a pull request. A review's own words are read again from GitHub with the merge. */
import { z } from 'zod';
import { mayApproveHead } from '../../../policy/head-consent.ts';
import type { KeptTask } from '../../../domain/actions/kept/kept-tasks.ts';
import { ConfigError } from '../../../domain/event/errors.ts';
import { numberInput, type Inputs } from '../job/read-inputs.ts';
import { readRunStart } from '../job/run-start.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import type { MergeNews } from './merge-ticket.ts';

export interface NamedPull {
  pull: number;
  /** What the event says: two events that say the same are one. */
  says: string;
}

const Submitted = z.object({
  pull_request: z.object({ number: z.int().positive() }),
  review: z.object({ id: z.int() }),
});
const MAX_NUMBER = 2_000_000_000;

/** @throws ConfigError `action-input-invalid` */
export function findNamedPull(context: WorkflowContext, inputs: Inputs): NamedPull {
  if (context.event === 'pull_request_review') {
    const { pull_request: pull, review } = Submitted.parse(context.payload);
    return { pull: pull.number, says: `review ${review.id}` };
  }
  const pull = numberInput(inputs, 'pr', { most: MAX_NUMBER });
  if (pull !== undefined) return { pull, says: `run ${context.workflowRun}` };
  throw new ConfigError({
    code: 'action-input-invalid',
    message: 'The input `pr` is missing. Set it to the number of the pull request.',
  });
}

/** A person who starts the workflow asks for the merge of the head that GitHub showed them then. */
export async function findMergeNews(
  context: WorkflowContext,
  { stream: { run }, headAt }: KeptTask,
  at: string,
): Promise<{ news: MergeNews } | { why: string }> {
  if (context.event === 'pull_request_review') return { news: { kind: 'moved' } };
  const { id, login, isBot } = context.sender;
  if (isBot) return { why: 'A merge is started by a person, not by a bot.' };
  const startedAt = await readRunStart(context);
  if (startedAt === undefined)
    return { why: 'GitHub does not tell when this workflow was started.' };
  const headSha = run?.headSha ?? '';
  const permit = mayApproveHead({ headSha, headAt, named: undefined, saidAt: startedAt });
  if (permit.kind === 'refused')
    return { why: 'The head of this pull request is newer than the start of this workflow.' };
  return { news: { kind: 'merge', word: { by: { id, login }, headSha, at } } };
}
