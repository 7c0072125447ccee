/** What a run leaves behind for its voices to learn from. */
import type { NewExperience } from './self/experience.ts';
import type { Trust } from '../prompt/quarantine.ts';
import type { Severity } from '../review/signal.ts';
import type { VerdictWord } from '../run/council.ts';
import type { AskedVoice, RunPhase } from '../run/state/run-base.ts';

/** A finding of a voice or a rule, as it was reported. */
export interface ReflectedFinding {
  severity: Severity;
  title: string;
  evidence: string;
  path?: string;
  line?: number;
  endLine?: number;
}

export interface ReflectedVoice {
  handle: string;
  vote: VerdictWord;
  line: string;
  findings: ReflectedFinding[];
}

/** Values only: the run that they come from may be replaced meanwhile. */
export interface ReflectionMaterial {
  /** The run that is looked back on. */
  run: string;
  subject: 'issue' | 'change';
  /** Commit at which the cited lines stand. */
  headSha: string;
  verdict: VerdictWord;
  headline: string;
  voices: ReflectedVoice[];
  /** A question that a person answered. */
  answered?: { question: string; by: string; words?: string };
  /** Whose thread it was. */
  author?: { id: number; login: string };
  /** The lowest of those whose words were in view: what grows from them is trusted no further. */
  trust: Trust;
  /** Ids of remembered notes that were used. */
  cited: string[];
}

/** What a reflection keeps. */
export interface ReflectionRunState {
  phase:
    | RunPhase
    | { kind: 'reflecting'; waitingFor: AskedVoice[] }
    | { kind: 'remembering'; effectId: string };
  /** Absent in a run of any other kind. */
  material?: ReflectionMaterial;
  /** Voices of the run that are switched off now: nobody learns what is for them. */
  silent?: string[];
  /** What each voice learned, as its model said it. */
  learned?: { persona: string; answer: unknown }[];
  /** What they experienced besides; absent where nothing of that is kept. */
  experiences?: { persona: string; experience: NewExperience }[];
  /** Personas whose memory is to be consolidated, until that has begun. */
  due?: string[];
}
