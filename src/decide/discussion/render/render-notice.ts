/** Short comments of their own: only when a person must act, because edits notify nobody. */
import type { DiscussionState } from '../../../domain/run/state/discussion-state.ts';

type Question = Pick<NonNullable<DiscussionState['needsYou']>, 'owner' | 'question'>;

/** Asks the owner, because an edited comment, which contains the question, notifies nobody. */
export function renderOwnerQuestion({ owner, question }: Question): string {
  return `**@${owner}, the team needs your decision:** ${question} A reply here is enough; the team's comment above has the reasons.`;
}

/** Reports the outcome to the person who was asked. */
export function renderSettled({ owner, question }: Question, verdict: string): string {
  return `@${owner}, your question is settled: **${verdict}**. It was: ${question}`;
}

/** Asks the owner once more. */
export function renderReminder({ owner, question }: Question): string {
  return `**Still waiting for you:** ${question} @${owner}, reply here.`;
}
