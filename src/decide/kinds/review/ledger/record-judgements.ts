/**
 * Reports what became of findings to the repository's precision count: each finding once, and again when its outcome
 * changes.
 */
import {
  monthOf,
  precisionKey,
  subjectsOf,
  type JudgedFinding,
  type Judgement,
} from '../../../../domain/review/precision.ts';
import type { FindingReply, LedgerFinding } from '../../../../domain/review/review.ts';
import type { ThreadRef } from '../../../../domain/run/thread-ref.ts';
import { emitEffect, emitEvent, type Step } from '../../../run/decision.ts';
import type { ThreadState } from '../../../run/thread-context.ts';
import { peoplesWord, RESOLVED } from './word.ts';

/** What is known of a pull request when its findings are judged. */
export interface Hearing {
  replies: readonly FindingReply[];
  authorId: number;
  isMerged: boolean;
}

/** Where the count is kept, and what this thread has reported to it. */
interface JudgeContext {
  state: ThreadState;
  step: Step;
  thread: ThreadRef;
}

/** Reports what changed for these findings. A finding without a reply this time keeps its reported judgement. */
export function recordJudgements(
  context: JudgeContext,
  findings: readonly LedgerFinding[],
  { replies, ...pull }: Hearing,
): void {
  const byKey = new Map(replies.map((reply) => [reply.key, reply]));
  const changes = findings.flatMap((entry) => {
    const reply = byKey.get(entry.finding.fingerprint);
    const to = judgementOf(entry, reply, pull);
    return to === undefined && reply === undefined ? [] : change(context, entry, to);
  });
  tell(context, changes);
}

/** Tells that somebody dismissed a finding by a command. */
export function recordDeclined(context: JudgeContext, entry: LedgerFinding): void {
  tell(context, change(context, entry, 'declined'));
}

function tell({ step, thread }: JudgeContext, judged: JudgedFinding[]): void {
  if (judged.length === 0) return;
  const suffix = `judged-${step.run.step}-${step.events.length}`;
  const key = precisionKey(thread.repositoryId);
  emitEvent(step, { kind: 'judged', run: step.run.id, judged }, { key, suffix });
}

/** Notes what is reported, so that a correction later counts in the month and for the voices of the first report. */
function change(
  { state, step, thread }: JudgeContext,
  { finding }: LedgerFinding,
  to: Judgement | undefined,
): JudgedFinding[] {
  const told = state.judged?.[finding.fingerprint];
  const from = told?.judgement;
  if (from === to) return [];
  if (from === undefined && to !== undefined) judgeNotes(step, thread, { finding, to });
  const { subjects, month } = told ?? { subjects: subjectsOf(finding), month: monthOf(step.now) };
  const isNow = to === undefined ? {} : { judgement: to };
  state.judged = { ...state.judged, [finding.fingerprint]: { subjects, month, ...isNow } };
  const wasBefore = from === undefined ? {} : { from };
  return [{ subjects, month, ...wasBefore, ...(to === undefined ? {} : { to }) }];
}

/** What became of a finding speaks for the notes that led to it, or against them. Counted once. */
function judgeNotes(
  step: Step,
  thread: ThreadRef,
  { finding: { memory = [] }, to }: { finding: LedgerFinding['finding']; to: Judgement },
): void {
  if (memory.length === 0 || to === 'ignored') return;
  const outcomes = memory.map((id) => ({ id, isKept: to === 'accepted' }));
  const lane = `memory:${thread.repositoryId}`;
  const judged = { kind: 'judge' as const, outcomes };
  emitEffect(step, { kind: 'remember', thread, change: judged }, { lane, isUnheard: true });
}

/** People's word first, then what the change itself says; undefined while nothing is settled. */
export function judgementOf(
  entry: LedgerFinding,
  reply: FindingReply | undefined,
  { authorId, isMerged }: Omit<Hearing, 'replies'>,
): Judgement | undefined {
  const word = reply === undefined ? undefined : peoplesWord(reply, authorId);
  if (word === 'accepted' || word === 'declined') return word;
  if (entry.status === 'fixed') return 'accepted';
  return word === 'split' ? undefined : unspoken(entry, reply, isMerged);
}

function unspoken(
  { status, why }: LedgerFinding,
  reply: FindingReply | undefined,
  isMerged: boolean,
): Judgement | undefined {
  const isChanged = reply?.isOutdated === true;
  // A person who changed the lines and resolved the conversation did what was asked.
  if (status === 'dismissed') return why === RESOLVED && isChanged ? 'accepted' : 'declined';
  // It was on a line for everybody to see, and went in as it was.
  const isOnLine = reply !== undefined && !isChanged;
  return isMerged && status === 'open' && isOnLine ? 'ignored' : undefined;
}
