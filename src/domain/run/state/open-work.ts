/** What a thread's stored state says is going on under a run's id, for the code that carries out its effects. */
import { isDiscussionRun, ofKind, questionOf, type Run } from './run-record.ts';
import type { Planning } from '../../plan/planning.ts';
import type { Talk } from '../talk.ts';
import type { ThreadRef } from '../thread-ref.ts';

export interface OpenWork {
  /** Which trace on GitHub says how far it is: a live comment, a check run, the PM's last word or an answer. */
  kind: 'discussion' | 'review' | 'planning' | 'talk';
  thread: ThreadRef;
  /** Of a review: the head that it reads. */
  headSha: string;
  /** Since when it waits for a person, ISO 8601; absent where it does not. */
  waitsSince?: string;
  /** It has asked a person before, or ended its check: seeing that on GitHub is then no change. */
  hasWaited: boolean;
  /** It was found to be over on GitHub: nothing is left to do for it. */
  isOvertaken: boolean;
}

interface StoredThread {
  runs?: Partial<Record<string, Run>>;
  talks?: Record<string, Talk>;
  planning?: Planning;
}

/** Undefined where the state knows no such run, or knows that it has ended. */
export function findOpenWork(state: unknown, id: string): OpenWork | undefined {
  if (!isStoredThread(state)) return undefined;
  const run = Object.values(state.runs ?? {}).find((each) => each?.id === id);
  if (run !== undefined) return toOpenRun(run);
  const talk = state.talks?.[id];
  const nothing = { headSha: '', hasWaited: true, isOvertaken: false };
  if (talk !== undefined) return { kind: 'talk', thread: talk.thread, ...nothing };
  const { planning } = state;
  if (planning?.id !== id) return undefined;
  return { kind: 'planning', thread: planning.thread, ...nothing };
}

function toOpenRun(run: Run): OpenWork | undefined {
  const isBlocked = run.status === 'blocked';
  const isOvertaken = run.isOvertaken === true;
  if (run.status !== 'active' && !isBlocked && !isOvertaken) return undefined;
  const waits = isBlocked ? { waitsSince: questionOf(run)?.since ?? run.startedAt } : {};
  const kind = run.trigger === 'pr_review' ? 'review' : 'discussion';
  const headSha = headOf(run);
  const hasWaited = (isDiscussionRun(run) && run.wasBlocked) || hasEndedCheck(run, headSha);
  return { kind, thread: run.thread, headSha, hasWaited, isOvertaken, ...waits };
}

function headOf(run: Run): string {
  return ofKind(run, 'pr_review')?.review?.headSha ?? run.headSha;
}

/** A head that was pushed over, or a question: the run goes on after the check has ended. */
function hasEndedCheck(run: Run, headSha: string): boolean {
  const checkStage = ofKind(run, 'pr_review')?.checkStage;
  return checkStage?.startsWith(headSha) === true && !checkStage.endsWith(' going on');
}

function isStoredThread(state: unknown): state is StoredThread {
  return typeof state === 'object' && state !== null && 'v' in state && state.v === 1;
}
