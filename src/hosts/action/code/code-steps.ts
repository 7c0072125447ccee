/** The jobs of a session that an App asks for. */
import * as core from '@actions/core';
import { CODE_ARTIFACT, type CodeOrder } from '../../../domain/dispatch/code-order.ts';
import type { Basics } from '../../host-parts.ts';
import { summarise, type Job, type Steps } from '../run-action.ts';
import type { TaskAgentResult } from '../task/agent-task-step.ts';

export const CODE_STEPS: Steps = { agent: agentJob };

/** An App that was away retries for three days. */
const KEPT_DAYS = 4;
async function agentJob(job: Job): Promise<void> {
  const [{ agentCodeStep }, { renderTaskSummary }, { sessionMinutes }] = await Promise.all([
    import('./agent-code-step.ts'),
    import('../tell/write-summary.ts'),
    import('../task/within-job.ts'),
  ]);
  const { inputs, basics, context } = job;
  const order = await orderOf(job);
  const done = await agentCodeStep(basics, context, {
    order,
    minutes: sessionMinutes(inputs),
  });
  await handOver(done, basics);
  core.setOutput('cost', String(done.usd));
  core.setOutput('session', done.session);
  await summarise(renderTaskSummary(done));
}

/** No model was asked for an order that is refused: the App reads that in the artifact of the failed job, and books nothing. */
async function orderOf({ inputs, basics, context }: Job): Promise<CodeOrder> {
  const { readOrder } = await import('./read-order.ts');
  try {
    return await readOrder(context, inputs);
  } catch (error) {
    const { concludeRefused } = await import('./refuse-order.ts');
    const done = concludeRefused(error, context);
    // Why the order is refused is what a person has to know, also where this cannot be handed over.
    if (done !== undefined) await handOver(done, basics).catch(() => undefined);
    throw error;
  }
}

async function handOver(done: TaskAgentResult, { env }: Basics): Promise<void> {
  const { uploadTaskWork } = await import('../task/read-task-work.ts');
  // The App looks for this name.
  const to = { env, artifact: CODE_ARTIFACT, keptDays: KEPT_DAYS };
  core.setOutput('digest', await uploadTaskWork(done, to));
}
