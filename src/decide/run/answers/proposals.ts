/**
 * What waits for an answer in a thread: lessons, and operations on the files of roles. A number means one of them: what is
 * proposed while something else waits goes on with the next number.
 */
import type { CommentAddress } from '../../../domain/run/talk.ts';
import type { Run } from '../../../domain/run/state/run-record.ts';
import { runOf, type ThreadState } from '../../run/thread-context.ts';

/** The proposal that waits for an answer, where there is one. */
export function openProposal(state: Pick<ThreadState, 'runs'>): Run<'role_memory'> | undefined {
  const run = runOf(state, 'role_memory');
  return run?.phase.kind === 'proposed' ? run : undefined;
}

/** Of all that waits; 0 where nothing does. */
export function highestNumber(state: ThreadState): number {
  const { operations = [], first = 1 } = openProposal(state) ?? {};
  const lessons = (state.lessons ?? []).map(({ number }, at) => number ?? at + 1);
  return Math.max(0, ...lessons, operations.length === 0 ? 0 : first + operations.length - 1);
}

/** Whether a comment may be a word to it; a plan that waits comes first. What it truly says is read later. */
export function isToProposal(state: ThreadState, address: CommentAddress): boolean {
  const { isYes, word, isForMemory } = address;
  const isWord = isYes === true || word !== undefined || isForMemory === true;
  return isWord && state.plan?.isWaiting !== true && openProposal(state) !== undefined;
}

/** Approval or refusal is meant for a plan or a proposal that waits for it, and for nothing else. */
export function isWordForNobody(state: ThreadState, address: CommentAddress): boolean {
  const { isYes, isForPlan } = address;
  if (isToProposal(state, address)) return false;
  if (isForPlan === true && address.word === undefined) return true;
  return (isYes === true || isForPlan === true) && state.plan?.isWaiting !== true;
}
