/** Short comments of their own: only when a person must act, because edits notify nobody. */
import type { DiscussionState } from '../../../domain/run/state/discussion-state.ts';

/** Asks the owner once more. */
export function renderReminder(needsYou: NonNullable<DiscussionState['needsYou']>): string {
  return `**Still waiting for you:** ${needsYou.question} @${needsYou.owner}, a reply here is enough.`;
}
