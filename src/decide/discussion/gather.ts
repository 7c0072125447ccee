/** Asking the contributors: who, in which order, and what each of them may see. */
import type { AskedVoice } from '../../domain/run/state/run-base.ts';
import type { DiscussionRun } from '../../domain/run/state/run-record.ts';
import type { Purpose, Voice } from '../../domain/run/council.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import { activeTeam, participants } from '../../domain/persona/roster.ts';
import type { DiscussionContext } from '../run/thread-context.ts';
import { buildAsk } from './ask/build-ask.ts';
import { blockOnQuestion } from './verdict/conclude.ts';
import { askLead } from './verdict/lead.ts';
import { askForPart, partFor } from './read-parts.ts';
import { findActive, type Sight } from './rounds.ts';
import { seatQuestions } from './ask/seat.ts';

/** Seats the participants, shows that work has begun, and opens round 1. */
export function beginRun(context: DiscussionContext, sight: Sight): void {
  const { run } = context;
  const team = activeTeam(sight.personas, { board: false });
  const seats = participants(team, run.trigger, {
    ...sight.topic,
    maxContributors: run.settings.maxContributors,
    ...(run.trigger === 'pr_review' && { required: run.settings.required ?? [] }),
  });
  run.lead = seats.lead === undefined ? undefined : toVoice(seats.lead);
  const contributors =
    run.named === undefined ? seats.contributors : namedOf(run, team, seats.lead?.handle);
  run.participants = run.settings.mode === 'single' ? [] : contributors.map(toVoice);
  run.sittingOut = seats.sittingOut.map(({ persona, reason }) => ({
    handle: persona.handle,
    reason,
  }));
  context.kind.acknowledge?.(context);
  if (run.lead === undefined)
    return void blockOnQuestion(
      context,
      'The team has no active lead here. Who should decide this?',
    );
  run.queue = run.participants.map((voice) => voice.handle);
  if (run.queue.length === 0) return askLead(context, sight);
  gatherRound(context, sight);
}

/** Those whom a command names, within the bounds of a round; the lead closes either way. */
function namedOf(
  { named = [], settings }: DiscussionRun,
  team: readonly Persona[],
  lead: string | undefined,
): Persona[] {
  return named
    .filter((handle) => handle !== lead)
    .flatMap((handle) => team.find((persona) => persona.handle === handle) ?? [])
    .slice(0, settings.maxContributors);
}

/** Asks the next personas: everyone at once when blind, one at a time in sequence. */
export function gatherRound(context: DiscussionContext, sight: Sight): void {
  const { run } = context;
  const there = askForPart(run, () => nextInTurn(run)).flatMap(({ handle, purpose }) => {
    const persona = findActive(sight, handle);
    return persona === undefined ? [] : [{ persona, purpose }];
  });
  const part = partFor(run, 'position');
  const waitingFor = seatQuestions(context, sight, there).map((question): AskedVoice => ({
    handle: question.persona.handle,
    purpose: question.purpose,
    effectId: buildAsk(context, sight, question),
    ...(part === undefined ? {} : { part }),
  }));
  run.phase = { kind: 'gathering', waitingFor };
  // Nobody of those in line is in the team any more.
  if (waitingFor.length === 0) return askLead(context, sight);
  context.kind.show(context);
}

/** Whose turn it is. */
function nextInTurn(run: DiscussionRun): { handle: string; purpose: Purpose }[] {
  const isSequential = run.settings.mode === 'sequential';
  const handles = run.queue.splice(0, isSequential ? 1 : run.queue.length);
  const asked: { handle: string; purpose: Purpose }[] = handles.map((handle) => ({
    handle,
    purpose: 'position',
  }));
  // The value meter needs to know what one reviewer alone would have decided (03).
  if (
    run.lead !== undefined &&
    run.leadAlone === undefined &&
    run.round === 1 &&
    run.contributions.length === 0
  )
    asked.push({ handle: run.lead.handle, purpose: 'lead-alone' });
  return asked;
}

export function toVoice(persona: Persona): Voice {
  return { handle: persona.handle, name: persona.name, role: persona.role };
}
