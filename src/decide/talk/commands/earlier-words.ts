/**
 * Deliveries come in any order, and comments of one thread are read side by side. What advances a task waits for a hold that
 * was written before it, so that the merge never overtakes the hold (CMD-11).
 */
import { HANDLED, type Outcome } from '../../run/outcome.ts';
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { parseCommands } from '../../../domain/commands/command-parse.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import type { CommentView } from '../../../domain/run/view.ts';
import type { CommandContext } from '../../run/command-context.ts';
import { emitTimer } from '../../run/decision.ts';
import { finish } from './send-reply.ts';
import { labelHere } from './status-command.ts';

const ADVANCES: ReadonlySet<string> = new Set(['approve', 'merge']);
const AGAIN_MS = 2_000;
/** A lost delivery is found by then. */
const LONGEST_MS = 5 * 60_000;
/** An older hold that shows no label was taken off by hand. */
const RECENT_MS = 60_000;

/** Puts the command off, or refuses it in the end; undefined where nothing that was written before holds it back. */
export function followEarlier(
  context: CommandContext,
  commands: readonly ParsedCommand[],
): Outcome | undefined {
  const { state, talk, step } = context;
  if (state.task === undefined || !commands.some(({ name }) => ADVANCES.has(name)))
    return undefined;
  if (!isHoldUnseen(context)) return undefined;
  if (step.now - Date.parse(talk.startedAt) < LONGEST_MS) {
    talk.phase = { kind: 'waiting', timer: emitTimer(step, 'turn', AGAIN_MS) };
    return HANDLED;
  }
  talk.parts = ['A hold was asked for before this comment. Repeat the command if it still counts.'];
  return finish(context);
}

/** Somebody asked for a hold shortly before, and its label is not to be seen yet. */
function isHoldUnseen(context: CommandContext): boolean {
  const { view } = context;
  if (view.issue.labels.includes(labelHere(view, 'hold'))) return false;
  const last = view.comments.findLast((each) => isEarlier(context, each) && changesHold(each));
  if (last === undefined || lastOf(last)?.name !== 'hold') return false;
  return Date.parse(view.comment.createdAt) - Date.parse(last.createdAt) < RECENT_MS;
}

function isEarlier({ talk, view }: CommandContext, comment: CommentView): boolean {
  const needed = requiredPermission(view.config.access, 'hold', 'change');
  const mayHold = !comment.author.isBot && hasPermission(comment.permission, needed);
  return comment.id < talk.comment.id && mayHold;
}

function changesHold(comment: CommentView): boolean {
  return lastOf(comment) !== undefined;
}

function lastOf({ body }: CommentView): ParsedCommand | undefined {
  return parseCommands(body).commands.findLast(({ name }) => name === 'hold' || name === 'unhold');
}
