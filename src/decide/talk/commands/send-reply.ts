/** Answering a comment: a reaction at once, and at most one comment, where it was asked. */
import { HANDLED, ignore, type Outcome } from '../../run/outcome.ts';
import type { Reaction } from '../../../domain/event/effect-values.ts';
import { emitEffect } from '../../run/decision.ts';
import { voiceKey } from '../../../domain/github/voice-key.ts';
import { threadKey, toRepositoryRef } from '../../../domain/run/thread-ref.ts';
import { answerAt, reactionAt } from '../../run/answers/where-asked.ts';
import type { TalkContext } from '../../run/command-context.ts';

/**
 * People are answered in a lane of their own: a discussion that waits does not hold them up. A talk waits for nothing that
 * it writes.
 */
export function talkLane({ talk }: Pick<TalkContext, 'talk'>): { lane: string; isUnheard: true } {
  return { lane: `talk:${threadKey(talk.thread)}`, isUnheard: true };
}

export function react(context: TalkContext, add: Reaction, remove?: Reaction): void {
  const { thread, comment } = context.talk;
  const nod = { thread, add, ...(remove && { remove }), evenPaused: true as const };
  emitEffect(context.step, reactionAt(comment, nod), talkLane(context));
}

/** The one comment that answers. `voice` is the persona who speaks in it. */
export function reply(context: TalkContext, body: string, voice?: string): void {
  const { comment, isQuiet } = context.talk;
  if (isQuiet) return;
  write(context, body, voice === undefined ? `answer-${comment.id}` : voiceKey(voice, comment.id));
}

/** Beyond the most that the team writes in an hour: only to say that it is so. */
export function replyEvenQuiet(context: TalkContext, body: string): void {
  write(context, body, `quiet-${context.talk.comment.id}`);
}

function write(context: TalkContext, body: string, key: string): void {
  const { talk, step } = context;
  const { thread, comment } = talk;
  const marker = { kind: 'notice' as const, run: talk.id, key };
  const words = { thread, marker, body, evenPaused: true as const };
  emitEffect(step, answerAt(comment, words), talkLane(context));
}

/** Who pressed a button in a channel does not look for the answer on GitHub. */
function tellPresser({ talk, step }: TalkContext, markdown: string): void {
  const { presser } = talk.address.relayed ?? {};
  if (presser === undefined) return;
  const { chat, person: onlyFor } = presser;
  const repository = toRepositoryRef(talk.thread);
  const words = { kind: 'chat-reply', repository, chat, markdown, onlyFor } as const;
  emitEffect(step, words, { isUnheard: true });
}

/**
 * Ends a talk: nothing is kept of it but what `finish` wrote down. The reason, where there is one, is for the record and for
 * who pressed a button.
 */
export function drop(context: TalkContext, reason?: string): Outcome {
  const { state, talk } = context;
  if (reason !== undefined) tellPresser(context, `Not done: ${reason}.`);
  if (state.talks !== undefined) delete state.talks[talk.id];
  return reason === undefined ? HANDLED : ignore(reason);
}

const NOT_DONE = 'Not done. The reason is on GitHub.';

/** Posts the collected replies and ends the talk. */
export function finish(context: TalkContext, voice?: string): Outcome {
  const { talk } = context;
  const hasEyes = talk.phase.kind === 'looking' || talk.phase.kind === 'asking';
  react(context, talk.isDone ? '+1' : 'confused', hasEyes ? 'eyes' : undefined);
  const answer = talk.parts.join('\n\n');
  if (answer !== '') reply(context, answer, voice);
  if (!talk.isDone) tellPresser(context, answer === '' ? NOT_DONE : answer);
  drop(context);
  return HANDLED;
}
