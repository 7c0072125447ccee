/** The jobs of a merge: claim, verify, apply. Each loads only what its own power needs. */
import * as core from '@actions/core';
import { summarise, type Job, type Steps } from '../run-action.ts';
import type { GoneOn } from './go-on-with-plan.ts';
import { parseMergeTicket, type MergeTicket } from './merge-ticket.ts';

export const MERGE_STEPS: Steps = { claim: claimJob, verify: verifyJob, apply: applyJob };

async function claimJob({ inputs, basics, context }: Job): Promise<void> {
  const { claimMergeStep } = await import('./claim-merge-step.ts');
  const claimed = await claimMergeStep(basics, context, inputs);
  core.setOutput('proceed', String(claimed.kind === 'claimed'));
  if (claimed.kind === 'nothing')
    return summarise(`### Quorum: nothing to merge\n\n${claimed.why}\n`);
  const { ticket } = claimed;
  core.setOutput('claim', JSON.stringify(ticket));
  core.setOutput('retest', String(ticket.retest !== undefined));
}

async function verifyJob({ inputs, basics, context }: Job): Promise<void> {
  const { verifyMergeStep } = await import('./verify-merge-step.ts');
  const proof = await verifyMergeStep(basics, context, ticketIn(inputs));
  if (proof === undefined) return summarise('### Quorum: the merge could not be tested\n');
  core.setOutput('proof', JSON.stringify(proof));
  const { done } = proof;
  const told = 'receipt' in done ? done.receipt.sentence : 'The change conflicts with the base.';
  await summarise(`### Quorum: tests of the merge\n\n${told}\n`);
}

async function applyJob({ inputs, basics, context }: Job): Promise<void> {
  const [{ applyMergeStep }, { advanceAfterMerge, goOnWithPlan }] = await Promise.all([
    import('./apply-merge-step.ts'),
    import('./go-on-with-plan.ts'),
  ]);
  const ticket = ticketIn(inputs);
  const proof = inputs['proof'] ?? '';
  const applied = await applyMergeStep(basics, context, { ticket, proof });
  const { status, why, written, plan, isPlanLeft } = applied;
  core.setOutput('status', status);
  core.setOutput('written', String(written));
  if (plan !== undefined) core.setOutput('plan', String(plan));
  const isMerged = status === 'merged' || status === 'done-before';
  const after = { basics, context, ticket };
  const { told, failed } =
    isMerged && isPlanLeft !== true
      ? await goOnWithPlan(basics, (nth) => advanceAfterMerge(after, nth))
      : NOTHING;
  const lines = [...why, ...told].map((line) => `- ${line}`).join('\n');
  await summarise(`### Quorum: #${ticket.pull} ${TITLES[status]}\n\n${lines}\n`);
  if (failed !== undefined) throw failed;
}

const NOTHING: GoneOn = { told: [] };

const TITLES = {
  merged: 'is merged',
  waiting: 'waits',
  'given-back': 'was given back',
  'done-before': 'was done before',
  'left-to-app': 'is left to the App',
} as const;

function ticketIn(inputs: Job['inputs']): MergeTicket {
  return parseMergeTicket(inputs['claim'] ?? '');
}
