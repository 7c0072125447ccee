/** What a job leaves of an order that it refuses: the App reads it in the artifact of the failed job. */
import { toFailure } from '../../../domain/event/errors.ts';
import type { WorkflowContext } from '../job/workflow-context.ts';
import { concludeTask, type TaskAgentResult } from '../task/agent-task-step.ts';
import { readOrderKey } from './read-order.ts';

/** As a hand-over takes it. */
const MAX_MESSAGE = 4_000;

/** Undefined where the dispatch names no session. */
export function concludeRefused(
  error: unknown,
  context: WorkflowContext,
): TaskAgentResult | undefined {
  const claim = readOrderKey(context);
  if (claim === undefined) return undefined;
  const { code, message } = toFailure(error);
  const { workflowRun, attempt } = context;
  // An earlier attempt of the job may have asked a model, and left nothing behind: its cost is an estimate then.
  const calls = attempt === 1 ? { calls: [] } : {};
  const failure = { code, message: message.slice(0, MAX_MESSAGE), ...calls };
  return concludeTask({ claim, workflowRun, failure });
}
