/**
 * Deliveries arrive in any order, and comments of one thread are read in parallel. A command that advances a task waits
 * for a hold that was written before it, so that the merge never overtakes the hold (CMD-11). It also waits until the
 * task has linked the pull request to this thread, so that no approval is lost.
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
import { labelHere } from './show/status-command.ts';

const ADVANCES: ReadonlySet<string> = new Set(['approve', 'merge', 'done']);
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
  const { talk, step } = context;
  if (!commands.some(({ name }) => ADVANCES.has(name))) return undefined;
  const reason = reasonToWait(context);
  if (reason === undefined) return undefined;
  const waitedMs = step.now - Date.parse(talk.startedAt);
  if (waitedMs < LONGEST_MS) {
    // Each look costs calls: the longer it took already, the longer the next one can wait.
    const delayMs = Math.max(AGAIN_MS, Math.floor(waitedMs / 2));
    talk.phase = { kind: 'waiting', timer: emitTimer(step, 'turn', delayMs) };
    return HANDLED;
  }
  talk.parts = [reason];
  return finish(context);
}

/** The reason to wait, which becomes the reply when the wait times out. */
function reasonToWait(context: CommandContext): string | undefined {
  if (context.state.task === undefined) return isLinkPending(context) ? NOT_LINKED : undefined;
  return isHoldUnseen(context) ? HELD_BEFORE : undefined;
}

const NOT_LINKED =
  'No task of a plan is linked to this pull request, so the command was not carried out. Repeat it once the task shows this pull request, or approve and merge on GitHub.';
const HELD_BEFORE =
  'A hold was asked for before this comment. Repeat the command if it still counts.';

/**
 * People see a pull request that a task opened before the task has told its thread. Who opened it is all that is believed,
 * as nobody else can be that author; a branch's name or a text can be anybody's. It grants nothing: the task's own event does.
 */
function isLinkPending({ view }: CommandContext): boolean {
  return view.issue.isPull && view.issue.author.id === view.self.id;
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
