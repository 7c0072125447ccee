/** Answering a comment: a reaction at once, and at most one comment, where it was asked. */
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import type { Reaction } from '../../../domain/event/effect.ts';
import { emitEffect } from '../../run/decision.ts';
import { voiceKey } from '../conversation/voices.ts';
import { threadKey } from '../../../domain/run/thread-ref.ts';
import { answerAt, reactionAt } from '../../run/where-asked.ts';
import type { TalkContext } from '../../run/command-context.ts';

/**
 * People are answered in a lane of their own: a discussion that waits does not hold them up. A talk waits for nothing that
 * it writes.
 */
export function talkLane({ talk }: Pick<TalkContext, 'talk'>): { lane: string; isUnheard: true } {
  return { lane: `talk:${threadKey(talk.thread)}`, isUnheard: true };
}

export function react(scene: TalkContext, add: Reaction, remove?: Reaction): void {
  const { thread, comment } = scene.talk;
  const nod = { thread, add, ...(remove && { remove }), evenPaused: true as const };
  emitEffect(scene.step, reactionAt(comment, nod), talkLane(scene));
}

/** The one comment that answers. `voice` is the persona who speaks in it. */
export function reply(scene: TalkContext, body: string, voice?: string): void {
  const { comment, isQuiet } = scene.talk;
  if (isQuiet) return;
  write(scene, body, voice === undefined ? `answer-${comment.id}` : voiceKey(voice, comment.id));
}

/** Beyond the most that the team writes in an hour: only to say that it is so. */
export function replyEvenQuiet(scene: TalkContext, body: string): void {
  write(scene, body, `quiet-${scene.talk.comment.id}`);
}

function write(scene: TalkContext, body: string, key: string): void {
  const { talk, step } = scene;
  const { thread, comment } = talk;
  const marker = { kind: 'notice' as const, run: talk.id, key };
  const words = { thread, marker, body, evenPaused: true as const };
  emitEffect(step, answerAt(comment, words), talkLane(scene));
}

/** Ends a talk: nothing is kept of it but what `finish` wrote down. The reason, where there is one, is for the record. */
export function drop({ state, talk }: TalkContext, reason?: string): Outcome {
  if (state.talks !== undefined) delete state.talks[talk.id];
  return reason === undefined ? HANDLED : ignore(reason);
}

/** Says what there is to say and ends the talk. */
export function finish(scene: TalkContext, voice?: string): Outcome {
  const { talk } = scene;
  const hasEyes = talk.phase.kind === 'looking' || talk.phase.kind === 'asking';
  react(scene, talk.isDone ? '+1' : 'confused', hasEyes ? 'eyes' : undefined);
  if (talk.parts.length > 0) reply(scene, talk.parts.join('\n\n'), voice);
  drop(scene);
  return HANDLED;
}
