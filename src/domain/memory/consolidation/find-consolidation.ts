/** What of a persona's memory is due to be consolidated: repeated lessons, and files that are too long (NW-14). */
import { createHash } from 'node:crypto';
import { findSelfRewrite } from '../self/rewrite-self.ts';
import { ownerOfFile } from '../self/self-file.ts';
import { corePath, workingPath } from '../file/apply-change.ts';
import {
  entriesOf,
  isOverCore,
  parseMemoryFile,
  type MemoryFileContext,
} from '../file/memory-file.ts';
import { TEAM, type MemoryEntry } from '../memory-entry.ts';
import type { Consolidation } from './consolidation.ts';
import { findPromotions, isCompactionDue } from './promote-memory.ts';

/** After a rejection, a file that goes on growing is proposed again only once it has so many lines more. */
const LINES_PER_PROPOSAL = 50;
/** What a person can read at a glance, and one answer of a model can hold. */
const MOST_PROMOTIONS = 5;

/** What is due for a persona, the most urgent first. A caller proposes one of them at a time. */
export function findConsolidations(
  files: ReadonlyMap<string, string>,
  context: MemoryFileContext,
): Consolidation[] {
  const { persona } = context;
  const [core, working] = [corePath(persona), workingPath(persona)].map(
    (path) => files.get(path) ?? '',
  );
  return [
    condenseCore(core ?? '', context),
    promote(working ?? '', context),
    condenseWorking(working ?? '', context),
  ].filter((each) => each !== undefined);
}

/**
 * Handles of the personas whose files have something to consolidate, by name. Who vouches for their lines is not asked here,
 * so that less may come of it.
 *
 * @param at - now, ISO 8601
 * @param isSelf - whether personas write about themselves
 */
export function findPersonasDue(
  files: ReadonlyMap<string, string>,
  { at, isSelf }: { at: string; isSelf: boolean },
): string[] {
  const owners = new Set([...files.keys()].flatMap((path) => ownerOfFile(path) ?? []));
  // No persona words what holds for everybody.
  owners.delete(TEAM);
  return [...owners].toSorted().filter((persona) => {
    const notes = findConsolidations(files, { persona, today: at.slice(0, 10) });
    return notes.length > 0 || (isSelf && findSelfRewrite(files, { persona, at }) !== undefined);
  });
}

/** Entries beyond the budget of `core.md` are not read any more. */
function condenseCore(text: string, context: MemoryFileContext): Consolidation | undefined {
  const file = parseMemoryFile(text, context);
  if (!isOverCore(file)) return undefined;
  const entries = activeOf(entriesOf(file));
  const evidence = digestOf(['core', ...entries.map(({ id }) => id).toSorted()]);
  return { kind: 'condense', persona: context.persona, file: 'core', evidence, entries };
}

function promote(text: string, context: MemoryFileContext): Consolidation | undefined {
  const file = parseMemoryFile(text, context);
  const promotions = findPromotions(file, context.today).slice(0, MOST_PROMOTIONS);
  if (promotions.length === 0) return undefined;
  const ids = promotions.flatMap(({ leaves }) => leaves.map(({ id }) => id));
  const evidence = digestOf(['promote', ...ids.toSorted()]);
  return { kind: 'promote', persona: context.persona, evidence, promotions };
}

function condenseWorking(text: string, context: MemoryFileContext): Consolidation | undefined {
  if (!isCompactionDue(text)) return undefined;
  const entries = activeOf(entriesOf(parseMemoryFile(text, context)));
  const size = Math.floor(text.split('\n').length / LINES_PER_PROPOSAL);
  const evidence = digestOf(['working', String(size)]);
  return { kind: 'condense', persona: context.persona, file: 'working', evidence, entries };
}

function activeOf(entries: readonly MemoryEntry[]): MemoryEntry[] {
  return entries.filter(({ state }) => state === 'active');
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 10);
}
