/** Taking what the personas answered, or that they did not, and moving on when everybody has. */
import { HANDLED, ignore, type Outcome } from '../run/outcome.ts';
import { isBudgetCode } from '../../domain/event/budget-codes.ts';
import type { ErrorCode } from '../../domain/event/error-codes.ts';
import type { AskedVoice } from '../../domain/run/state/run-base.ts';
import type { Contribution, Position } from '../../domain/run/council.ts';
import type { DiscussionRun } from '../../domain/run/state/run-record.ts';
import { ballotOf } from '../../domain/run/ballot.ts';
import type { Failure } from '../../domain/event/errors.ts';
import type { EventData } from '../../domain/event/event.ts';
import { capWords } from '../../domain/config/host-caps.ts';
import { joinPositions, joinVotes } from '../../domain/review/reading.ts';
import type { AskResult } from '../../domain/event/result.ts';
import { emitTimer } from '../run/decision.ts';
import type { DiscussionContext } from '../run/thread-context.ts';
import { cleanPosition } from './clean.ts';
import { blockOnQuestion } from './verdict/conclude.ts';
import { noteHeard, turnToNextPart } from './read-parts.ts';
import { queueNextRound } from './rounds.ts';
import { onVerdict } from './verdict/lead.ts';
import { cancelRun } from './listen-to-people.ts';
import { lookFor } from './start-run.ts';
import { disputants, isRepeated } from './verdict/tally-votes.ts';

type Asked = Pick<AskedVoice, 'handle' | 'purpose' | 'part'>;

export function onAskAnswered(
  context: DiscussionContext,
  { effectId, result: answer }: { effectId: string; result: AskResult },
): Outcome {
  const { run } = context;
  run.calls.push(...answer.calls);
  if (answer.budget !== undefined) run.budgetUsed = answer.budget;
  const last = answer.calls.at(-1);
  if (last !== undefined) run.isOffline = last.provider === 'offline';
  if (run.phase.kind === 'concluding' && run.phase.effectId === effectId)
    return onVerdict(context, answer.value, last);
  const asked = removeWaiting(run, effectId);
  if (asked === undefined) return ignore('the run has moved on');
  onPosition(run, asked, answer);
  return advance(context);
}

function onPosition(run: DiscussionRun, asked: Asked, { value, money }: AskResult): void {
  const position = ballotOf(run).position.safeParse(value);
  if (!position.success) return addAbsent(run, asked, 'unreadable-answer');
  if (asked.purpose === 'lead-alone') {
    run.leadAlone = joinVotes(run.leadAlone, position.data.vote);
    return;
  }
  contribute(run, asked.handle, cleanPosition(position.data, run));
  noteHeard(run, { part: asked.part, money });
}

export function onAskFailed(
  context: DiscussionContext,
  data: Extract<EventData, { kind: 'failed' }>,
): Outcome {
  const { run } = context;
  const { failure, effectId, effectKind } = data;
  if (run.phase.kind === 'looking' && run.phase.effectId === effectId)
    return endUnread(context, failure.code);
  if (effectKind !== 'ask') return ignore(`${effectKind} failed: ${failure.code}`);
  const isConcluding = run.phase.kind === 'concluding' && run.phase.effectId === effectId;
  const asked = isConcluding ? undefined : removeWaiting(run, effectId);
  if (isBudgetCode(failure.code)) noteRefusal(run, asked, failure);
  if (isConcluding) return blockOnQuestion(context, questionAfter(run, failure.code));
  if (asked === undefined) return ignore('the run has moved on');
  addAbsent(run, asked, failure.code);
  return advance(context);
}

/** A cap that keeps a further part away still has room for the verdict, which was reckoned with. */
function noteRefusal(run: DiscussionRun, asked: Asked | undefined, failure: Failure): void {
  const note = capWords(failure);
  if (note !== undefined) run.hostCapNote = note;
  if (run.reading !== undefined && (asked?.part ?? 0) > 0) run.reading.stopped = 'budget';
  else run.isBudgetExhausted = true;
}

