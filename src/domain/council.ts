/** The council's words: positions, verdicts and the state of one run. */
import { z } from 'zod';
import type { BuildState } from './build/build-view.ts';
import type { Actor, ThreadRef } from './thread.ts';
import type { ModelCall } from './ledger.ts';
import type { Reading } from './reading.ts';
import { Refutation } from './refutation.ts';
import type { ReviewState } from './review.ts';
import type { CommentRef, Guidance } from './talk.ts';
import type { WatchState } from './watch.ts';

export const COUNCIL_TRIGGERS = [
  'pr_review',
  'build_failure',
  'prd_kickoff',
  'code_watch',
  'issue_review',
  'chat_message',
] as const;
export type CouncilTrigger = (typeof COUNCIL_TRIGGERS)[number];

/** Votes on an issue, and votes on anything else. */
export const ISSUE_VERDICTS = ['READY', 'CLOSE', 'DRAFT', 'HUMAN'] as const;
export const CHANGE_VERDICTS = ['APPROVE', 'CHANGES', 'HUMAN'] as const;
export type VerdictWord = (typeof ISSUE_VERDICTS)[number] | (typeof CHANGE_VERDICTS)[number];

/** As long as a path can be that Linux opens (`PATH_MAX`). */
const MAX_PATH = 4096;

const Place = z.object({
  path: z.string().max(MAX_PATH),
  line: z.number().int().positive().optional(),
  endLine: z.number().int().positive().optional(),
});

/** Something a persona found: what, where, how bad, and what shows it. */
export const CouncilFinding = z.object({
  severity: z.enum(['critical', 'high', 'medium', 'low', 'info']),
  title: z.string().min(1).max(300),
  evidence: z.string().max(1200),
  place: Place.optional(),
  /** The rule whose signal this rests on, when it rests on one. */
  ruleId: z.string().max(80).optional(),
});
export type CouncilFinding = z.infer<typeof CouncilFinding>;

function positionOf<const Words extends readonly [VerdictWord, ...VerdictWord[]]>(words: Words) {
  return z.object({
    /** True when there is nothing to add; then the rest is ignored. */
    skip: z.boolean(),
    vote: z.enum(words),
    confidence: z.number().min(0).max(1),
    /** The position in one line, without the vote. */
    line: z.string().max(240),
    /** The reasoning, Markdown, concrete. */
    reasons: z.string().max(4000),
    findings: z.array(CouncilFinding).max(10),
    questions: z.array(z.string().max(400)).max(3),
  });
}

export const IssuePosition = positionOf(ISSUE_VERDICTS);
export const ChangePosition = positionOf(CHANGE_VERDICTS).extend({
  /** Open findings of rules that are wrong here; only a review asks for it. */
  refutes: z
    .array(Refutation)
    .max(10)
    .optional()
    .describe('Only for open findings that the review lists as holding its check'),
});
export type IssuePosition = z.infer<typeof IssuePosition>;
export type ChangePosition = z.infer<typeof ChangePosition>;
export type Position = IssuePosition | ChangePosition;

function verdictOf<const Words extends readonly [VerdictWord, ...VerdictWord[]]>(words: Words) {
  return z.object({
    verdict: z.enum(words),
    confidence: z.number().min(0).max(1),
    /** The verdict in a few words, for the first line. */
    headline: z.string().min(1).max(160),
    reasons: z.string().max(4000),
    /** The one question for a person, when the verdict is HUMAN. */
    question: z.string().max(600).optional(),
    /** For CHANGES and DRAFT: what has to happen, each with a place where there is one. */
    changes: z.array(z.object({ text: z.string().max(600), place: Place.optional() })).max(10),
    /** For CLOSE. */
    closeReason: z.enum(['duplicate', 'invalid', 'not-planned']).optional(),
    duplicateOf: z.number().int().positive().optional(),
    /** Asks for one more round among the contributors. */
    anotherRound: z.boolean(),
  });
}

