/** What a run leaves behind for its voices to learn from. */
import type { Trust } from '../prompt/quarantine.ts';
import type { Severity } from '../review/signal.ts';
import type { VerdictWord } from '../run/council.ts';
import type { AskedVoice, RunPhase } from '../run/state/run-base.ts';

/** A finding that a voice or a rule brought up, as it was told. */
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
  /** What each voice learned, as its model said it. */
  learned?: { persona: string; answer: unknown }[];
}
