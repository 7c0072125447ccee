/** `/pm standup`, `/pm tensions` and `/pm tension`: people ask for a look back, and decide what becomes of what it raised. */
import type { ParsedCommand } from '../../../domain/commands/command.ts';
import { requiredPermission } from '../../../domain/config/config.ts';
import { runKey } from '../../../domain/run/state/run-record.ts';
import type { TensionMove } from '../../../domain/standup/standup-run.ts';
import { acceptTension, rejectTension } from '../../../domain/tension/move-tension.ts';
import {
  isUnsettled,
  NO_TENSIONS,
  type Tension,
  type TensionBook,
} from '../../../domain/tension/tension.ts';
import { startRun } from '../../discussion/start-run.ts';
import { RUN_KINDS } from '../../kinds/run-kinds.ts';
import {
  asCode,
  done,
  refused,
  type CommandContext,
  type CommandOutcome,
} from '../../run/command-context.ts';
import { emitEffect } from '../../run/decision.ts';
import { isOpen, type TensionMoveWanted } from '../../run/thread-context.ts';

/** Looks back on the plan in its present state, or on the discussion here. */
export function holdStandup(context: CommandContext): CommandOutcome {
  const { state, talk, step, event, view } = context;
  if (!view.config.standup.enabled)
    return refused('Standups are switched off here (`standup.enabled` in the configuration).');
  const about = `asked/${talk.id}`;
  const isHeld = Object.values(state.runs).some((run) => run.trigger === 'standup' && isOpen(run));
  if (isHeld || runKey('standup', about) in state.runs)
    return done('A standup is being held here; it will be shown in this thread.');
  const { plan } = state;
  const begun = startRun(state, {
    event: { ...event, id: `${talk.id}/standup` },
    trigger: {
      kind: 'requested',
      by: 'command',
      thread: talk.thread,
      actor: talk.actor,
      label: '/pm standup',
    },
    kind: 'standup',
    runKind: RUN_KINDS.standup,
    about,
    standup: {
      run: talk.id,
      outcome: plan?.isStuck === true ? 'failed' : 'completed',
      isAsked: true,
    },
    label: '/pm standup',
    now: step.now,
    askedIn: talk.comment,
  });
  step.effects.push(...begun.effects);
  step.events.push(...begun.events);
  return { isDone: true, isUnderWay: true };
}

const MOST_LISTED = 20;

export function listTensions({ view }: CommandContext): CommandOutcome {
  const { tensions } = view.tensions ?? NO_TENSIONS;
  const open = tensions.filter(isUnsettled);
  if (open.length === 0) return done('No tension is open in this repository.');
  const shown = open
    .toSorted((a, b) => b.seen - a.seen || a.number - b.number)
    .slice(0, MOST_LISTED);
  const more = open.length - shown.length;
  const parts = [
    `**${open.length === 1 ? '1 tension' : `${open.length} tensions`} open**`,
    shown.map(toLine).join('\n'),
    more > 0 ? `${more} more: \`quorum standup list\` shows all of them.` : '',
    'Decide with `/pm tension accept N` or `/pm tension reject N why`.',
  ];
  return done(parts.filter((part) => part !== '').join('\n\n'));
}

function toLine({ number, type, from, message, seen, firstSeen, issue, state }: Tension): string {
  const facts = [
    asCode(type),
    from,
    seen === 1 ? 'seen once' : `seen ${seen} times`,
    `since ${firstSeen.slice(0, 10)}`,
    ...(state === 'accepted' ? [issue === undefined ? 'accepted' : `follow-up #${issue}`] : []),
  ];
  return `- **${number}** ${asCode(message, 300)} (${facts.join(', ')})`;
}

export function decideTension(context: CommandContext, command: ParsedCommand): CommandOutcome {
  const [word = '', which = ''] = command.args;
  const number = Number(which.replace('#', ''));
  const why = command.args.slice(2).join(' ');
  return word.toLowerCase() === 'accept'
    ? accept(context, number)
    : reject(context, number, why.slice(0, 500));
}

function accept(context: CommandContext, number: number): CommandOutcome {
  const { view, talk, step } = context;
  const book = bookOf(view);
  const by = talk.actor.login;
  const moved = acceptTension(book, number, { by, at: new Date(step.now).toISOString() });
  if (!moved.isMoved) return refused(moved.why);
  const { issue } = moved.tension;
  if (issue !== undefined) return done(`Tension ${number} has its follow-up: #${issue}.`);
  wantMove(context, { kind: 'accept', which: { number }, by }, tellerOf(context, moved.tension));
  return done(`Tension ${number} is accepted. Quorum opens its follow-up issue.`);
}

function reject(context: CommandContext, number: number, why: string): CommandOutcome {
  const { view, talk, step } = context;
  const by = talk.actor.login;
  const at = new Date(step.now).toISOString();
  const moved = rejectTension(bookOf(view), number, { by, at, why });
  if (!moved.isMoved) return refused(moved.why);
  wantMove(context, { kind: 'reject', which: { number }, by, why });
  return done(`Tension ${number} is rejected. It stays silent until what it rests on changes.`);
}

function bookOf(view: CommandContext['view']): TensionBook {
  return view.tensions ?? NO_TENSIONS;
}

/** The persona that raised it says that its issue is there. Its sentence is kept: the team may be another one by then. */
function tellerOf({ view, talk }: CommandContext, { from }: Tension): TensionMoveWanted['told'] {
  const persona = view.personas.find(({ handle }) => handle === from);
  const phrase = persona?.phrases.issueCreated;
  return {
    login: talk.actor.login,
    ...(persona && { by: persona.name }),
    ...(phrase !== undefined && { phrase }),
  };
}

/** The answer is given at once; `onOwnMove` opens the follow-up, and tells where it turns out otherwise. */
function wantMove(
  { step, talk, state, view }: CommandContext,
  move: TensionMove,
  told?: TensionMoveWanted['told'],
): void {
  const { thread } = talk;
  const { id, login } = talk.actor;
  const needed = requiredPermission(view.config.access, 'tension', 'change');
  const effectId = emitEffect(
    step,
    { kind: 'move-tensions', thread, moves: [move], authority: { user: { id, login }, needed } },
    { lane: `tensions:${thread.repositoryId}` },
  );
  const kept = { thread, ...(told && { told }) };
  state.tensionMoves = { ...state.tensionMoves, [effectId]: kept };
}
