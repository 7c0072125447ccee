/** Answers where the question was asked: below a line of a diff, or on the thread. */
import type { EffectData } from '../../../domain/event/effect.ts';
import type { Reaction } from '../../../domain/event/effect-values.ts';
import type { CommentRef } from '../../../domain/run/talk.ts';
import type { ThreadRef } from '../../../domain/run/thread-ref.ts';

type Words = Pick<Extract<EffectData, { kind: 'comment' }>, 'thread' | 'marker' | 'body'> & {
  evenPaused?: true;
};

interface ReactionTarget {
  thread: ThreadRef;
  add: Reaction;
  remove?: Reaction;
  evenPaused?: true;
}

/** A comment, or a reply where `asked` is on a diff. */
export function answerAt(asked: CommentRef | undefined, words: Words): EffectData {
  return asked?.place === 'review'
    ? { kind: 'reply', ...words, commentId: asked.id }
    : { kind: 'comment', ...words };
}

/** A reaction on the comment that asked, or on the thread itself. */
export function reactionAt(asked: CommentRef | undefined, target: ReactionTarget): EffectData {
  const where = asked === undefined ? {} : { commentId: asked.id };
  const onDiff = asked?.place === 'review' ? { isOnDiff: true as const } : {};
  return { kind: 'react', ...where, ...onDiff, ...target };
}