/** There is nothing to write on any more. */
const UNREACHABLE = new Set<ErrorCode>(['github-not-found', 'github-moved', 'place-closed']);

/** Tells the person who asked that the run ended. A reconcile pass that finds the same again adds no comment. */
function endUnread(context: DiscussionContext, code: ErrorCode): Outcome {
  const { run } = context;
  const reason = `GitHub could not be read (${code})`;
  const isOld = run.isFound && run.lastReason === reason;
  cancelRun(context, reason, { quietly: isOld || UNREACHABLE.has(code) });
  return HANDLED;
}

function questionAfter(run: DiscussionRun, code: ErrorCode): string {
  if (run.isBudgetExhausted && run.hostCapNote !== undefined)
    return `${run.hostCapNote} There is no verdict yet. What should happen with this?`;
  if (run.isBudgetExhausted)
    return 'The budget for this thread is used up before a verdict. What should happen with it?';
  return `The lead's verdict could not be used (${code}). What should happen with this?`;
}

function removeWaiting(run: DiscussionRun, effectId: string): Asked | undefined {
  const waiting = run.phase.kind === 'gathering' ? run.phase.waitingFor : run.inFlight;
  const index = waiting.findIndex((each) => each.effectId === effectId);
  return index < 0 ? undefined : waiting.splice(index, 1)[0];
}

function contribute(run: DiscussionRun, handle: string, position: Position): void {
  const voice = run.participants.find((each) => each.handle === handle);
  if (voice === undefined) return;
  const before = saidInRound(run, handle);
  if (before?.position !== undefined) {
    if (!position.skip) before.position = joinPositions(before.position, position);
    return;
  }
  const outcome: Contribution['outcome'] = position.skip
    ? 'skipped'
    : isRepeated(run, position)
      ? 'repeated'
      : 'said';
  run.contributions = run.contributions.filter((each) => each !== before);
  run.contributions.push({
    ...voice,
    round: run.round,
    outcome,
    ...(outcome === 'said' ? { position } : {}),
  });
}

/** What this voice has said already in this round: of an earlier part. */
function saidInRound(
  { contributions, round }: DiscussionRun,
  of: string,
): Contribution | undefined {
  return contributions.find((each) => each.handle === of && each.round === round);
}

function addAbsent(run: DiscussionRun, { handle, purpose }: Asked, reason: string): void {
  const voice = run.participants.find((each) => each.handle === handle);
  const isKnown = saidInRound(run, handle) !== undefined;
  if (purpose === 'position' && voice !== undefined && !isKnown)
    run.contributions.push({ ...voice, round: run.round, outcome: 'absent', reason });
}

/** When everyone of this turn has answered: the next in line, another round over a dispute, or the verdict. */
function advance(context: DiscussionContext): Outcome {
  const { run } = context;
  if (run.phase.kind !== 'gathering') return HANDLED;
  if (run.phase.waitingFor.length > 0) {
    context.kind.show(context);
    return HANDLED;
  }
  if (turnToNextPart(run)) {
    lookFor(context, 'round');
    return HANDLED;
  }
  if (run.queue.length > 0) return nextInLine(context);
  const disputing = run.settings.mode === 'blind' ? disputants(run) : [];
  const goesOn = disputing.length > 0 && !run.isBudgetExhausted && queueNextRound(run, disputing);
  lookFor(context, goesOn ? 'round' : 'verdict');
  context.kind.show(context);
  return HANDLED;
}

function nextInLine(context: DiscussionContext): Outcome {
  const { run, step } = context;
  if (run.settings.pauseMs === 0) lookFor(context, 'round');
  else
    run.phase = {
      kind: 'listening',
      timer: emitTimer(step, 'pause', run.settings.pauseMs),
      next: 'round',
    };
  return HANDLED;
}
