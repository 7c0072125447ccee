/** The jobs of a standup: claim, agent, apply. Each loads only what its own power needs. */
import * as core from '@actions/core';
import { isTension } from '../../../domain/standup/insight.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import { counted } from '../../../domain/text/counted.ts';
import { summarise, type Job, type Steps } from '../run-action.ts';
import { parseStandupTicket } from './standup-ticket.ts';

export const STANDUP_STEPS: Steps = { claim: claimJob, agent: agentJob, apply: applyJob };

async function claimJob({ inputs, basics, context }: Job): Promise<void> {
  const { claimStandupStep } = await import('./claim-standup-step.ts');
  const claimed = await claimStandupStep(basics, context, inputs);
  core.setOutput('proceed', String(claimed.kind === 'claimed'));
  if (claimed.kind === 'claimed') core.setOutput('claim', JSON.stringify(claimed.ticket));
  else await summarise(`### Quorum: no standup\n\n${claimed.why}\n`);
}

async function agentJob({ inputs, basics, context }: Job): Promise<void> {
  const [{ agentStandupStep }, { uploadFiles, INTENTS }, { renderStandupSummary }, intents] =
    await Promise.all([
      import('./agent-standup-step.ts'),
      import('../steps/hand-over.ts'),
      import('../tell/write-summary.ts'),
      import('../../../domain/actions/intents.ts'),
    ]);
  const work = await agentStandupStep(basics, context, parseStandupTicket(inputs['claim'] ?? ''));
  const bytes = Buffer.from(JSON.stringify(work));
  await uploadFiles(new Map([[INTENTS, bytes]]), handOver({ inputs, basics }));
  core.setOutput('digest', intents.digestIntents(bytes));
  core.setOutput('cost', String(work.spent.usd));
  await summarise(renderStandupSummary(work));
}

async function applyJob({ inputs, basics, context }: Job): Promise<void> {
  const [{ applyStandupStep }, { downloadIntents }] = await Promise.all([
    import('./apply-standup-step.ts'),
    import('../steps/hand-over.ts'),
  ]);
  const ticket = parseStandupTicket(inputs['claim'] ?? '');
  const bytes = await downloadIntents(handOver({ inputs, basics }));
  const digest = inputs['digest'] ?? '';
  const { run, left, written } = await applyStandupStep(basics, context, { ticket, digest, bytes });
  core.setOutput('insights', String(run?.shown?.insights.filter(isTension).length ?? 0));
  core.setOutput('written', String(written));
  await summarise(`### Quorum: standup of #${ticket.plan}\n\n${left ?? outcomeOf(run)}\n`);
}

function outcomeOf(run: Run<'standup'> | undefined): string {
  if (run === undefined) return 'It was held before.';
  const { shown, endReason } = run;
  if (shown === undefined) return `No standup: ${endReason ?? 'it did not end'}.`;
  const tensions = shown.insights.filter(isTension).length;
  return tensions === 0 ? 'No tension.' : `${counted(tensions, 'tension')} in the plan's issue.`;
}

function handOver({ inputs, basics }: Pick<Job, 'inputs' | 'basics'>) {
  return { env: basics.env, artifact: inputs['artifact'] ?? '' };
}
