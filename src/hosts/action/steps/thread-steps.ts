/** The jobs of actions that work on one thread: claim, agent, apply. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as core from '@actions/core';
import { summarise, type Job, type Steps } from '../run-action.ts';
import { IntentsFile } from '../../../domain/actions/intents.ts';
import { parseClaimTicket, type ClaimTicket } from './claim-ticket.ts';

/** A power each. What a step needs is loaded by that step alone: the job that writes does not even load a model's client. */
export const THREAD_STEPS: Steps = {
  claim: claimJob,
  agent: agentJob,
  apply: applyJob,
};

async function claimJob({ inputs, basics, context }: Job): Promise<void> {
  const { claimStep } = await import('./claim-step.ts');
  const claimed = await claimStep(basics, context, inputs);
  core.setOutput('proceed', String(claimed.kind === 'claimed'));
  if (claimed.kind === 'claimed') core.setOutput('claim', JSON.stringify(claimed.ticket));
  else await summarise(`### Quorum: nothing to do\n\n${claimed.why}\n`);
}

async function agentJob({ name, inputs, basics, context }: Job): Promise<void> {
  const [{ agentStep }, { uploadIntents }, { renderAgentSummary }] = await Promise.all([
    import('./agent-step.ts'),
    import('./hand-over.ts'),
    import('../tell/write-summary.ts'),
  ]);
  const ticket = parseClaimTicket(inputs['claim'] ?? '');
  if (ticket.isPlan === true) return handOverNothing(ticket, { inputs, basics, context });
  const personas = listOf(inputs['personas']);
  const { file, findings, endReason } = await agentStep(basics, context, { ticket, personas });
  const { env } = basics;
  const digest = await uploadIntents(file, { env, artifact: inputs['artifact'] ?? '' });
  core.setOutput('digest', digest);
  core.setOutput('verdict', file.outcome.verdict);
  core.setOutput('cost', String(file.spent.usd));
  if (name === 'review') {
    core.setOutput('findings', String(file.outcome.findings));
    const { renderSarif } = await import('../tell/render-sarif.ts');
    const sarif = path.join(env['RUNNER_TEMP'] ?? '.', 'quorum.sarif');
    await writeFile(sarif, renderSarif(findings));
    core.setOutput('sarif', sarif);
  }
  await summarise(renderAgentSummary(file, endReason));
}

/** The apply job takes a plan further, and asks no model. */
async function handOverNothing(
  { claim }: ClaimTicket,
  { inputs, basics, context }: Pick<Job, 'inputs' | 'basics' | 'context'>,
): Promise<void> {
  const { uploadIntents } = await import('./hand-over.ts');
  const file = IntentsFile.parse({ ...NOTHING, claim, workflowRun: context.workflowRun });
  const to = { env: basics.env, artifact: inputs['artifact'] ?? '' };
  core.setOutput('digest', await uploadIntents(file, to));
  core.setOutput('verdict', file.outcome.verdict);
  core.setOutput('cost', '0');
  await summarise('### Quorum: no model is needed\n\nThe next job takes the plan further.\n');
}

const NOTHING = {
  version: 1,
  intents: [],
  spent: { usd: 0, calls: 0, unknownCalls: 0 },
  trajectory: {
    turns: 0,
    retries: 0,
    repeatedCalls: 0,
    firstPromptTokens: 0,
    lastPromptTokens: 0,
    wastedUsd: 0,
  },
  outcome: { verdict: 'NONE', headline: '', findings: 0 },
};

async function applyJob({ inputs, basics, context }: Job): Promise<void> {
  const [{ applyStep }, { downloadIntents }] = await Promise.all([
    import('./apply-step.ts'),
    import('./hand-over.ts'),
  ]);
  const ticket = parseClaimTicket(inputs['claim'] ?? '');
  const { env } = basics;
  const bytes = await downloadIntents({ env, artifact: inputs['artifact'] ?? '' });
  const digest = inputs['digest'] ?? '';
  const { file, written, told } = await applyStep(basics, context, { ticket, digest, bytes });
  core.setOutput('verdict', file.outcome.verdict);
  core.setOutput('written', String(written));
  const lines = told.map((line) => `- ${line}\n`).join('');
  await summarise(
    `### Quorum: ${file.outcome.verdict}\n\n${written} writes were carried out.\n\n${lines}`,
  );
}

function listOf(text: string | undefined): string[] | undefined {
  const names = (text ?? '').split(',').map((name) => name.trim());
  const given = names.filter((name) => name !== '');
  return given.length === 0 ? undefined : given;
}
