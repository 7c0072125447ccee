/** What came of a discussion at a terminal: the comment as people would see it, or everything as JSON. */
import type { LocalChange } from '../../../adapters/local/local-repository.ts';
import type { DiscussionRun } from '../../../domain/run/state/run-record.ts';
import { sumCost } from '../../../domain/run/ledger.ts';
import { renderComment } from '../terminal/comment.ts';
import type { Io } from '../terminal/io.ts';
import { createPaint } from '../terminal/paint.ts';

export interface Outcome {
  /** The last form of the live comment, Markdown. */
  comment: string;
  /** What the team wanted done. */
  changes: readonly LocalChange[];
}

export function toOutcomeJson(run: DiscussionRun, { comment, changes }: Outcome) {
  const cost = sumCost(run.calls);
  return {
    ok: run.verdict !== undefined,
    ...toVerdictJson(run),
    leadAlone: run.leadAlone ?? null,
    voices: run.contributions.map(({ handle, name, round, outcome, position }) => ({
      handle,
      name,
      round,
      outcome,
      ...position,
    })),
    files: run.lookedAt.files,
    pastIssues: run.lookedAt.pastIssues,
    wouldDo: wouldDo(changes),
    comment,
    model: run.isOffline ? 'offline' : (run.model ?? null),
    modelCalls: run.calls.length,
    costUsd: cost.isPartlyUnknown ? null : cost.usd,
    run: run.id,
  };
}

function toVerdictJson({ verdict, needsYou, endReason }: DiscussionRun) {
  if (verdict === undefined) return { verdict: null, headline: endReason ?? null };
  const { headline, reasons, changes } = verdict;
  const question = needsYou?.question ?? null;
  return { verdict: verdict.verdict, headline, question, reasons, changes };
}

function wouldDo(changes: readonly LocalChange[]): string[] {
  return changes.flatMap((change) => {
    if (change.kind === 'labels' && change.add.length > 0)
      return [`add the label ${change.add.join(', ')}`];
    if (change.kind === 'closed') return [`close it as ${change.reason.replace('_', ' ')}`];
    return [];
  });
}

/** For people, with nothing folded away. */
export function renderOutcome(run: DiscussionRun, { comment, changes }: Outcome, io: Io): string {
  const paint = createPaint(io);
  if (run.verdict === undefined) return `Stopped: ${run.endReason ?? 'nobody said why'}.\n`;
  const acts = wouldDo(changes);
  const does = acts.length === 0 ? '' : ` On GitHub the team would ${acts.join(' and ')}.`;
  const body = renderComment(comment, { paint, columns: io.columns, unfold: true });
  return `\n${body}\n${paint.dim(`Nothing was posted.${does}`)}\n`;
}
