/** The key in the marker of a comment in which a persona speaks: which one, and what it is about. */
import { PRODUCT_MANAGER } from '../persona/roster.ts';

/** Of an answer: the comment that is answered. */
export function voiceKey(handle: string, commentId: number): string {
  return `voice-${handle}-${commentId}`;
}

/** Of what the product manager says while it plans: its questions and its answer. */
export function plannerKey(round: number, step: number): string {
  return `planner-${round}-${step}`;
}

/** Who speaks in a comment with this key, by handle or as the product manager; undefined where it is no persona. */
export function voiceOf(key: string): string | undefined {
  if (/^planner-\d+-\d+$/.test(key)) return PRODUCT_MANAGER;
  return /^voice-([a-z][a-z0-9-]{0,38})-\d+$/.exec(key)?.[1];
}
