/** Entries in lines that nobody vouches for wait for a person, as those that grew from outsiders' words do (MEM-03). */
import { distrustExperiences } from '../self/experience.ts';
import { experiencesPath, holdBackSelf, ownerOfFile, selfPath } from '../self/self-file.ts';
import { personaOf } from './apply-change.ts';
import { replaceEntries } from './edit-memory-file.ts';
import { parseMemoryFile, renderMemoryFile, type MemoryPart } from './memory-file.ts';

/** The lines of a text that may be part of an entry, without what surrounds them. */
export function linesOfEntries(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The files with such entries marked, only those that differ. `today`: ISO 8601 date. */
export function holdBack(
  files: ReadonlyMap<string, string>,
  doubtful: ReadonlySet<string>,
  today: string,
): Map<string, string> {
  if (doubtful.size === 0) return new Map();
  const held = [...files].flatMap(([path, text]): [string, string][] => {
    const persona = personaOf(path);
    if (persona === undefined) return heldSelf(path, text, doubtful);
    const file = parseMemoryFile(text, { persona, today });
    const waiting = file.parts.flatMap((part) =>
      part.kind === 'entry' && isDoubtful(part, doubtful) ? [{ ...part.entry, ...UNVOUCHED }] : [],
    );
    return waiting.length === 0 ? [] : [[path, renderMemoryFile(replaceEntries(file, waiting))]];
  });
  return new Map(held);
}

/** Of a persona's other files: its own, and what it experienced. */
function heldSelf(path: string, text: string, doubtful: ReadonlySet<string>): [string, string][] {
  const persona = ownerOfFile(path);
  if (persona === undefined) return [];
  let held = text;
  if (path === selfPath(persona)) held = holdBackSelf(text, doubtful);
  if (path === experiencesPath(persona)) held = distrustExperiences(text, doubtful);
  return held === text ? [] : [[path, held]];
}

/** What the line says of its own trust is not believed. So it also reads differently once a person approved it. */
const UNVOUCHED = { state: 'quarantined', trust: 'stranger' } as const;

/** A line that already waits, or is out of date, stays as it is. */
function isDoubtful(
  part: Extract<MemoryPart, { kind: 'entry' }>,
  doubtful: ReadonlySet<string>,
): boolean {
  return (
    part.entry.state === 'active' && linesOfEntries(part.raw).some((line) => doubtful.has(line))
  );
}
