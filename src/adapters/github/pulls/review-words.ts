/** GitHub's words for reviews and reactions, in upper and lower case, as ours. */
import type { ReactionFacts, ReviewFacts } from '../../../ports/github/pulls.ts';

const STATES: Record<string, ReviewFacts['state']> = {
  COMMENTED: 'commented',
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes-requested',
  DISMISSED: 'dismissed',
};

/** Undefined for a pending review: nobody but its author has seen it. */
export function toReviewState(word: string): ReviewFacts['state'] | undefined {
  return STATES[word.toUpperCase()];
}

const CONTENTS: Record<string, ReactionFacts['content']> = {
  THUMBS_UP: '+1',
  THUMBS_DOWN: '-1',
  LAUGH: 'laugh',
  CONFUSED: 'confused',
  HEART: 'heart',
  HOORAY: 'hooray',
  ROCKET: 'rocket',
  EYES: 'eyes',
};
/** REST writes the contents as we do. */
const KNOWN = new Map<string, ReactionFacts['content']>(
  Object.values(CONTENTS).map((content) => [content, content]),
);

export function toReactionContent(word: string): ReactionFacts['content'] | undefined {
  return CONTENTS[word] ?? KNOWN.get(word);
}
