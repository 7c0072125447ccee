/**
 * Which model each question of a run goes to, and which questions share a prefix there. A shared cache is paid for once
 * (spec 09).
 */
import type { Purpose } from '../../../domain/run/council.ts';
import { ModelAlias } from '../../../domain/config/config-limits.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import type { DiscussionContext } from '../../run/thread-context.ts';
import { modelOf, type Question } from './build-ask.ts';
import { findActive, type Sight } from '../rounds.ts';

type At = Question['at'];

/** Those who are asked together, in the order in which they are asked. */
export function seatQuestions(
  context: DiscussionContext,
  sight: Sight,
  asked: readonly { persona: Persona; purpose: Purpose }[],
): Question[] {
  const { run } = context;
  const { atOf, models } = planSeats(context, sight);
  const written = new Set<string>();
  return asked.map(({ persona, purpose }) => {
    const at = atOf(persona, purpose);
    const isShared = models.filter((model) => model === at.model).length > 1;
    const isFirst = run.calls.length === (run.reading?.callsBefore ?? 0) && !written.has(at.model);
    written.add(at.model);
    const cache = isFirst ? ('write' as const) : ('read' as const);
    const hasOneForm = isShared && models.at(-1) === at.model;
    return {
      persona,
      purpose,
      at: { ...at, ...(isShared ? { cache } : {}), ...(hasOneForm ? { hasOneForm } : {}) },
    };
  });
}

interface Seats {
  atOf: (persona: Persona, purpose: Purpose) => At;
  /** Of every question of the run, the verdict's last; without a round there is only that one. */
  models: readonly string[];
}

function planSeats(context: DiscussionContext, sight: Sight): Seats {
  const { run } = context;
  const wish = (persona: Persona): At => modelOf(persona, context.state, sight.aliases);
  const round = run.participants.flatMap(({ handle }) => {
    const voice = findActive(sight, handle);
    return voice === undefined ? [] : [wish(voice)];
  });
  const most = mostCommon(round);
  // The lead's unseen vote is compared, not shown: it goes where most of the round goes, and reads what they wrote.
  const unseen = (lead: Persona): At =>
    (ModelAlias.safeParse(lead.model).success ? most : undefined) ?? wish(lead);
  const lead = findActive(sight, run.lead?.handle);
  const ofLead =
    lead === undefined ? [] : round.length === 0 ? [lead].map(wish) : [unseen(lead), wish(lead)];
  return {
    atOf: (persona, purpose) => (purpose === 'lead-alone' ? unseen(persona) : wish(persona)),
    models: [...round, ...ofLead].map(({ model }) => model),
  };
}

function mostCommon(round: readonly At[]): At | undefined {
  const count = (model: string): number => round.filter((each) => each.model === model).length;
  return round.toSorted((a, b) => count(b.model) - count(a.model))[0];
}
