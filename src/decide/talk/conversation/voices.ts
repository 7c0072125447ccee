/** Which persona spoke in a thread, recovered from the markers of its own comments: nothing else is remembered. */
import type { MarkerData } from '../../../domain/github/marker.ts';
import type { Persona } from '../../../domain/persona/persona.ts';
import type { Voice } from './addressee.ts';

/** A comment of the thread, with its marker when that was ours and valid. */
export interface MarkedComment {
  at: number;
  marker: MarkerData | undefined;
}

/** Everybody of the team who spoke, oldest first. Comments of the whole council belong to no voice. */
export function voicesIn(
  comments: readonly MarkedComment[],
  personas: readonly Persona[],
): Voice[] {
  const handles = new Set(personas.map(({ handle }) => handle));
  return comments
    .flatMap(({ at, marker }): Voice[] => {
      const handle = marker === undefined ? undefined : handleOf(marker.key);
      return handle !== undefined && handles.has(handle) ? [{ handle, at }] : [];
    })
    .toSorted((a, b) => a.at - b.at);
}

/** Of an answer (`voice-maya-12`) or of a contribution that has a comment of its own (`maya-1`). */
function handleOf(key: string): string | undefined {
  return /^(?:voice-)?([a-z][a-z0-9-]{0,38})-\d+$/.exec(key)?.[1];
}
