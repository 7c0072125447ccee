/** The jobs of a sweep: claim, agent, apply. Each loads only what its own power needs. */
import * as core from '@actions/core';
import { summarise, type Job, type Steps } from '../run-action.ts';
import { renderSweep, type LoopReport } from './loop-report.ts';
import { parseSweepDone, parseSweepTicket } from './sweep-ticket.ts';

export const SWEEP_STEPS: Steps = {
  claim: claimJob,
  agent: agentJob,
  apply: applyJob,
};

async function claimJob({ inputs, basics, context }: Job): Promise<void> {
  const { claimSweepStep } = await import('./claim-sweep-step.ts');
  const { ticket, reports } = await claimSweepStep(basics, context, inputs);
  const { events, memory, watch, plans, week } = ticket;
  const isWork = events.length > 0 || [memory, watch, plans, week].some((one) => one !== undefined);
  core.setOutput('proceed', String(isWork));
  if (isWork) core.setOutput('claim', JSON.stringify(ticket));
  await tell('one pass', reports, { mayFail: !isWork });
}

async function agentJob({ inputs, basics, context }: Job): Promise<void> {
  const [{ agentSweepStep }, { uploadFiles }, { readVisibility }] = await Promise.all([
    import('./agent-sweep-step.ts'),
    import('../steps/hand-over.ts'),
    import('../job/read-visibility.ts'),
  ]);
  const ticket = parseSweepTicket(inputs['claim'] ?? '');
  const isPrivate = await readVisibility(context);
  const { done, files, usd, reports } = await agentSweepStep(ticket, {
    basics,
    context,
    isPrivate,
  });
  const { env } = basics;
  if (files.size > 0) await uploadFiles(files, { env, artifact: inputs['artifact'] ?? '' });
  core.setOutput('digest', JSON.stringify(done));
  core.setOutput('cost', String(usd));
  await tell(`what the models said, $${usd.toFixed(4)}`, reports, { mayFail: false });
}

async function applyJob({ inputs, basics, context }: Job): Promise<void> {
  const { applySweepStep } = await import('./apply-sweep-step.ts');
  const ticket = parseSweepTicket(inputs['claim'] ?? '');
  const done = parseSweepDone(inputs['digest'] ?? '');
  const artifact = inputs['artifact'] ?? '';
  const { written, reports } = await applySweepStep(ticket, done, { basics, context, artifact });
  core.setOutput('written', String(written));
  await tell('what was written', reports, { mayFail: true });
}

/** A loop that was not finished fails the job where no other job would be skipped for it. */
async function tell(
  title: string,
  reports: readonly LoopReport[],
  { mayFail }: { mayFail: boolean },
): Promise<void> {
  await summarise(renderSweep(title, reports));
  for (const { loop, lines } of reports.filter(({ isFailed }) => isFailed === true)) {
    const said = `${loop} was not finished: ${lines.at(-1) ?? ''}`;
    if (mayFail) core.setFailed(said);
    else core.warning(said);
  }
}
