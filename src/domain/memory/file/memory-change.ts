/** What is to become of memory, as a value: carried out on the branch as it is then. */
import type { ForgetTarget } from '../forget-memory.ts';
import type { MemoryEntry } from '../memory-entry.ts';
import type { ReflectionMaterial } from '../reflection.ts';

export type MemoryChange =
  | {
      /** Lessons of a reflection, and that notes were used. */
      kind: 'learn';
      from: Omit<ReflectionMaterial, 'voices' | 'headline' | 'verdict' | 'answered'>;
      learned: { persona: string; answer: unknown }[];
      /** Files whose lines may be cited. */
      paths: string[];
    }
  /** A person's own sentence. */
  | { kind: 'add'; entry: MemoryEntry }
  | { kind: 'approve' | 'reject'; ids: string[] }
  | { kind: 'forget'; target: ForgetTarget }
  /** What became of findings that notes led to. */
  | { kind: 'judge'; outcomes: { id: string; isKept: boolean }[] };

/** What came of it. */
export interface MemoryChanged {
  /** Entries that are new, or were changed. */
  entries: MemoryEntry[];
  /** Ids that were taken out. */
  removed: string[];
  /** Why lessons were refused, never their text. */
  refused: string[];
  /** Nothing can be remembered here, and why. */
  off?: string;
}
