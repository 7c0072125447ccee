/** Facts about an issue and its repository that code found: what every voice must rest on. */
import type { MemoryEntry } from '../memory/memory-entry.ts';
import type { ReflectionMaterial } from '../memory/reflection.ts';
import type { RoleMaterial } from '../memory/role/role-run.ts';
import type { StandupAnswer } from '../standup/standup-answer.ts';
import type { Place, Signal } from '../review/signal.ts';
import type { BuildCause } from '../build/find-causes.ts';
import type { CouncilMode } from './state/run-base.ts';
import type { VerdictWord } from './council.ts';
import type { Persona } from '../persona/persona.ts';

/** Everything code found about one issue. */
export interface Evidence {
  /** What the issue asks for, as far as its words show. */
  subject: 'bug' | 'feature' | 'question' | 'chore' | 'docs' | 'unclear';
  /** Number of the issue itself. */
  number: number;
  /** Visible title, cut; for quoting. */
  title: string;
  /** First visible words of the body without code, secrets removed; for quoting. */
  excerpt: string;
  /** A choice that the issue leaves open, where its words show one. */
  decision?: { question: string; options: string[]; quote: string };
  /** Hidden things that were removed from the text, by kind. */
  hidden: Record<string, number>;
  signals: Signal[];
  /** Files of the repository that the issue names or that match its terms, best first. */
  files: { path: string; why: string; lines?: [number, number]; score: number }[];
  /** Symbols the issue names that exist, with where. */
  symbols: { name: string; place: Place }[];
  /** Tests that stand next to the files it touches. */
  tests: string[];
  /** Things the issue names that do not exist in the repository. */
  missing: string[];
  relatedIssues: {
    number: number;
    title: string;
    state: 'open' | 'closed';
    score: number;
    sharedTerms: string[];
  }[];
  /** Rough size of the work by files and words touched. */
  size: 'small' | 'medium' | 'large' | 'unknown';
  /** What people have said since, newest last, one line each. */
  answers: { login: string; text: string; isByMaintainer: boolean }[];
  /** Positions of the round so far: only the lead, and round 2, see them. */
  positions: {
    handle: string;
    vote: string;
    confidence: number;
    line: string;
    findings: string[];
  }[];
  /** What was left out of the reading, named. */
  notRead: string[];
  /** Of a failed build: why it failed, and what came in since it was well. */
  build?: {
    causes: BuildCause[];
    /** Commits since the last green head, those that changed a file that an error names first. */
    commits: { sha: string; title: string; author: string }[];
    /** How many of them did. */
    suspects: number;
    /** Whether nothing else could be read. */
    isUnread: boolean;
    /** Credentials found in the logs. */
    secrets: number;
  };
  /** Of a question: it names nothing that was found, so this is about the thread that it was asked in. */
  isAboutThread?: true;
}

/** A remembered note, as far as rules can tell whether it fits. */
export type BriefNote = Pick<MemoryEntry, 'id' | 'text'> & { paths: string[] };

/** What the offline model judges from, as `ModelRequest.evidence`. */
export interface OfflineBrief {
  evidence: Evidence;
  /**
   * What the evidence is for: a contributor's position, the lead's verdict, a plan, or what was learned. It may also be
   * an answer to a question, which the evidence is then about. Others are whether the one signal is worth an issue,
   * what belongs into the files of roles, or what was noticed past one's own task.
   */
  purpose:
    | 'position'
    | 'verdict'
    | 'answer'
    | 'candidate'
    | 'plan'
    | 'reflection'
    | 'role-memory'
    | 'consolidation'
    | 'standup';
  /** Of a reflection: the run that is looked back on. */
  reflection?: ReflectionMaterial;
  /** Of a standup: what rules found in the run that is this persona's to tell. */
  standup?: StandupAnswer;
  /** Of role memory: the work that is over. */
  work?: RoleMaterial;
  /** Of a plan: the words that it is made of, as people see them. */
  plan?: { title: string; body: string; wish: string; isRevision: boolean; hasAnswers: boolean };
  persona: Pick<Persona, 'handle' | 'name' | 'role' | 'lens' | 'domains'>;
  /** What this persona remembers of the matter. */
  notes?: readonly BriefNote[];
  /** The words it may vote. */
  verdicts: readonly VerdictWord[];
  round: number;
  mode: CouncilMode;
}
