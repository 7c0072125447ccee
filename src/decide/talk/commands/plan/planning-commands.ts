/** `/pm plan` and `/pm revise`: the PM makes a plan, or revises it. Also handles a refusal, which ends nothing. */
import type { Outcome } from '../../../run/outcome.ts';
import type { ParsedCommand } from '../../../../domain/commands/command.ts';
import { requiredPermission } from '../../../../domain/config/config.ts';
import { parsePlan } from '../../../../domain/plan/body/parse-plan.ts';
import { planDigest } from '../../../../domain/plan/plan-digest.ts';
import { hasPermission } from '../../../../domain/run/thread-ref.ts';
import { BUSY } from '../../../plan/advance.ts';
import { isPlanning, startPlanning, type Asked } from '../../../plan/planning/start-planning.ts';
import { refused, type CommandContext, type CommandOutcome } from '../../../run/command-context.ts';
import { mayBeginWork } from '../council-commands.ts';
import { drop, finish } from '../send-reply.ts';

export function plan(context: CommandContext, { text }: ParsedCommand): CommandOutcome {
  const permit = mayBeginWork(context);
  if (permit.kind === 'refused') return refused(permit.reason);
  if (context.state.plan !== undefined)
    return refused('This is already a plan: `/pm revise …` has the PM make it again.');
  return begin(context, { wish: text });
}

export function revise(context: CommandContext, { text }: ParsedCommand): CommandOutcome {
  const { state, view } = context;
  const { plan: kept } = state;
  const permit = mayBeginWork(context);
  if (permit.kind === 'refused') return refused(permit.reason);
  if (kept === undefined || kept.isComplete === true)
    return refused('There is no plan here to revise. `/pm plan` asks the PM for one.');
  const read = parsePlan(view.issue.body);
  if (read.problems.length > 0)
    return refused('The plan has errors. Fix them first; its comment lists them.');
  const busy = read.tasks.filter(
    ({ number, status }) =>
      status === 'claimed' ||
      status === 'in_progress' ||
      BUSY.has(kept.tasks?.[String(number)]?.state ?? 'pending'),
  );
  if (busy.length > 0)
    return refused(
      `Task ${busy.map(({ number }) => number).join(', ')} is being worked on: \`/pm stop\` ends that first.`,
    );
  const completed = read.tasks.filter(({ status }) => status === 'completed');
  const revises = { digest: planDigest(read), completed: completed.map(({ number }) => number) };
  return begin(context, { wish: text, revises });
}

/** A run has begun: it says by itself how it ended. */
function begin(
  { state, talk, step, event }: CommandContext,
  asked: Pick<Asked, 'wish' | 'revises'>,
): CommandOutcome {
  if (isPlanning(state)) return refused('The PM is already working on it.');
  const { thread, actor, comment } = talk;
  const cause = `${talk.id}/plan`;
  const own = startPlanning(state, {
    ...asked,
    cause,
    key: event.key,
    now: step.now,
    thread,
    actor,
    askedIn: comment,
  });
  step.effects.push(...own.effects);
  step.events.push(...own.events);
  return { isDone: true, isUnderWay: true };
}

/** CB-4: the author says no, wait, or actually. Nothing begins, and the reply explains how to go on. */
export function continuePlanning(context: CommandContext): Outcome {
  const { talk, view } = context;
  const needed = requiredPermission(view.config.access, 'revise', 'change');
  if (!hasPermission(view.permission ?? 'none', needed))
    return drop(context, 'its author cannot say yes or no here');
  talk.isDone = true;
  talk.parts.push(
    'Nothing starts without approval. What should change? `/pm revise …`, or a reply that begins with *yes, but …*, has the PM make the plan again; an edit of its text does as well; `/pm reject` turns it down.',
  );
  return finish(context);
}
