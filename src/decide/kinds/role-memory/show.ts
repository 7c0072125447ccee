/** The one comment of a proposal: what is proposed, and later what became of it. */
import {
  renderAnswered,
  renderProposal,
  type RoleOutcome,
} from '../../../domain/memory/role/role-proposal.ts';
import { emitEffect, firstWrite } from '../../run/decision.ts';
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import { writeLane, type RunContext } from '../../run/thread-context.ts';

type Context = Pick<RunContext<'role_memory'>, 'run' | 'step'>;

export function showProposal(context: Context): void {
  const { operations = [], first } = context.run;
  write(context, renderProposal(operations, first));
}

function showOutcome(context: Context, outcome: RoleOutcome): void {
  write(context, renderAnswered(outcome, context.run.operations ?? []));
}

function write({ run, step }: Context, body: string): void {
  const key = 'roles';
  const marker = { kind: 'proposal' as const, run: run.id, key };
  emitEffect(
    step,
    { kind: 'comment', thread: run.thread, marker, body, ...firstWrite(run, key) },
    { lane: writeLane(run.thread), isUnheard: true },
  );
}

/** Tells people what became of what they were shown. */
export function endProposal(context: Context, outcome: RoleOutcome): Outcome {
  showOutcome(context, outcome);
  return endRoleMemory(context, outcome.kind === 'failed' ? outcome.code : undefined);
}

export function endRoleMemory({ run, step }: Context, reason?: string): Outcome {
  run.phase = { kind: 'ended' };
  run.status = reason === undefined ? 'consensus' : 'closed';
  run.endedAt = new Date(step.now).toISOString();
  if (reason !== undefined) run.endReason = reason;
  delete run.texts;
  delete run.operations;
  return HANDLED;
}
