/** How personas stand to each other: facts move it, time takes it back. It colours tone and nothing else (spec 08). */
import type { Persona, Relationship } from '../persona/persona.ts';

export const RELATION_FACTS = [
  'real-defect',
  'false-alarm',
  'needless-question',
  'clean-handover',
  'overruled',
] as const;

/** Something that happened between two personas. */
export interface RelationFact {
  /**
   * `real-defect`: `by` reviewed and found what was fixed. `false-alarm`: what `by` found was dismissed.
   * `needless-question`: `by` asked what the plan of `to` could have answered. `clean-handover`: what `by` made went
   * through the gates and reviews of `to` at once. `overruled`: what `by` asked of `to` was not done.
   */
  kind: (typeof RELATION_FACTS)[number];
  by: string;
  to: string;
  /** ISO 8601. */
  at: string;
}

/** What one persona holds of another, and since when. */
export interface Stance extends Relationship {
  /** ISO 8601. */
  at: string;
}

/** By handle, towards handles. */
export type Stances = Readonly<Record<string, Readonly<Record<string, Stance>>>>;

/** What nothing happened between. */
export const NEUTRAL: Relationship = { trust: 0.5, rapport: 0.5, tension: 0.2 };

/** After so long half of what moved is gone. */
const HALF_LIFE_DAYS = 30;
const DAY_MS = 86_400_000;

/** What a fact does to how `to` sees `by`, and the other way round. Small: one fact makes nobody friends. */
const DELTAS: Readonly<
  Record<RelationFact['kind'], { seen: Partial<Relationship>; back: Partial<Relationship> }>
> = {
  'real-defect': { seen: { trust: 0.08, rapport: 0.02 }, back: { trust: -0.03 } },
  'false-alarm': { seen: { trust: -0.05, tension: 0.04 }, back: { tension: 0.03 } },
  'needless-question': { seen: { rapport: -0.04 }, back: { trust: -0.05, tension: 0.05 } },
  'clean-handover': {
    seen: { trust: 0.05, rapport: 0.05, tension: -0.03 },
    back: { rapport: 0.03 },
  },
  overruled: { seen: { tension: 0.08 }, back: { tension: 0.08, rapport: -0.03 } },
};

/** The stances after a fact. A fact about one persona alone, or one older than what is known, moves nothing back in time. */
export function applyFact(stances: Stances, fact: RelationFact, seeds: Stances = {}): Stances {
  const { kind, by, to } = fact;
  if (by === to) return stances;
  const { seen, back } = DELTAS[kind];
  const once = moveStance({ stances, seeds }, { from: to, to: by, delta: seen, at: fact.at });
  return moveStance({ stances: once, seeds }, { from: by, to, delta: back, at: fact.at });
}

function moveStance(
  { stances, seeds }: { stances: Stances; seeds: Stances },
  move: { from: string; to: string; delta: Partial<Relationship>; at: string },
): Stances {
  const { from, to, delta, at } = move;
  const known = ownOf(stances, from)[to] ?? ownOf(seeds, from)[to] ?? { ...NEUTRAL, at };
  const now = Math.max(Date.parse(at), Date.parse(known.at));
  const { trust, rapport, tension } = decay(known, now);
  const moved: Stance = {
    trust: bounded(trust + (delta.trust ?? 0)),
    rapport: bounded(rapport + (delta.rapport ?? 0)),
    tension: bounded(tension + (delta.tension ?? 0)),
    at: new Date(now).toISOString(),
  };
  return { ...stances, [from]: { ...ownOf(stances, from), [to]: moved } };
}

function ownOf(stances: Stances, handle: string): Readonly<Record<string, Stance>> {
  return Object.hasOwn(stances, handle) ? (stances[handle] ?? {}) : {};
}

/** A stance as it is at a moment, in milliseconds since the epoch: halfway to neutral each half-life. */
export function decay({ trust, rapport, tension, at }: Stance, now: number): Relationship {
  const days = Math.max(0, now - Date.parse(at)) / DAY_MS;
  const left = 0.5 ** (days / HALF_LIFE_DAYS);
  const towards = (value: number, neutral: number): number =>
    bounded(neutral + (value - neutral) * left);
  return {
    trust: towards(trust, NEUTRAL.trust),
    rapport: towards(rapport, NEUTRAL.rapport),
    tension: towards(tension, NEUTRAL.tension),
  };
}

/** What personas' files say of each other, from the moment that the team began here. */
export function seedsOf(
  personas: readonly Pick<Persona, 'handle' | 'relationships'>[],
  since: string,
): Stances {
  return Object.fromEntries(
    personas.map(({ handle, relationships }) => [
      handle,
      Object.fromEntries(
        Object.entries(relationships).map(([to, value]) => [to, { ...value, at: since }]),
      ),
    ]),
  );
}

/** One persona's present values towards those who take part: for the soul compiler's block about them. */
export function presentRelations(
  handle: string,
  {
    stances,
    seeds = {},
    team,
    now,
  }: { stances: Stances; seeds?: Stances; team: readonly string[]; now: number },
): Record<string, Relationship> {
  const own = { ...ownOf(seeds, handle), ...ownOf(stances, handle) };
  return Object.fromEntries(
    team.flatMap((to) => {
      const stance = to === handle || !Object.hasOwn(own, to) ? undefined : own[to];
      return stance === undefined ? [] : [[to, decay(stance, now)] as const];
    }),
  );
}

function bounded(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
