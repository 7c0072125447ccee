/** The jobs of a task: claim, agent, verify, apply. Each loads only what its own power needs. */
import * as core from '@actions/core';
import { summarise, type Job, type Steps } from '../run-action.ts';
import { parseTaskTicket, type TaskTicket } from './task-ticket.ts';

export const TASK_STEPS: Steps = {
  claim: claimJob,
  agent: agentJob,
  verify: verifyJob,
  apply: applyJob,
};

async function claimJob({ inputs, basics, context }: Job): Promise<void> {
  const { claimTaskStep } = await import('./claim-task-step.ts');
  const claimed = await claimTaskStep(basics, context, inputs);
  core.setOutput('proceed', String(claimed.kind === 'claimed'));
  if (claimed.kind === 'claimed') core.setOutput('claim', JSON.stringify(claimed.ticket));
  else await summarise(`### Quorum: nothing to do\n\n${claimed.why}\n`);
}

async function agentJob({ inputs, basics, context }: Job): Promise<void> {
  const [{ agentTaskStep }, { uploadTaskWork }, { renderTaskSummary }, { sessionMinutes }] =
    await Promise.all([
      import('./agent-task-step.ts'),
      import('./read-task-work.ts'),
      import('../tell/write-summary.ts'),
      import('./within-job.ts'),
    ]);
  const done = await agentTaskStep(basics, context, {
    ticket: ticketIn(inputs),
    minutes: sessionMinutes(inputs),
  });
  core.setOutput('digest', await uploadTaskWork(done, handOver({ inputs, basics })));
  core.setOutput('cost', String(done.usd));
  core.setOutput('session', done.session);
  await summarise(renderTaskSummary(done));
}

async function verifyJob({ inputs, basics, context }: Job): Promise<void> {
  const [{ verifyTaskStep }, { readTaskWork }] = await Promise.all([
    import('./verify-task-step.ts'),
    import('./read-task-work.ts'),
  ]);
  const ticket = ticketIn(inputs);
  const digest = inputs['digest'] ?? '';
  const coded = await readTaskWork({ context, ticket, digest }, handOver({ inputs, basics }));
  const proof = await verifyTaskStep(basics, context, { ticket, digest, coded });
  if (proof === undefined) return summarise('### Quorum: nothing to verify\n');
  core.setOutput('proof', JSON.stringify(proof));
  const lines =
    'failed' in proof.done
      ? [`- ${proof.done.failed.message}`]
      : proof.done.receipts.map(({ gate, result, sentence }) => `- ${gate} ${result}: ${sentence}`);
  await summarise(`### Quorum: gates\n\n${lines.join('\n')}\n`);
}

async function applyJob({ inputs, basics, context }: Job): Promise<void> {
  const [{ applyTaskStep }, { readTaskWork }] = await Promise.all([
    import('./apply-task-step.ts'),
    import('./read-task-work.ts'),
  ]);
  const ticket = ticketIn(inputs);
  const digest = inputs['digest'] ?? '';
  const coded = await readTaskWork({ context, ticket, digest }, handOver({ inputs, basics }));
  const proof = inputs['proof'] ?? '';
  const { pull, review, why, written } = await applyTaskStep(basics, context, {
    ticket,
    digest,
    coded,
    proof,
  });
  core.setOutput('status', pull === undefined ? 'given-back' : 'in-review');
  core.setOutput('pr', pull === undefined ? '' : String(pull.number));
  core.setOutput('written', String(written));
  core.setOutput('review', review === undefined ? '' : JSON.stringify(review));
  const told = pull === undefined ? why : `[#${pull.number}](${pull.url}) is open for review.`;
  await summarise(`### Quorum: task ${ticket.order.ref.task}\n\n${told}\n`);
}

function ticketIn(inputs: Job['inputs']): TaskTicket {
  return parseTaskTicket(inputs['claim'] ?? '');
}

function handOver({ inputs, basics }: Pick<Job, 'inputs' | 'basics'>) {
  return { env: basics.env, artifact: inputs['artifact'] ?? '' };
}
