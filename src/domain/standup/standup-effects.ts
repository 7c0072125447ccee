/** What standups and tensions ask of the outside world, and what each of it brings back. */
import type { Authority } from '../event/effect-values.ts';
import type { Actor, ThreadRef } from '../run/thread-ref.ts';
import type { Tension } from '../tension/tension.ts';
import type {
  GivenAnswer,
  SkippedVoice,
  StandupLook,
  StandupSettled,
  StandupSource,
  TensionMove,
  TensionMoved,
  TicksLook,
} from './standup-run.ts';

export type StandupEffect =
  | {
      /** Reads what a run was that is over, from the store: result is a StandupLook. */
      kind: 'look-standup';
      thread: ThreadRef;
      source: StandupSource;
    }
  | {
      /** Checks what participants said, moves the tensions, and keeps both: result is a StandupSettled. */
      kind: 'settle-standup';
      thread: ThreadRef;
      source: StandupSource;
      answers: GivenAnswer[];
      skipped: SkippedVoice[];
    }
  | {
      /** Reads which boxes of our comment somebody ticked: result is a TicksLook. */
      kind: 'look-ticks';
      thread: ThreadRef;
      commentId: number;
      /** What we wrote last, without its marker. */
      body: string;
      /** Who edited it, as the delivery says; GitHub is asked where it was lost. */
      by?: Actor;
      /** Run that the comment is the standup of: reactions to it are kept. Absent in what older workers wanted. */
      standup?: string;
    }
  | {
      /** Reads how a follow-up issue ended, and moves its tension: result is that tension, if any. */
      kind: 'end-follow-up';
      thread: ThreadRef;
      /** Login of who closed it. */
      by: string;
      isDeleted?: true;
    }
  | {
      /** Moves tensions of the repository: result is what came of each. */
      kind: 'move-tensions';
      thread: ThreadRef;
      moves: TensionMove[];
      /** By whose word: the permission is read once more before it is done (CMD-02). */
      authority?: Authority;
    };

export interface StandupEffectResults {
  'look-standup': StandupLook;
  'settle-standup': StandupSettled;
  'look-ticks': TicksLook;
  'move-tensions': { moved: TensionMoved[] };
  'end-follow-up': { tension?: Tension };
}
