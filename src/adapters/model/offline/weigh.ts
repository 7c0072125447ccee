/** What each signal weighs for which vote: the whole judgement of the offline model, as a table. */
import type { Evidence } from '../../../domain/run/evidence.ts';
import type { Signal } from '../../../domain/review/signal.ts';
import type { Hearing } from './hear.ts';

export type IssueVote = 'READY' | 'CLOSE' | 'DRAFT' | 'HUMAN';
export type CloseReason = 'duplicate' | 'invalid' | 'not-planned';

interface Lean {
  vote: IssueVote;
  weight: number;
  closeReason?: CloseReason;
}

/**
 * Weights are relative to {@link START}, what speaks for an issue that nothing speaks against. From about 2 a signal
 * decides alone, from 4 against anything else.
 */
export const LEANS: Readonly<Record<string, Lean>> = {
  'duplicate-open-issue': { vote: 'CLOSE', weight: 7, closeReason: 'duplicate' },
  'duplicate-closed-issue': { vote: 'CLOSE', weight: 5, closeReason: 'duplicate' },
  'refused-before': { vote: 'CLOSE', weight: 6, closeReason: 'not-planned' },
  gibberish: { vote: 'CLOSE', weight: 8, closeReason: 'invalid' },
  spam: { vote: 'CLOSE', weight: 8, closeReason: 'invalid' },
  'question-not-issue': { vote: 'CLOSE', weight: 4, closeReason: 'invalid' },
  'contains-secret': { vote: 'HUMAN', weight: 9 },
  'security-report-in-public': { vote: 'HUMAN', weight: 9 },
  'decision-needed': { vote: 'HUMAN', weight: 7 },
  'breaking-change': { vote: 'HUMAN', weight: 3.5 },
  'touches-migration': { vote: 'HUMAN', weight: 2 },
  'touches-auth': { vote: 'HUMAN', weight: 1.2 },
  'touches-crypto': { vote: 'HUMAN', weight: 1.2 },
  'touches-secrets': { vote: 'HUMAN', weight: 0.8 },
  'touches-ci-workflow': { vote: 'HUMAN', weight: 0.8 },
  'dependency-request': { vote: 'HUMAN', weight: 1.2 },
  'instructions-to-agents': { vote: 'HUMAN', weight: 3 },
  'hidden-text-found': { vote: 'HUMAN', weight: 2 },
  'pull-request-open': { vote: 'HUMAN', weight: 2.5 },
  'already-implemented': { vote: 'DRAFT', weight: 4 },
  'large-scope': { vote: 'DRAFT', weight: 4 },
  'empty-body': { vote: 'DRAFT', weight: 3.5 },
  'no-reproduction': { vote: 'DRAFT', weight: 4 },
  'several-topics': { vote: 'DRAFT', weight: 2.5 },
  'no-acceptance-criteria': { vote: 'DRAFT', weight: 2.2 },
  'names-missing-path': { vote: 'DRAFT', weight: 2 },
  'names-missing-symbol': { vote: 'DRAFT', weight: 2 },
  'performance-claim-without-numbers': { vote: 'DRAFT', weight: 3.6 },
  'no-expected-behaviour': { vote: 'DRAFT', weight: 1.2 },
  'no-actual-behaviour': { vote: 'DRAFT', weight: 1.2 },
  'empty-template-sections': { vote: 'DRAFT', weight: 1.5 },
  'fixed-before': { vote: 'DRAFT', weight: 1.2 },
  'vague-title': { vote: 'DRAFT', weight: 1 },
  accessibility: { vote: 'DRAFT', weight: 0.3 },
  'no-version': { vote: 'DRAFT', weight: 0.3 },
  'no-test-near-code': { vote: 'DRAFT', weight: 0.2 },
  'has-reproduction': { vote: 'READY', weight: 1.6 },
  'has-acceptance-criteria': { vote: 'READY', weight: 1.6 },
  'names-existing-code': { vote: 'READY', weight: 1.2 },
  'stack-trace-resolved': { vote: 'READY', weight: 1 },
  'error-message-found': { vote: 'READY', weight: 0.8 },
  'size-small': { vote: 'READY', weight: 0.8 },
  'docs-only': { vote: 'READY', weight: 1.5 },
  'tests-near-code': { vote: 'READY', weight: 0.4 },
};