export const IssueVerdict = verdictOf(ISSUE_VERDICTS);
export const ChangeVerdict = verdictOf(CHANGE_VERDICTS);
export type IssueVerdict = z.infer<typeof IssueVerdict>;
export type ChangeVerdict = z.infer<typeof ChangeVerdict>;
export type Verdict = IssueVerdict | ChangeVerdict;

/** One form for both questions: providers cache a prompt only together with the form of its answer. */
function formOf<P extends z.ZodType, V extends z.ZodType>(position: P, verdict: V) {
  return z.object({
    position: position.nullable().describe('Where your position is asked for; else null'),
    verdict: verdict.nullable().describe('Where the verdict is asked for; else null'),
  });
}

export const IssueForm = formOf(IssuePosition, IssueVerdict);
export const ChangeForm = formOf(ChangePosition, ChangeVerdict);

/** Who speaks, as people see it. */
export interface Voice {
  handle: string;
  name: string;
  role: string;
}

/** One persona's part in a run. */
export interface Contribution extends Voice {
  round: number;
  /** Absent contributors are named, never invented. */
  outcome: 'said' | 'skipped' | 'repeated' | 'absent';
  position?: Position;
  /** Why somebody is absent. */
  reason?: string;
}

/** What a persona is asked for: its own position, the lead's unseen one for the value meter, or the verdict. */
export type Purpose = 'position' | 'lead-alone' | 'verdict';

export type RunStatus = 'active' | 'consensus' | 'blocked' | 'closed';
export type RunResult = 'approved' | 'changes_requested' | 'human_needed' | 'cancelled';
export type CouncilMode = 'blind' | 'sequential' | 'single';

/** What one reviewer alone would have decided, and what the council made of it. */
export interface ValueMeter {
  leadAlone: VerdictWord | undefined;
  verdict: VerdictWord;
  changed: boolean;
  costUsd: number;
  isCostPartlyUnknown: boolean;
}

/** Why the world is read: to start, for another round, for the verdict, because a person answered a blocked run, or before reminding somebody. */
export type LookFor = 'start' | 'round' | 'verdict' | 'answer' | 'reminder';

/** The repository's settings as the last look found them. */
export interface CouncilSettings {
  mode: CouncilMode;
  style: 'live' | 'thread';
  maxRounds: number;
  maxContributions: number;
  maxContributors: number;
  /** Handles of those who speak on a change before anybody else; absent in runs that are older. */
  required?: string[];
  debounceMs: number;
  cooldownMs: number;
  pauseMs: number;
  caps: { threadUsd: number; dayUsd: number; repositoryDayUsd: number };
  /** Default label name to the name used here. */
  labels: Record<string, string>;
  owner: string;
}

/** Somebody whose answer is awaited. */
export interface AskedVoice {
  effectId: string;
  handle: string;
  purpose: Purpose;
  /** Of what is read in parts: which one, from 0. */
  part?: number;
}

/** What waits for what inside an active run. */
export type CouncilPhase =
  /** Reading the world before the next step. */
  | { kind: 'looking'; next: LookFor; effectId: string }
  /** Contributors are being asked. */
  | { kind: 'gathering'; waitingFor: AskedVoice[] }
  /** The lead is being asked. */
  | { kind: 'concluding'; effectId: string }
  /** Candidates of the code watch are judged, or issues about them opened. */
  | { kind: 'judging' | 'opening' }
  /** A person spoke, or a pause is due: quiet until the timer fires. */
  | { kind: 'listening'; timer: string; next: 'start' | 'round' | 'verdict' }
  /** Blocked: a person has the floor. */
  | { kind: 'waiting' }
  | { kind: 'ended' };

/** How a run ended, for whoever keeps count. */
export interface RunSummary {
  run: string;
  trigger: CouncilTrigger;
  /** Stream key of the thread. */
  key: string;
  status: RunStatus;
  result: RunResult | undefined;
  verdict: VerdictWord | undefined;
  meter: ValueMeter | undefined;
  endedAt: string;
}

/** A review on its way to GitHub, and how to take back what is remembered of it. */
export interface Posting {
  effectId: string;
  /** The head that was reviewed before. */
  reviewedSha: string | undefined;
  /** Fingerprints of the findings that it tells for the first time. */
  untold: string[];
}

