/** A forgotten lesson must not return when somebody merges an older proposal (MEM-08). */
import {
  isConsolidation,
  isConsolidationOf,
} from '../../domain/memory/consolidation/render-consolidation.ts';
import {
  applyChange,
  PERSONAS_FOLDER,
  type ReadyChange,
} from '../../domain/memory/file/apply-change.ts';
import { ownerOfFile } from '../../domain/memory/self/self-file.ts';
import type { ThreadRef } from '../../domain/run/thread-ref.ts';
import type { MemoryPlace } from '../../ports/github/memory-branch.ts';
import type { EffectContext } from '../effect-context.ts';
import { workAt } from '../task/coder/coding-runtime.ts';
import { memorySessionOf } from './read-memory.ts';

export interface Forgetting {
  thread: ThreadRef;
  place: MemoryPlace;
  /** ISO 8601. */
  at: string;
  message: string;
}

/**
 * Empties a proposal for a persona that loses a lesson: its merged lessons may be made from that one, and have ids of
 * their own. In other proposals only the matching lessons are removed. Runs before memory itself changes, so that a
 * repetition finds the same lessons.
 */
export async function forgetInProposals(
  change: Extract<ReadyChange, { kind: 'forget' }>,
  { thread, place, at, message }: Forgetting,
  ports: EffectContext['ports'],
): Promise<void> {
  const session = workAt(ports, thread);
  const reached = memorySessionOf(session);
  if (reached === undefined) return;
  const pulls = await session.work.pullsInto(thread, place.branch);
  const open = pulls.filter(({ head, isOpen }) => isOpen && isConsolidation(head));
  if (open.length === 0) return;
  const { files: base } = await reached.memory.read(place, { paths: [PERSONAS_FOLDER] });
  const { files: changed } = applyChange(base, change, at);
  const after = new Map([...base, ...changed]);
  const losers = new Set([...changed.keys()].flatMap((path) => ownerOfFile(path) ?? []));
  for (const { head: branch } of open) {
    const persona = [...losers].find((each) => isConsolidationOf(each, branch));
    await reached.memory.update(
      { ...place, branch },
      {
        paths: [PERSONAS_FOLDER],
        message,
        from: place.branch,
        holds: 'memory',
        change: (files) =>
          persona === undefined
            ? applyChange(files, change, at).files
            : emptied(files, { after, persona }),
      },
    );
  }
}

/** The persona's files as memory will have them, so that merging the proposal changes nothing. */
function emptied(
  files: ReadonlyMap<string, string>,
  { after, persona }: { after: ReadonlyMap<string, string>; persona: string },
): Map<string, string | undefined> {
  const paths = [...new Set([...files.keys(), ...after.keys()])];
  const own = paths.filter((path) => ownerOfFile(path) === persona);
  return new Map(
    own
      .filter((path) => files.get(path) !== after.get(path))
      .map((path) => [path, after.get(path)]),
  );
}
