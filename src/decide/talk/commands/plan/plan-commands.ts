/** `/pm approve` and `reject`: what a plan or a task's head waits for, bound to what the person was shown (CB-4). */
import { ALLOWED, forbid, type Permit } from '../../../../domain/run/permit/permit.ts';
import type { ParsedCommand } from '../../../../domain/commands/command.ts';
import { doubtOf } from '../../../../domain/plan/approval.ts';
import { parsePlan } from '../../../../domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../domain/plan/plan-digest.ts';
import type { PlanState } from '../../../../domain/plan/plan-view.ts';
import { mayApproveHead } from '../../../../policy/head-consent.ts';
import { explainDoubt } from '../../../plan/approval/explain-doubt.ts';
import { lookAgain } from '../../../plan/look-again.ts';
import { shownAt } from '../../../plan/note-shown.ts';
import { threadKey } from '../../../../domain/run/thread-ref.ts';
import { createStep, emitEffect } from '../../../run/decision.ts';
import { notifyTask } from '../../../plan/task-pull.ts';
import type { Undo } from '../../../../domain/commands/undo.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';

export function approve(context: CommandContext, { args }: ParsedCommand): CommandOutcome {
  const { state, view, talk } = context;
  if (view.issue.isPull) return approveHead(context, args.at(0));
  const { plan } = state;
  if (plan === undefined) return refused('There is no plan here that waits for approval.');
  const read = parsePlan(view.issue.body);
  if (read.problems.length > 0)
    return refused('The plan has problems, so it cannot be approved. Its comment lists them.');
  const digest = planDigest(read);
  const saidAt = view.comment.createdAt;
  const doubt = doubtOf({
    digest,
    named: args.at(0)?.toLowerCase(),
    shown: plan.shown,
    saidAt,
    delivered: talk.address.planDigest,
  });
  if (doubt !== undefined) {
    const words = explainDoubt(doubt, { plan: read, digest, seen: shownAt(plan, saidAt) });
    // Our comment shows it as it is now, so that the next approval can be of it.
    readAgain(context, plan);
    return refused(words);
  }
  const { id, login } = talk.actor;
  const at = new Date(context.step.now).toISOString();
  const undo = undoOf(plan, digest);
  plan.approval = { by: { id, login }, digest, how: 'command', at };
  delete plan.rejected;
  readAgain(context, plan);
  return { ...done(), undo };
}

export function reject(context: CommandContext, { text }: ParsedCommand): CommandOutcome {
  const { state, view, talk } = context;
  const { plan } = state;
  if (plan === undefined) return refused('There is no proposal here to reject.');
  const digest = planDigest(parsePlan(view.issue.body));
  const undo = undoOf(plan, digest);
  delete plan.approval;
  plan.rejected = { by: talk.actor.login, digest };
  readAgain(context, plan);
  const why = text === '' ? '' : ` (${asCode(text)})`;
  const isOurs = view.issue.author.id === view.self.id;
  if (isOurs && Object.keys(plan.tasks ?? {}).length === 0) {
    const lane = `plan:${threadKey(plan.thread)}`;
    const { thread } = plan;
    emitEffect(context.step, { kind: 'close', thread, reason: 'not_planned' }, { lane });
    return done(`Rejected${why}: closed as not planned.`);
  }
  const say = `Rejected${why}: no task starts. Tasks in progress continue; \`/pm stop\` ends them.`;
  return { ...done(say), undo };
}

/** What was kept before somebody approved or rejected this text. */
function undoOf({ approval, rejected }: PlanState, digest: string): Undo {
  return {
    kind: 'answer',
    digest,
    ...(approval === undefined ? {} : { approval }),
    ...(rejected === undefined ? {} : { rejected }),
  };
}

/** Approves the head that the task pushed; a commit that was named must be that one. */
function approveHead(context: CommandContext, named: string | undefined): CommandOutcome {
  const permit = notifyOfHead(context, { kind: 'approved', named });
  return permit.kind === 'refused' ? refused(permit.reason) : done();
}

export function merge(context: CommandContext): CommandOutcome {
  const said =
    'Quorum merges this when all requirements are met. The check `quorum / merge` lists what is missing.';
  const permit = notifyOfHead(context, { kind: 'merge' });
  return permit.kind === 'refused' ? refused(permit.reason) : done(said);
}

/**
 * Tells the task which head a person consents to: the one they named, else the one that GitHub showed before the
 * comment was written (CMD-09). Refused when the head is neither of these.
 */
function notifyOfHead(
  { state, view, step, talk }: CommandContext,
  { kind, named }: { kind: 'approved' | 'merge'; named?: string | undefined },
): Permit {
  if (state.task === undefined)
    return forbid(
      'This pull request does not belong to a task of a plan, so people approve and merge it on GitHub.',
    );
  const { headSha, headAt } = state.task;
  const permit = mayApproveHead({ headSha, headAt, named, saidAt: view.comment.createdAt });
  if (permit.kind === 'refused') return forbid(`${permit.reason} ${requestHead(headSha, kind)}`);
  const { id, login } = talk.actor;
  const at = new Date(step.now).toISOString();
  notifyTask(step, state, { kind, word: { by: { id, login }, headSha, at } });
  return ALLOWED;
}

function requestHead(headSha: string, kind: 'approved' | 'merge'): string {
  const head = headSha.slice(0, 12);
  const how =
    kind === 'merge'
      ? '`/pm merge`'
      : `\`/pm approve\`; \`/pm approve ${head}\` approves exactly this commit`;
  return `The head is ${asCode(head)}. Look at it, then comment ${how}.`;
}

/** The plan is read once more, so that its comment and its tasks follow. */
export function readAgain({ step, event }: CommandContext, plan: PlanState): void {
  const own = createStep(event.key, plan, step.now);
  lookAgain(own, plan);
  step.effects.push(...own.effects);
  step.events.push(...own.events);
}
