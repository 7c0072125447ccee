/** Who else may speak after one of our personas did: those it named, once, and now and then an unasked one (NW-12). */
import { createHash } from 'node:crypto';
import { addressedIn, type Nameable } from './addressee.ts';

export interface Contribution {
  handle: string;
  text: string;
  /** 0 answers a person. 1 answers a persona, and gets no answer itself. */
  depth: number;
}

/** Handles of those whom a contribution names and who have not spoken yet. Cascades do not cascade. */
export function cascadeOf(
  contribution: Contribution,
  personas: readonly Nameable[],
  spoken: readonly string[],
): string[] {
  if (contribution.depth > 0) return [];
  const silent = new Set([contribution.handle, ...spoken]);
  return addressedIn(contribution.text, personas).filter((handle) => !silent.has(handle));
}

/** How often somebody speaks up unasked. */
const SPONTANEOUS = { github: 0, chat: 0.4 } as const;

export interface SpontaneousContext {
  place: keyof typeof SPONTANEOUS;
  /** From the configuration; the default of the place otherwise. */
  probability?: number | undefined;
  /** Two numbers from 0 to 1, drawn by the caller: whether, and who. */
  chance: readonly [number, number];
}

/** A second voice among those who could have something to say; undefined most of the time. */
export function spontaneousVoice(
  candidates: readonly Pick<Nameable, 'handle'>[],
  { place, probability = SPONTANEOUS[place], chance }: SpontaneousContext,
): string | undefined {
  if (chance[0] >= probability) return undefined;
  return candidates[Math.min(candidates.length - 1, Math.floor(chance[1] * candidates.length))]
    ?.handle;
}

/** Two numbers from 0 to 1 that are the same each time for the same answer: a replay decides as the first time. */
export function chanceOf(id: string): [number, number] {
  const digest = createHash('sha256').update(`second voice ${id}`).digest();
  return [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32];
}
