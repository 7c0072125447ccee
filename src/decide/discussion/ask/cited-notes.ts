/** Which remembered notes led to what a run says. */
import type { CouncilFinding } from '../../../domain/run/council.ts';
import type { ShownNote } from '../../../domain/memory/recall/recalled.ts';
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import { usedLine } from '../../run/used-notes.ts';

/** Ids of the notes that positions, findings and the verdict cite, each once. */
export function citedIds({ contributions, verdict }: DiscussionRun): string[] {
  const cited = contributions.flatMap(({ position }) => [
    ...(position?.memory ?? []),
    ...(position?.findings ?? []).flatMap((finding) => memoryOf(finding)),
  ]);
  return [...new Set([...cited, ...(verdict?.memory ?? [])])];
}

function memoryOf(finding: CouncilFinding): string[] {
  return finding.memory ?? [];
}

function citedNotes(run: DiscussionRun): ShownNote[] {
  const cited = new Set(citedIds(run));
  return (run.lookedAt.notes ?? []).filter(({ id }) => cited.has(id));
}

/** A line for each note that was used, as people read it. */
export function citedLines(run: DiscussionRun): string[] {
  return citedNotes(run).map(usedLine);
}
