/** Work of Quorum's that GitHub shows and the store does not know: what it takes to go on with it (DUR-08). */
import type { ReviewVoice, TaskChange, TaskPull } from './task.ts';

export interface FoundWork {
  task: number;
  /** From 1. */
  attempt: number;
  /** The attempt that opened the pull request, by the marker that we signed there. */
  run: string;
  /** Handle of the persona that it is done as. */
  persona: string;
  pull: TaskPull;
  headSha: string;
  /** Undefined while it is open. */
  mergeSha?: string;
  /** Of an open one: the commit at its head, to be made and verified again. */
  commit?: FoundCommit;
  /** Whether the team's review said yes to this head. */
  isReviewed: boolean;
  /** Who agreed to it then. */
  voices?: ReviewVoice[];
}

export interface FoundCommit {
  change: TaskChange;
  /** Milliseconds since the epoch. */
  at: number;
}

/** The summary in one of Quorum's commit messages: between its first line and its trailers. */
export function summaryIn(message: string): string {
  const [, ...lines] = message.split('\n');
  const end = lines.findIndex((line) => line.startsWith('Quorum-Task: '));
  return lines.slice(0, Math.max(0, end)).join('\n').trim();
}

/** The decisions that the text of one of Quorum's pull requests lists. */
export function decisionsIn(body: string): string[] {
  const [, rest = ''] = body.split('### Decisions\n');
  const [section = ''] = rest.split('\n### ');
  return section.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}

export function attemptIn(body: string): number {
  return Number(/^- Worked on by: .*, attempt (\d+)$/m.exec(body)?.[1] ?? 1);
}
