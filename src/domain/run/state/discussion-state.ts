/** What a run keeps in which the team discusses and the lead concludes. */
import type { Reading } from '../../review/reading.ts';
import type { Contribution, Verdict, VerdictWord } from '../council.ts';
import type { AskedVoice, RunPhase } from './run-base.ts';
import type { ValueMeter } from './run-summary.ts';
import type { Trust } from '../../prompt/quarantine.ts';
import type { Guidance } from '../talk.ts';

/** What waits for what while the team discusses. */
type DiscussionPhase =
  | RunPhase
  /** Contributors are being asked. */
  | { kind: 'gathering'; waitingFor: AskedVoice[] }
  /** The lead is being asked. */
  | { kind: 'concluding'; effectId: string }
  /** A person spoke, or a pause is due: quiet until the timer fires. */
  | { kind: 'listening'; timer: string; next: 'start' | 'round' | 'verdict' }
  /** Blocked: a person has the floor. */
  | { kind: 'waiting' };

/** Rounds, votes and the verdict, and the conversation with people around them. */
export interface DiscussionState {
  phase: DiscussionPhase;
  /** Who was asked for by name; the team's usual seats when absent. */
  named?: string[];
  /** What people of this thread wanted to be kept in mind when it began. */
  guidance?: Guidance[];
  /** The one question to discuss, as somebody wrote it. */
  question?: string;
  round: number;
  /** Who still has to speak in this round, when they speak in turn. */
  queue: string[];
  contributions: Contribution[];
  /** Asked before a person spoke: their answers still count. */
  inFlight: AskedVoice[];
  /** How many contributions have a comment of their own, in thread style. */
  posted: number;
  /** Rules whose signals were in evidence: a finding rests on one only when it is among them. */
  ruleIds: string[];
  /** When the team fell silent for people, while it is. */
  silentSince?: number;
  /** Numbers of the past issues that were read: a duplicate can only be one of these. */
  relatedIssues: number[];
  /** The reminder that counts; older ones are void. */
  reminderTimer?: string;
  /** The lead's blind position, for the value meter. */
  leadAlone?: VerdictWord;
  verdict?: Verdict;
  /** Why code changed the lead's verdict, when it did. */
  bounded?: string;
  meter?: ValueMeter;
  /** Last comment of a person that was taken into view. */
  heardCommentId: number;
  /** A person was asked in between, and answered. */
  wasBlocked: boolean;
  /** The verdict was made after so many votes that some were counted; who was left out. */
  sittingOut: { handle: string; reason: string }[];
  needsYou?: { owner: string; question: string; since: string; reminders: number };
  /** The question that somebody has answered, kept for the readers of the verdict; the last one. */
  answered?: { owner: string; question: string; by: string; words?: string };
  /** Whose thread it is, as the last look told. */
  author?: { id: number; login: string };
  /** What is too large for one prompt is read in parts. */
  reading?: Reading;
  /** The lowest trust of those whose words were in view; absent in what older workers wrote. */
  trust?: Trust;
  /** A look that only asks whether the run is over; whatever else goes on, goes on. */
  recheck?: string;
}
