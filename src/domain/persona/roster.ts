/** Who is in a run: resolution by name or role (spec NW-3), who joins (NW-3b), and relevance to the matter at hand. */
import type { JOINED_TRIGGERS } from '../run/run-trigger.ts';
import type { Persona, RunTrigger } from './persona.ts';
import { scoreRelevance } from './relevance.ts';
import type { Topic } from './relevance.ts';

/** A part in the team, which stays when the persona that plays it is renamed. */
interface Seat {
  /** Handle of the persona that plays it by default. */
  handle: string;
  /** Words of a role that fit the seat, the most telling first. */
  keywords: readonly string[];
}

/** The role of who makes plans, and asks about them. */
export const PRODUCT_MANAGER = 'product manager';

// Spec NW-3 fixes the first four; the others let a renamed crew or board member be found the same way.
const SEATS: readonly Seat[] = [
  { handle: 'dev', keywords: ['implementer', 'executor', 'developer'] },
  { handle: 'carlos', keywords: ['tech lead', 'architect', 'lead'] },
  { handle: 'maya', keywords: ['security'] },
  { handle: 'priya', keywords: ['qa', 'quality', 'test'] },
  { handle: 'sasha', keywords: [PRODUCT_MANAGER, 'pm', 'product'] },
  { handle: 'artist', keywords: ['artist', 'designer'] },
  { handle: 'coder', keywords: ['coder'] },
  { handle: 'general', keywords: ['orchestrator', 'chair'] },
  { handle: 'research', keywords: ['research', 'analyst'] },
  { handle: 'content', keywords: ['cmo', 'content', 'marketing'] },
  { handle: 'finance', keywords: ['cfo', 'finance'] },
  { handle: 'strategy', keywords: ['ceo', 'strategist', 'strategy'] },
  { handle: 'critic', keywords: ["devil's advocate", 'critic'] },
];

/** Seats in the order in which spec NW-3b names them, by trigger. */
const SEATING: Readonly<
  Record<(typeof JOINED_TRIGGERS)[number], readonly string[]> &
    Partial<Record<RunTrigger, readonly string[]>>
> = {
  pr_review: ['dev', 'carlos', 'maya', 'priya'],
  code_watch: ['dev', 'carlos', 'maya', 'priya'],
  issue_review: ['carlos', 'maya', 'priya', 'dev'],
  build_failure: ['dev', 'carlos'],
  prd_kickoff: ['dev', 'carlos'],
  // No fixed seats: the persona that was addressed answers.
  chat_message: [],
  meeting: ['general', 'research', 'content', 'finance', 'strategy', 'critic'],
};

/** Spec NW-5b: at most three contributors a round. */
const MAX_CONTRIBUTORS = 3;
/** A persona without any relevance sits out only when this many others have some. */
const ENOUGH_RELEVANT = 2;

/** The personas that may take part: the active ones, the board only where it is enabled (spec BD-4). */
export function activeTeam(
  personas: readonly Persona[],
  { board }: { board: boolean },
): readonly Persona[] {
  return personas.filter((persona) => persona.active && (board || persona.team !== 'board'));
}

/**
 * Finds a persona by handle or display name, else by role (spec NW-3). A renamed persona is still found under the
 * default handle of its seat. Case, `@` and surrounding space do not matter; inactive ones are not found.
 */
export function resolvePersona(
  personas: readonly Persona[],
  nameOrRole: string,
): Persona | undefined {
  const wanted = normalise(nameOrRole);
  if (wanted === '') return undefined;
  const active = byHandle(personas);
  return (
    active.find((persona) => persona.handle === wanted) ??
    active.find((persona) => normalise(persona.name) === wanted) ??
    bySeat(active, wanted) ??
    active.find((persona) => roleHas(persona, wanted))
  );
}

