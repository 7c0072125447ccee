/** `/pm hold`, `unhold`, `pause`, `resume` and `stop`: people stop the team, and let it go on. */
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { shownRuns, type Run } from '../../../domain/run/state/run-record.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import type { EffectData } from '../../../domain/event/effect.ts';
import { LABEL_LOOKS } from '../../../domain/repository/labels.ts';
import type { Pause } from '../../../domain/repository/repository-state.ts';
import { cancelRun } from '../../discussion/listen-to-people.ts';
import { createStep, emitEvent, emitEffect } from '../../run/decision.ts';
import { isOpen } from '../../run/thread-context.ts';
import { toRunContext } from '../../kinds/run-kinds.ts';
import {
  asCode,
  done,
  isLater,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';
import { talkLane } from './send-reply.ts';
import { labelHere } from './show/status-command.ts';
import { stopTasks } from './plan/task-commands.ts';

export function hold(context: CommandContext): CommandOutcome {
  const { view } = context;
  const name = labelHere(view, 'hold');
  if (view.issue.labels.includes(name)) return done('This thread is on hold already.');
  changeLabel(context, 'hold', { add: [{ name, ...LABEL_LOOKS.hold }], remove: [] });
  const isBusy = shownRuns(context.state).some((run) => isOpen(run));
  const words = `On hold: no new work starts here until \`/pm unhold\`.${isBusy ? ' Running work finishes; `/pm stop` ends it now.' : ''}`;
  return { ...done(words), undo: { kind: 'hold' } };
}

export function unhold(context: CommandContext): CommandOutcome {
  const name = labelHere(context.view, 'hold');
  if (!context.view.issue.labels.includes(name)) return done('This thread was not on hold.');
  changeLabel(context, 'unhold', { add: [], remove: [name] });
  return { ...done('The hold is removed.'), undo: { kind: 'unhold' } };
}

/** The effect asks for the role once more, right before it is done. */
function changeLabel(
  { step, talk, view }: CommandContext,
  command: 'hold' | 'unhold',
  change: Pick<Extract<EffectData, { kind: 'labels' }>, 'add' | 'remove'>,
): void {
  const { id, login } = talk.actor;
  const needed = requiredPermission(view.config.access, command, 'change');
  // A listed App has no role of its own: its word was checked against the list.
  const authority = talk.actor.isBot ? {} : { authority: { user: { id, login }, needed } };
  const data: EffectData = {
    kind: 'labels',
    thread: talk.thread,
    ...change,
    ...authority,
    evenPaused: true,
  };
  emitEffect(step, data, talkLane({ talk }));
}

export function pause(context: CommandContext, { text }: ParsedCommand): CommandOutcome {
  const { view, step, talk } = context;
  const { paused } = view;
  const already = paused && done(`${asCode(paused.by)} paused it already.`);
  if (already && isLater(paused.comment, talk.comment)) return already;
  const at = new Date(step.now).toISOString();
  const { id, place } = talk.comment;
  notifyRepository(context, {
    by: talk.actor.login,
    why: text.slice(0, 200),
    at,
    ...(place === 'thread' && { comment: id }),
  });
  // Given again, so that a `/pm resume` which was written before this one ends the earlier pause alone.
  if (already) return already;
  const words =
    'Paused: all work in this repository waits, and Quorum only answers commands. `/pm resume` continues it.';
  return { ...done(words), undo: { kind: 'pause' } };
}

export function resume(context: CommandContext): CommandOutcome {
  if (context.view.paused === undefined) return done('Nothing was paused.');
  const { paused } = context.view;
  if (isLater(paused.comment, context.talk.comment))
    return refused(
      `${asCode(paused.by)} paused it after you wrote this. To resume work, repeat \`/pm resume\`.`,
    );
  notifyRepository(context, undefined);
  return { ...done('Work resumes within a minute.'), undo: { kind: 'pause', pause: paused } };
}

/** Stops all work in the repository, or lets it go on. */
export function notifyRepository(
  { step, talk, view }: CommandContext,
  value: Pause | undefined,
): void {
  const key = `repository:${talk.thread.repositoryId}`;
  const suffix = value === undefined ? 'resumed' : 'paused';
  // Absent rather than undefined: it goes through JSON.
  const ended = view.paused === undefined ? {} : { ends: view.paused.at };
  const change = value === undefined ? ended : { pause: value };
  emitEvent(step, { kind: 'paused', run: talk.id, ...change }, { key, suffix });
}

/** Aborts what runs in this thread; answers that are being prepared are thrown away. */
export function stop(context: CommandContext, { text }: ParsedCommand): CommandOutcome {
  const { state, talk } = context;
  const others = Object.keys(state.talks ?? {}).filter((id) => id !== talk.id);
  for (const id of others) delete state.talks?.[id];
  const open = Object.values(state.runs).filter((run) => isOpen(run));
  const why = text === '' ? '' : `: ${asCode(text)}`;
  for (const run of open) endRunOf(context, run, `${asCode(talk.actor.login)} stopped it${why}`);
  const planned = state.planning === undefined ? 0 : 1;
  delete state.planning;
  const ended = open.length + others.length + planned + stopTasks(context, text);
  if (ended === 0) return refused('Nothing was running here.');
  return done(`Stopped: ${ended === 1 ? 'the running work' : `${ended} things`} here.`);
}

/** Ends one run of this thread because a person wants it so. */
export function endRunOf({ state, step, event }: CommandContext, run: Run, why: string): void {
  const own = createStep(event.key, run, step.now);
  cancelRun(toRunContext(state, run, own), why);
  step.effects.push(...own.effects);
  step.events.push(...own.events);
}
