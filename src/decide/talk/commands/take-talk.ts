/** One talk: reads a comment, runs its commands or answers its question, and dispatches every result. */
import {
  ALLOWED,
  permitAll,
  permitUnless,
  type Permit,
} from '../../../domain/run/permit/permit.ts';
import { hasCommandLine } from '../../../domain/commands/command-line.ts';
import { HANDLED, ignore, toIgnored, type Outcome } from '../../run/outcome.ts';
import type { ParsedCommand, ParsedComment } from '../../../domain/commands/command.ts';
import { parseCommands } from '../../../domain/commands/command-parse.ts';
import { renderIgnored } from '../../../domain/commands/help.ts';
import type { EventData } from '../../../domain/event/event.ts';
import { derivedId } from '../../../domain/run/ids.ts';
import { TIERS } from '../../../domain/run/model-pool.ts';
import { activeTeam } from '../../../domain/persona/roster.ts';
import type { CommentLook } from '../../../domain/event/result.ts';
import type { CommentAddress, Talk, TalkView } from '../../../domain/run/talk.ts';
import { hasPermission } from '../../../domain/run/thread-ref.ts';
import type { Trigger } from '../../../domain/event/trigger.ts';
import { converse } from '../conversation/converse.ts';
import { ownInAnHour, quietUntil } from '../conversation/own-words.ts';
import { onLook, onAnswerFailed, onAnswer } from '../conversation/question.ts';
import { createStep, emitEffect, type Decision } from '../../run/decision.ts';
import { isOpen, type ThreadState, type ThreadContext } from '../../run/thread-context.ts';
import { isDiscussionRun } from '../../../domain/run/state/run-record.ts';
import type { CommandContext, TalkContext } from '../../run/command-context.ts';
import { isToProposal } from '../../run/answers/proposals.ts';
import { wordsToProposal } from './memory-commands.ts';
import { labelHere } from './show/status-command.ts';
import { drop, replyEvenQuiet } from './send-reply.ts';
import { continuePlanning } from './plan/planning-commands.ts';
import { followEarlier } from './earlier-words.ts';
import { runCommands } from './run-commands.ts';

type Commented = Extract<Trigger, { kind: 'commented' }>;

/** Comments that are being answered at once in one thread; more are left alone. */
const MAX_TALKS = 20;

/** A comment that may be for us came in: it is read again before anything is believed. */
export function beginTalk({ state, event, now }: ThreadContext, said: Commented): Decision {
  const { address, thread, actor, commentId, foundBy } = said;
  const talks = state.talks ?? {};
  if (address === undefined) return { state, effects: [], events: [], ignored: 'not for us' };
  const talk: Talk = {
    id: derivedId(event.id, now),
    step: 0,
    thread,
    comment: { id: commentId, place: address.place },
    address,
    actor,
    ...(foundBy === undefined ? {} : { foundBy }),
    phase: { kind: 'reading', effectId: '' },
    isHeard: isHeard(state, address),
    hasWaited: false,
    questions: [],
    team: [],
    parts: [],
    isDone: false,
    isQuiet: false,
    calls: [],
    startedAt: new Date(now).toISOString(),
  };
  const step = createStep(event.key, talk, now);
  if (Object.keys(talks).length >= MAX_TALKS) {
    const { effects, events } = step;
    const outcome = drop(
      { state, talk, step, event },
      'too many commands at once, try again later',
    );
    return { state, effects, events, ...toIgnored(outcome) };
  }
  state.talks = { ...talks, [talk.id]: talk };
  read({ state, talk, step, event });
  return { state, effects: step.effects, events: step.events };
}

/** Words in a discussion are for the discussion (NW-10). */
function isHeard({ runs }: ThreadState, { place, isOnlyCommands }: CommentAddress): boolean {
  const isDiscussed = Object.values(runs).some((run) => isOpen(run) && isDiscussionRun(run));
  return place === 'thread' && !isOnlyCommands && isDiscussed;
}

function read({ talk, step }: TalkContext): Outcome {
  const { thread, comment, address, actor } = talk;
  const effectId = emitEffect(step, { kind: 'look-comment', thread, comment, address, actor });
  talk.phase = { kind: 'reading', effectId };
  return HANDLED;
}

type ResultData = Extract<EventData, { kind: 'done' | 'failed' | 'timer' }>;

/** A result that a talk waited for. */
export function onTalk(
  { state, event, now }: ThreadContext,
  talk: Talk,
  data: ResultData,
): Decision {
  const step = createStep(event.key, talk, now);
  const outcome = onResult({ state, talk, step, event }, data);
  const { effects, events } = step;
  return { state, effects, events, ...toIgnored(outcome) };
}

function onResult(context: TalkContext, data: ResultData): Outcome {
  const { phase } = context.talk;
  if (data.kind === 'timer')
    return phase.kind === 'waiting' && phase.timer === data.timer
      ? read(context)
      : ignore('its turn has passed');
  // Reactions and labels also report their results, but nothing waits for them.
  if (phase.kind === 'waiting' || data.effectId !== phase.effectId)
    return ignore('nothing waits for it');
  if (data.kind === 'failed') return onFailure(context, data);
  if (data.effectKind === 'look-comment') return onComment(context, data.result);
  if (data.effectKind === 'look') return onLook(context, data);
  if (data.effectKind === 'ask') return onAnswer(context, data);
  return ignore('nothing waits for it');
}

function onFailure(context: TalkContext, data: Extract<EventData, { kind: 'failed' }>): Outcome {
  if (context.talk.phase.kind === 'reading')
    return drop(context, `the comment could not be read: ${data.failure.code}`);
  return onAnswerFailed(context, data);
}