export interface CouncilRun {
  id: string;
  trigger: CouncilTrigger;
  thread: ThreadRef;
  /** The label or command that asked. */
  label: string;
  actor: Actor;
  /** Asked for at a terminal or by a command, so that no label has to stay on. */
  isRequested: boolean;
  /** Found by the reconcile pass, not asked for just now. */
  isFound: boolean;
  /** Why the run before this one was stopped, when it was. */
  lastReason?: string;
  /** The comment whose command asked for it: it is told how the run went. */
  askedIn?: CommentRef;
  /** Who was asked for by name; the team's usual seats when absent. */
  named?: string[];
  /** What people of this thread wanted to be kept in mind when it began. */
  guidance?: Guidance[];
  /** The one question to discuss, as somebody wrote it. */
  question?: string;
  /** The file or folder that it is about; everything when absent. */
  path?: string;
  /** How many effects and timers this run has made: their ids derive from it. */
  step: number;
  status: RunStatus;
  result?: RunResult;
  phase: CouncilPhase;
  settings: CouncilSettings;
  round: number;
  lead: Voice | undefined;
  participants: Voice[];
  /** Who still has to speak in this round, when they speak in turn. */
  queue: string[];
  contributions: Contribution[];
  /** Asked before a person spoke: their answers still count. */
  inFlight: AskedVoice[];
  /** How many contributions have a comment of their own, in thread style. */
  posted: number;
  /** What the check of a review was last to say: of which head, and whether it has ended. */
  checkStage?: string;
  /** Digest of the head and the words of the last review that was wanted: they are not posted twice. */
  said?: string;
  /** What was written once at least, under names of our own. */
  written?: string[];
  /** What GitHub refused to take, in words, with the failure's code; gone when the same is written later. */
  unwritten?: { what: string; code: string }[];
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
  calls: ModelCall[];
  githubCalls: number;
  startedAt: string;
  endedAt?: string;
  /** Why it ended without a verdict. */
  endReason?: string;
  /** Last comment of a person that was taken into view. */
  heardCommentId: number;
  /** The share of a cap that was used, when people should know. */
  budgetUsed?: { share: number; cap: 'thread' | 'day' | 'repository' };
  /** Asked personas whose call a cap refused. */
  isBudgetExhausted: boolean;
  /** A person was asked in between, and answered. */
  wasBlocked: boolean;
  /** The verdict was made after so many votes that some were counted; who was left out. */
  sittingOut: { handle: string; reason: string }[];
  /** Runs in a row in which the council left the lead's own vote as it was, before this one. */
  unchangedRuns: number;
  needsYou?: { owner: string; question: string; since: string; reminders: number };
  lookedAt: { files: string[]; pastIssues: number[]; notRead: string[]; hidden: number };
  headSha: string;
  /** What the thread had at the last look. */
  labels?: string[];
  /** Whose thread it is, as the last look told. */
  author?: { id: number; login: string };
  /** Stands around other people's words in all prompts of this run; never shown to anybody. */
  nonce?: string;
  /** The head that was reviewed before this run, for a review of what came since. */
  reviewedSha: string | undefined;
  /** What is too large for one prompt is read in parts. */
  reading?: Reading;
  /** What only a review of a pull request keeps. */
  review?: ReviewState;
  /** What only a look into a failed build keeps. */
  build?: BuildState;
  /** A head that came while the run was going on, in case it is not the one that was read. */
  pushedSha?: string;
  /** The review that is being written: until GitHub has it, nobody was told what is new in it. */
  posting?: Posting;
  /** What only the code watch keeps. */
  watch?: WatchState;
  /** A look that only asks whether the run is over; whatever else goes on, goes on. */
  recheck?: string;
  /** Pushes are left to settle before they are read; this says that it was waited. */
  hasSettled: boolean;
  /** Whether the model that answered was the offline one, for the footer. */
  isOffline: boolean;
  /** Names the model that closed the run, for the footer. */
  model?: string;
}
