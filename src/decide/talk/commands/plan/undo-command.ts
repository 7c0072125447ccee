/** `/pm undo`: takes back the last command of this thread, unless it led to something that cannot be taken back. */
import { ALLOWED, forbid, type Permit } from '../../../../domain/run/permit/permit.ts';
import type { ParsedCommand } from '../../../../domain/commands/command.ts';
import { parsePlan } from '../../../../domain/plan/body/parse-plan.ts';
import { mayWord } from '../../../../domain/plan/task-state.ts';
import type { Done, TaskLines, Undo } from '../../../../domain/commands/undo.ts';
import { BUSY } from '../../../plan/advance.ts';
import {
  asCode,
  done,
  isLater,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../../run/command-context.ts';
import { hold, notifyRepository, unhold } from '../control-commands.ts';
import { note } from '../show/model-command.ts';
import { readAgain } from './plan-commands.ts';
import { editLines, linesOf } from './task-lines.ts';

/** Why what these do stays done. */
const NEVER: Readonly<Record<string, string>> = {
  merge: 'once it is merged, a pull request that reverts it does; `/pm hold` stops it before that',
  done: 'reopen the thread; GitHub restores a branch from its pull request',
  stop: 'stopped work starts again when you ask for it',
  run: '`/pm stop` ends the running work',
  retry: '`/pm stop` ends the running work',
  unblock: '`/pm block` holds the task back again',
  plan: '`/pm reject` rejects the proposal',
  revise: 'the earlier text is in the edit history of the issue',
  watch: 'close the issues that it opened by hand',
  feedback: 'comment it again with another reason',
};

const MAX_KEPT = 10;

/** Keeps what a command did, right after it was done; what it did itself says more. */
export function saveUndo(
  { state, talk }: CommandContext,
  { name, text }: ParsedCommand,
  { isDone, undo: own }: CommandOutcome,
): void {
  const why = NEVER[name];
  const kept = own ?? (why === undefined ? undefined : { kind: 'never' as const, why });
  if (!isDone || kept === undefined) return;
  const command = `/pm ${name} ${text}`.trim();
  const { id, place } = talk.comment;
  const given = { command, by: talk.actor.login, ...(place === 'thread' && { comment: id }) };
  state.undos = [{ ...kept, ...given }, ...(state.undos ?? [])].slice(0, MAX_KEPT);
}

export function undo(context: CommandContext): CommandOutcome {
  const { state, talk } = context;
  const [last, ...rest] = state.undos ?? [];
  if (last === undefined) return refused('There is no command here that can be undone.');
  if (isLater(last.comment, talk.comment))
    return refused(
      `${asCode(last.command)} by ${asCode(last.by)} came after you wrote this. To undo that, repeat \`/pm undo\`.`,
    );
  const reverted = revert(context, last);
  if (reverted.kind === 'refused')
    return refused(`${asCode(last.command)} cannot be undone: ${reverted.reason}.`);
  state.undos = rest;
  return done(`Undone: ${asCode(last.command)} by ${asCode(last.by)}.`);
}

/** Takes it back, where that is allowed. */
function revert(context: CommandContext, last: Done): Permit {
  switch (last.kind) {
    case 'never':
      return forbid(last.why);
    case 'hold':
      unhold(context);
      return ALLOWED;
    case 'unhold':
      hold(context);
      return ALLOWED;
    case 'pause':
      notifyRepository(context, last.pause);
      return ALLOWED;
    case 'model':
      note(context, last.model === undefined ? {} : { model: last.model });
      return ALLOWED;
    case 'answer':
      return undoAnswer(context, last);
    case 'task':
      return undoLines(context, last);
  }
}

function undoAnswer(
  context: CommandContext,
  { digest, approval, rejected }: Extract<Undo, { kind: 'answer' }>,
): Permit {
  const { plan } = context.state;
  const now = plan?.approval?.digest ?? plan?.rejected?.digest;
  if (plan === undefined || now !== digest) return forbid('the plan has changed since then');
  if (Object.values(plan.tasks ?? {}).some(({ state }) => BUSY.has(state)))
    return forbid('work on it has started; `/pm stop` ends it');
  delete plan.approval;
  delete plan.rejected;
  if (approval !== undefined) plan.approval = approval;
  if (rejected !== undefined) plan.rejected = rejected;
  readAgain(context, plan);
  return ALLOWED;
}

function undoLines(
  context: CommandContext,
  { task: number, before, after }: Extract<Undo, { kind: 'task' }>,
): Permit {
  const { plan } = context.state;
  const task = parsePlan(context.view.issue.body).tasks.find((each) => each.number === number);
  if (plan === undefined || task === undefined || !isSame(linesOf(task), after))
    return forbid(`task ${number} has changed since then`);
  if (!mayWord(task.status, before.status)) return forbid(`task ${number} has gone on`);
  editLines(context, plan, { task: number, lines: before });
  return ALLOWED;
}

function isSame(a: TaskLines, b: TaskLines): boolean {
  return a.status === b.status && a.assignee === b.assignee && a.reason === b.reason;
}