function onComment(context: TalkContext, look: CommentLook): Outcome {
  if (look.kind === 'gone') return drop(context, look.reason);
  const personas = activeTeam(look.view.personas, { board: look.view.config.board.enabled });
  const view: TalkView = { ...look.view, personas: [...personas] };
  const permit = permitAll(
    () => mayAnswerHere(view),
    () => mayAskMore(context, view),
  );
  if (permit.kind === 'refused') return drop(context, permit.reason);
  context.talk.team = personas.map(({ handle, name, role, active, style }) => ({
    handle,
    name,
    role,
    active,
    emoji: style.emoji.policy,
  }));
  Object.assign(context.talk, toSecondVoice(view));
  context.talk.isQuiet = ownInAnHour(context, view) >= MAX_OWN_AN_HOUR;
  const commandContext: CommandContext = { ...context, view, stopped: look.stopped };
  const said = toProposalWord(context, view) ?? toPlanWord(context, view);
  if (said === 'not-theirs') return drop(context, 'what is remembered is for people who may write');
  if (said === 'no') return continuePlanning(commandContext);
  const parsed = toCommands(said, view);
  const isCommand = parsed.commands.length > 0 || renderIgnored(parsed.ignored) !== undefined;
  const postponed = followEarlier(commandContext, parsed.commands);
  if (postponed !== undefined) return postponed;
  if (isCommand && context.talk.isQuiet) tellQuiet(context, view);
  return isCommand ? runCommands(commandContext, parsed) : converse(commandContext);
}

/** Absent for never, as in what was kept before there was such a setting. */
function toSecondVoice({ config }: TalkView): Pick<TalkContext['talk'], 'secondVoice'> {
  const { github } = config.council.secondVoice;
  return github > 0 ? { secondVoice: github } : {};
}

function toCommands(said: ParsedCommand | undefined, view: TalkView): ParsedComment {
  return said === undefined
    ? parseCommands(view.comment.body, { models: modelNames(view) })
    : { commands: [said], ignored: [] };
}

/** A whole reply that says yes is the command (CB-4). */
const YES: ParsedCommand = { name: 'approve', args: [], text: '', line: 1 };

/** How a comment answers a plan that waits for approval; undefined if it does not. */
function toPlanWord(
  { state, talk }: TalkContext,
  view: TalkView,
): ParsedCommand | 'no' | undefined {
  const { isYes, word } = talk.address;
  if (isYes === true) return YES;
  if (word === undefined || state.plan?.isWaiting !== true) return undefined;
  return word === 'no' ? 'no' : toRevision(view.comment.body);
}

/** What a comment says to a proposal to remember. Anybody may say yes to anything: nobody else hears of it. */
function toProposalWord(
  { state, talk }: TalkContext,
  view: TalkView,
): ParsedCommand | 'not-theirs' | undefined {
  const words = isToProposal(state, talk.address) && wordsToProposal(view.comment.body);
  if (words === false || words === undefined) return undefined;
  return hasPermission(view.permission ?? 'none', 'write') ? words : 'not-theirs';
}

/** Approval with a wish is a `revise` command with the whole reply as its text. */
function toRevision(body: string): ParsedCommand {
  const text = body.trim();
  return { name: 'revise', args: text.split(/\s+/), text, line: 1 };
}

function modelNames({ config, models }: TalkView): string[] {
  const { pool } = config.models;
  return [...Object.keys(pool), ...TIERS, ...models.map((model) => model.name)];
}

/**
 * P6: limit on the team's comments in a thread within an hour, for all people together. After that, commands get only
 * reactions.
 */
const MAX_OWN_AN_HOUR = 30;
const HOUR_MS = 3_600_000;

/** Posted once, so that people who give commands know why nothing answers, and until when. */
function tellQuiet(context: TalkContext, view: TalkView): void {
  const { state, step } = context;
  if (!hasPermission(view.permission ?? 'none', 'triage')) return;
  if (state.quietUntil !== undefined && step.now < state.quietUntil) return;
  state.quietUntil = quietUntil(context, view, MAX_OWN_AN_HOUR);
  const time = new Date(state.quietUntil).toISOString().slice(11, 16);
  replyEvenQuiet(
    context,
    `The team has written ${MAX_OWN_AN_HOUR} comments here within an hour, which is the most. Until ${time} UTC commands are carried out and get a reaction, without a comment.`,
  );
}

/** LOOP-06: people without a role here get so many answers of one thread in an hour; of the rest nothing is to be seen. */
const MAX_ASKED_AN_HOUR = 5;

function mayAskMore({ step, talk }: TalkContext, view: TalkView): Permit {
  if (hasPermission(view.permission ?? 'none', 'triage')) return ALLOWED;
  const asked = view.comments.filter(
    (each) =>
      each.author.id === talk.actor.id &&
      (hasCommandLine(each.body) || each.body.includes('@')) &&
      step.now - Date.parse(each.createdAt) < HOUR_MS,
  );
  return permitUnless([[asked.length > MAX_ASKED_AN_HOUR, 'its author asked enough for an hour']]);
}

/** What forbids any answer, even a refusal. */
function mayAnswerHere(view: TalkView): Permit {
  const { config, repository, issue } = view;
  return permitUnless([
    [!config.enabled, 'Quorum is switched off here (`enabled: false`)'],
    [repository.isArchived, 'the repository is archived'],
    [issue.isLocked, 'the conversation is locked'],
    [issue.labels.includes(labelHere(view, 'quorum:skip')), 'a label keeps the team out'],
  ]);
}
