/** The jobs of a session that an App asks for. */
import * as core from '@actions/core';
import { CODE_ARTIFACT } from '../../../domain/dispatch/code-order.ts';
import { summarise, type Job, type Steps } from '../run-action.ts';

export const CODE_STEPS: Steps = { agent: agentJob };

/** An App that was away retries for three days. */
const KEPT_DAYS = 4;

async function agentJob({ inputs, basics, context }: Job): Promise<void> {
  const [
    { readOrder },
    { agentCodeStep },
    { uploadTaskWork },
    { renderTaskSummary },
    { sessionMinutes },
  ] = await Promise.all([
    import('./read-order.ts'),
    import('./agent-code-step.ts'),
    import('../task/read-task-work.ts'),
    import('../tell/write-summary.ts'),
    import('../task/within-job.ts'),
  ]);
  const order = await readOrder(context, inputs);
  const done = await agentCodeStep(basics, context, {
    order,
    minutes: sessionMinutes(inputs),
  });
  // The App looks for this name.
  const handOver = { env: basics.env, artifact: CODE_ARTIFACT, keptDays: KEPT_DAYS };
  core.setOutput('digest', await uploadTaskWork(done, handOver));
  core.setOutput('cost', String(done.usd));
  core.setOutput('session', done.session);
  await summarise(renderTaskSummary(done));
}
