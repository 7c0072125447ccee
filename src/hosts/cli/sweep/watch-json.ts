/** What the code watch found at a terminal, for machines. */
import type { Run } from '../../../domain/run/state/run-record.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import type { WatchedCandidate, WatchState } from '../../../domain/repository/watched-code.ts';

/** Approved, or for a person to decide. */
export function isWorthAnIssue({ judgement }: WatchedCandidate): boolean {
  return judgement?.word === 'APPROVE' || judgement?.word === 'HUMAN';
}

export function toWatchJson(run: Run<'code_watch'>, watch: WatchState) {
  const { usd, isPartlyUnknown } = sumCost(run.calls);
  return {
    ok: true,
    loop: 'code-watch',
    commit: run.headSha,
    path: watch.path,
    files: watch.files,
    candidates: watch.candidates.map(toCandidateJson),
    left: watch.left,
    notRead: run.lookedAt.notRead,
    opened: 0,
    model: run.isOffline ? 'offline' : (run.model ?? null),
    modelCalls: run.calls.length,
    costUsd: isPartlyUnknown ? null : usd,
    run: run.id,
  };
}

function toCandidateJson({ candidate, judgement, failure }: WatchedCandidate) {
  const { names: _, excerpts: _code, step, isConfidential: _secret, ...rest } = candidate;
  return { ...rest, step: judgement?.step ?? step, ...judged(judgement), failure: failure ?? null };
}

function judged(judgement: WatchedCandidate['judgement']) {
  if (judgement === undefined) return { verdict: null };
  const { word: verdict, confidence, headline, reasons, question = null } = judgement;
  return { verdict, confidence, headline, reasons, question };
}
