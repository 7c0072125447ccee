/** Another round: who may still speak, and what a look brought in for it. */
import type { DiscussionRun } from '../../domain/run/state/run-record.ts';
import type { Purpose } from '../../domain/run/council.ts';
import type { Prompt } from '../../domain/event/effect-values.ts';
import type { Evidence } from '../../domain/run/evidence.ts';
import type { RecalledMemory } from '../../domain/memory/recall/recalled.ts';
import type { Persona } from '../../domain/persona/persona.ts';
import { contributorsLeft, saidBy } from './verdict/tally-votes.ts';

/** What one look brought in, whatever kind of thread it was. */
export interface Sight {
  personas: readonly Persona[];
  /** The repository's own names for models. */
  aliases: Readonly<Partial<Record<string, string>>>;
  /** What it is about: decides who joins. */
  topic: { text: string; paths: readonly string[] };
  evidence: Evidence;
  /** What the team remembers of it; absent where nothing is remembered. */
  memory?: RecalledMemory | undefined;
  prompt(question: PromptQuestion): Prompt;
}

export interface PromptQuestion {
  persona: Persona;
  purpose: Purpose;
  /** With the positions that this one may see. */
  evidence: Evidence;
  /** Of what is read in parts: which one. */
  part: number | undefined;
}

/** A persona of the run, unless it was taken out of the team or switched off meanwhile. */
export function findActive({ personas }: Sight, handle: string | undefined): Persona | undefined {
  return personas.find((persona) => persona.handle === handle && persona.active);
}

/** Opens the next round with those who still may speak; the ones in dispute first. */
export function queueNextRound(run: DiscussionRun, disputing: readonly string[]): boolean {
  const said = run.participants.filter((voice) => saidBy(run, voice.handle) !== undefined);
  const ordered = said.toSorted(
    (a, b) => Number(disputing.includes(b.handle)) - Number(disputing.includes(a.handle)),
  );
  const left = Math.min(contributorsLeft(run), run.settings.maxContributors);
  if (run.round >= run.settings.maxRounds || left === 0 || ordered.length === 0) return false;
  run.round += 1;
  run.queue = ordered.slice(0, left).map((voice) => voice.handle);
  return true;
}
