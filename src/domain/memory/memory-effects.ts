/** What memory asks of the outside world. */
import type { Authority } from '../event/effect-values.ts';
import type { ThreadRef } from '../run/thread-ref.ts';
import type { MemoryEdit } from './consolidation/consolidation.ts';
import type { MemoryChange } from './file/memory-change.ts';
import type { SelfEdit } from './self/rewrite-self.ts';
import type { RoleOperation } from './role/role-memory.ts';
import type { RoleSource } from './role/role-run.ts';

export type MemoryEffect =
  | {
      /** Reads what a reflection needs: result is a MemoryLook. */
      kind: 'look-memory';
      thread: ThreadRef;
      /** Personas that will be asked. */
      handles: string[];
    }
  | {
      /** Changes what is remembered, on the memory branch: result is a MemoryChanged. */
      kind: 'remember';
      thread: ThreadRef;
      change: MemoryChange;
      /** By whose command: the permission is read once more before it is done (CMD-02). */
      authority?: Authority;
    }
  | {
      /** Writes the journal of a thread onto the memory branch, as the store tells it now: result is a JournalWritten. */
      kind: 'write-journal';
      thread: ThreadRef;
      /** Nothing is written while the thread is open: what happened is written with what comes next. */
      whenClosed?: true;
    }
  | {
      /** Reads the work that is over, and the files of roles: result is a RoleLook. */
      kind: 'look-roles';
      thread: ThreadRef;
      source: RoleSource;
    }
  | {
      /** Opens a pull request that makes approved operations in the files of roles: result is a RolePull. */
      kind: 'open-roles';
      thread: ThreadRef;
      operations: RoleOperation[];
      /** Id of the run that proposed them. */
      proposedBy: string;
      /** Who approved them: the permission is read once more before it is done (CMD-02). */
      authority: Authority;
    }
  | {
      /** Reads which consolidation of a persona's memory is due: result is a ConsolidationLook. */
      kind: 'look-consolidation';
      thread: ThreadRef;
      persona: string;
    }
  | {
      /** Opens a pull request onto the memory branch with these edits: result is a ConsolidationPull. */
      kind: 'open-consolidation';
      thread: ThreadRef;
      persona: string;
      evidence: string;
      edits: MemoryEdit[];
      /** The persona's own file, rewritten. */
      self?: SelfEdit;
      /** Id of the run that proposed them. */
      proposedBy: string;
    };
