/** The key in the marker of an answer: which persona speaks, and the comment that is answered. */

export function voiceKey(handle: string, commentId: number): string {
  return `voice-${handle}-${commentId}`;
}

/** Handle of who speaks in an answer with this key; undefined where it is no persona's. */
export function voiceOf(key: string): string | undefined {
  return /^voice-([a-z][a-z0-9-]{0,38})-\d+$/.exec(key)?.[1];
}
