/** `/pm approve` and `reject`: the yes that a plan or a task's head waits for, bound to exactly what was there (CB-4). */
import type { ParsedCommand } from '../../domain/command.ts';
import { parsePlan } from '../../domain/plan/parse-plan.ts';
import { planDigest } from '../../domain/plan/plan-digest.ts';
import type { PlanState } from '../../domain/plan/plan-view.ts';
import { lookAgain } from '../plan/look-again.ts';
import { threadKey } from '../../domain/thread.ts';
import { createStep, want } from '../decision.ts';
import { tellTask } from '../plan/task-pull.ts';
import type { Undo } from '../../domain/undo.ts';
import { asCode, done, refused, type Bench, type Outcome } from './bench.ts';

export function approve(bench: Bench, { args }: ParsedCommand): Outcome {
  const { state, view } = bench;
  if (view.issue.isPull) return approveHead(bench, args.at(0));
  const { plan } = state;
  if (plan === undefined) return refused('There is no proposal here that waits for a yes.');
  const read = parsePlan(view.issue.body);
  if (read.problems.length > 0)
    return refused('The plan has things to mend first; its comment says which.');
  const digest = planDigest(read);
  const named = args.at(0)?.toLowerCase();
  if (named !== undefined && !digest.startsWith(named))
    return refused(`The plan says something else by now (${asCode(digest)}): read it again.`);
  if (named === undefined && isOlder(view.comment.createdAt, plan.shown?.at))
    return refused(`The plan was changed since (${asCode(digest)}): read it again.`);
  const { id, login } = bench.talk.actor;
  const at = new Date(bench.step.now).toISOString();
  const undo = undoOf(plan, digest);
  plan.approval = { by: { id, login }, digest, how: 'command', at };
  delete plan.rejected;
  readAgain(bench, plan);
  return { ...done(), undo };
}

/** GitHub's times have no fractions of a second. */
function isOlder(saidAt: string, shownAt: string | undefined): boolean {
  return shownAt !== undefined && Date.parse(saidAt) + 1000 <= Date.parse(shownAt);
}

export function reject(bench: Bench, { text }: ParsedCommand): Outcome {
  const { state, view, talk } = bench;
  const { plan } = state;
  if (plan === undefined) return refused('There is no proposal here that could be turned down.');
  const digest = planDigest(parsePlan(view.issue.body));
  const undo = undoOf(plan, digest);
  delete plan.approval;
  plan.rejected = { by: talk.actor.login, digest };
  readAgain(bench, plan);
  const why = text === '' ? '' : ` (${asCode(text)})`;
  const isOurs = view.issue.author.id === view.self.id;
  if (isOurs && Object.keys(plan.tasks ?? {}).length === 0) {
    const lane = `plan:${threadKey(plan.thread)}`;
    const { thread } = plan;
    want(bench.step, { kind: 'close', thread, reason: 'not_planned' }, { lane });
    return done(`Turned down${why}: closed as not planned.`);
  }
  const say = `Turned down${why}: no task begins. What is being worked on goes on; \`/pm stop\` ends it.`;
  return { ...done(say), undo };
}

/** What stood there before somebody said yes or no to this text. */
function undoOf({ approval, rejected }: PlanState, digest: string): Undo {
  return {
    kind: 'answer',
    digest,
    ...(approval === undefined ? {} : { approval }),
    ...(rejected === undefined ? {} : { rejected }),
  };
}

/** A yes to the head that the task pushed; a commit that was named must be that one. */
function approveHead(bench: Bench, named: string | undefined): Outcome {
  return sayOfHead(bench, 'approved', named) ?? done();
}

export function merge(bench: Bench): Outcome {
  const said =
    'Merged as soon as everything holds; the check `quorum / merge` says what is missing.';
  return sayOfHead(bench, 'merge') ?? done(said);
}

/**
 * Tells the task of a yes to its head: the one that was named, else the one that stood there when the comment was written
 * (CMD-09). Returns why there is none.
 */
function sayOfHead(
  { state, view, step, talk }: Bench,
  kind: 'approved' | 'merge',
  named?: string,
): Outcome | undefined {
  if (state.task === undefined)
    return refused('This is no pull request of a task; people approve and merge it themselves.');
  const { headSha, headAt } = state.task;
  const isMeant =
    named === undefined
      ? !isOlder(view.comment.createdAt, headAt)
      : headSha.startsWith(named.toLowerCase());
  if (!isMeant)
    return refused(`The head is ${asCode(headSha.slice(0, 12))} by now: look at it again.`);
  const { id, login } = talk.actor;
  const at = new Date(step.now).toISOString();
  tellTask(step, state, { kind, word: { by: { id, login }, headSha, at } });
  return undefined;
}

/** The plan is read once more, so that its comment and its tasks follow. */
export function readAgain({ step, event }: Bench, plan: PlanState): void {
  const own = createStep(event.key, plan, step.now);
  lookAgain(own, plan);
  step.effects.push(...own.effects);
  step.events.push(...own.events);
}
