/** What personas say and the lead concludes: findings, positions and verdicts. */
import { z } from 'zod';
import { Refutation } from '../review/refutation.ts';

/** Votes on an issue, and votes on anything else. */
export const ISSUE_VERDICTS = ['READY', 'CLOSE', 'DRAFT', 'HUMAN'] as const;
export const CHANGE_VERDICTS = ['APPROVE', 'CHANGES', 'HUMAN'] as const;
export type VerdictWord = (typeof ISSUE_VERDICTS)[number] | (typeof CHANGE_VERDICTS)[number];

/** Ids of remembered notes that a text cited; its marks are taken out when it is cleaned. */
export interface Citing {
  memory?: string[];
}

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
export type CouncilFinding = z.infer<typeof CouncilFinding> & Citing;

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
export type IssuePosition = z.infer<typeof IssuePosition> & Citing;
export type ChangePosition = z.infer<typeof ChangePosition> & Citing;
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
export type IssueVerdict = z.infer<typeof IssueVerdict> & Citing;
export type ChangeVerdict = z.infer<typeof ChangeVerdict> & Citing;
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

/**
 * What a persona is asked for: its own position, the verdict, what it learned, or what belongs into the files of roles.
 * It may also be the lead's unseen position for the value meter, or what it noticed past its own task.
 */
export type Purpose =
  | 'position'
  | 'lead-alone'
  | 'verdict'
  | 'reflection'
  | 'role-memory'
  | 'consolidation'
  | 'standup';