/** What speaks for going ahead before anything is known. */
const START = 0.6;
/** From now on closing or asking a person is the matter, whatever else is missing. */
const DECIDED = 4.5;
/** What others' business counts for one who sees it from the side. */
const ASIDE = 0.5;

/** What makes an issue one to start on: a thing that exists, a way to see the fault, or an outcome that is stated. */
const GROUNDS = new Set([
  'has-reproduction',
  'has-acceptance-criteria',
  'names-existing-code',
  'stack-trace-resolved',
  'error-message-found',
  'docs-only',
]);

/** Whether anything found, or a maintainer's word, says that work could start: the lack of objections does not. */
export function isGrounded({ signals }: Evidence, { wish }: Hearing): boolean {
  return wish === 'go' || signals.some(({ ruleId }) => GROUNDS.has(ruleId));
}

export type Weights = Record<IssueVote, number>;

export interface Weighing {
  weights: Weights;
  vote: IssueVote;
  /** 0 to 1: how far the best is ahead, and how much there is to go by. */
  confidence: number;
}

/** Adds up what speaks for each vote; each rule counts once, however often it fired. */
export function weigh(
  evidence: Evidence,
  hearing: Hearing,
  isOwn: (signal: Signal) => boolean = () => true,
): Weighing {
  const weights: Weights = { READY: START, CLOSE: 0, DRAFT: 0, HUMAN: 0 };
  const counted = new Set<string>();
  for (const signal of evidence.signals) {
    const lean = Object.hasOwn(LEANS, signal.ruleId) ? LEANS[signal.ruleId] : undefined;
    if (lean === undefined || counted.has(signal.ruleId)) continue;
    counted.add(signal.ruleId);
    const settled = hearing.settled.has(signal.ruleId) ? 0 : 1;
    weights[lean.vote] += lean.weight * settled * (isOwn(signal) ? 1 : ASIDE);
  }
  // What is missing matters little for what goes elsewhere anyway.
  if (Math.max(weights.CLOSE, weights.HUMAN) >= DECIDED) weights.DRAFT *= 0.3;
  if (hearing.wish === 'go') weights.READY += 3;
  if (!isGrounded(evidence, hearing)) {
    weights.DRAFT += weights.READY;
    weights.READY = 0;
  }
  if (hearing.wish === 'close') weights.CLOSE += 12;
  return { weights, ...decideVote(weights) };
}

const VOTES: readonly IssueVote[] = ['HUMAN', 'CLOSE', 'DRAFT', 'READY'];

/** The heaviest vote; on a tie the more careful one. */
export function decideVote(weights: Weights): { vote: IssueVote; confidence: number } {
  const ranked = VOTES.toSorted((a, b) => weights[b] - weights[a]);
  const [vote = 'HUMAN', second = 'HUMAN'] = ranked;
  const total = VOTES.reduce((sum, word) => sum + weights[word], 0);
  const lead = (weights[vote] - weights[second]) / (total + 0.5);
  const substance = Math.min(1, total / 6);
  const confidence = 0.4 + 0.4 * lead + 0.15 * substance;
  return { vote, confidence: Math.round(Math.min(0.95, Math.max(0.35, confidence)) * 20) / 20 };
}

/** The unsettled signals that speak for a vote, heaviest first. */
export function signalsFor(vote: IssueVote, evidence: Evidence, hearing: Hearing): Signal[] {
  return evidence.signals
    .filter(({ ruleId }) => LEANS[ruleId]?.vote === vote && !hearing.settled.has(ruleId))
    .toSorted((a, b) => (LEANS[b.ruleId]?.weight ?? 0) - (LEANS[a.ruleId]?.weight ?? 0));
}
