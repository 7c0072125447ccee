/** What is to become of memory, as a value: carried out on the branch as it is then. */
import type { ForgetTarget } from '../forget-memory.ts';
import type { MemoryCategory, MemoryEntry } from '../memory-entry.ts';
import type { NewExperience } from '../self/experience.ts';
import type { ReflectionMaterial } from '../reflection.ts';

export type MemoryChange =
  | {
      /** Lessons of a reflection, and that notes were used. */
      kind: 'learn';
      from: Omit<ReflectionMaterial, 'voices' | 'headline' | 'verdict' | 'answered'>;
      learned: { persona: string; answer: unknown }[];
      /** Files whose lines may be cited. */
      paths: string[];
      /** What else they experienced; absent where nothing of that is kept. */
      experiences?: { persona: string; experience: NewExperience }[];
    }
  /** A person's own sentence. */
  | {
      kind: 'add';
      entry: MemoryEntry;
      /** The answer of the report that it corrects, in whose words. */
      corrects?: { number: number; by: string; text: string; question?: string };
    }
  /** A person's own words for a note. */
  | {
      kind: 'reword';
      id: string;
      /** The words that the person saw: other ones are not replaced. */
      shown: string;
      entry: MemoryEntry;
      /** Undefined: that of the note. */
      category?: MemoryCategory;
    }
  | {
      kind: 'approve';
      ids: string[];
      /** Texts that were shown, by id. A note with another text is not approved. */
      shown?: Record<string, string>;
    }
  | { kind: 'reject'; ids: string[] }
  | { kind: 'forget'; target: ForgetTarget }
  /** What became of findings that notes led to. */
  | { kind: 'judge'; outcomes: { id: string; isKept: boolean }[] };

/** What came of it. */
export interface MemoryChanged {
  /** Entries that are new, or were changed. */
  entries: MemoryEntry[];
  /** Ids that were taken out. */
  removed: string[];
  /** Why lessons or approvals were refused, never their text. */
  refused: string[];
  /** Personas whose memory has something to consolidate now. */
  due?: string[];
  /** Nothing can be remembered here, and why. */
  off?: string;
}