/** The persona that closes a run: the chair for a meeting, else the engineering lead (a lead of another team at need). */
export function findLead(personas: readonly Persona[], trigger: RunTrigger): Persona | undefined {
  const [team, seat] = trigger === 'meeting' ? ['board', 'general'] : ['engineering', 'carlos'];
  const active = byHandle(personas);
  const leads = active.filter((persona) => persona.lead);
  const mayCross = leads.filter((persona) => trigger === 'meeting' || persona.team !== 'board');
  const own = active.filter((persona) => persona.team === team);
  return leads.find((persona) => persona.team === team) ?? bySeat(own, seat ?? '') ?? mayCross[0];
}

interface SittingOut {
  persona: Persona;
  reason: 'not relevant' | 'round is full';
}

export interface Participants {
  /** Closes the run and does not contribute before; undefined means that a person has to. */
  lead: Persona | undefined;
  /** Who contributes in the first round, most relevant first. */
  contributors: readonly Persona[];
  sittingOut: readonly SittingOut[];
}

/**
 * Decides who takes part in a run and in which order (spec NW-3b). Required personas come first. When no persona joins
 * for a trigger, the lead works alone.
 */
export function participants(
  personas: readonly Persona[],
  trigger: RunTrigger,
  topic: Topic & { maxContributors?: number; required?: readonly string[] },
): Participants {
  const lead = findLead(personas, trigger);
  const required = new Set(topic.required);
  const ranked = seated(personas, trigger)
    .filter((persona) => persona.handle !== lead?.handle)
    .map((persona) => ({
      persona,
      score: required.has(persona.handle) ? Infinity : scoreRelevance(persona, topic),
    }))
    .toSorted((a, b) => compare(b.score, a.score));
  const limit = topic.maxContributors ?? (trigger === 'meeting' ? ranked.length : MAX_CONTRIBUTORS);
  const mayDrop =
    trigger !== 'meeting' && ranked.filter((entry) => entry.score > 0).length >= ENOUGH_RELEVANT;
  const relevant = ranked.filter((entry) => entry.score > 0 || !mayDrop);
  const idle = ranked.filter((entry) => entry.score === 0 && mayDrop);
  return {
    lead,
    contributors: relevant.slice(0, limit).map((entry) => entry.persona),
    sittingOut: [
      ...relevant
        .slice(limit)
        .map(({ persona }) => ({ persona, reason: 'round is full' as const })),
      ...idle.map(({ persona }) => ({ persona, reason: 'not relevant' as const })),
    ],
  };
}

/** Two infinities are the same. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** Those whose file names the trigger, in the order of NW-3b, newcomers after them by handle. */
function seated(personas: readonly Persona[], trigger: RunTrigger): readonly Persona[] {
  const seats = (SEATING[trigger] ?? []).map((handle) => resolvePersona(personas, handle)?.handle);
  const rank = (persona: Persona) => {
    const place = seats.indexOf(persona.handle);
    return place === -1 ? seats.length : place;
  };
  return byHandle(personas)
    .filter((persona) => persona.triggers.includes(trigger))
    .toSorted((a, b) => rank(a) - rank(b));
}

function byHandle(personas: readonly Persona[]): readonly Persona[] {
  return personas
    .filter((persona) => persona.active)
    .toSorted((a, b) => (a.handle < b.handle ? -1 : 1));
}

function bySeat(active: readonly Persona[], wanted: string): Persona | undefined {
  const seat = SEATS.find((each) => each.handle === wanted || each.keywords.includes(wanted));
  if (seat === undefined) return undefined;
  const holder = active.find((persona) => persona.handle === seat.handle);
  if (holder !== undefined) return holder;
  const keyword = seat.keywords.find((word) => active.some((persona) => roleHas(persona, word)));
  if (keyword === undefined) return undefined;
  return active.find((persona) => roleHas(persona, keyword));
}

/** Whether a role contains the words; a long word also as the start of one, so that `test` finds a Tester. */
function roleHas(persona: Persona, wanted: string): boolean {
  const role = ` ${normalise(persona.role)} `;
  return role.includes(` ${wanted} `) || (wanted.length >= 4 && role.includes(` ${wanted}`));
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9'-]+/g, ' ')
    .trim();
}
