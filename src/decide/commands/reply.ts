/** Answering a comment: a reaction at once, and at most one comment, where it was asked. */
import type { Reaction } from '../../domain/effect.ts';
import { want } from '../decision.ts';
import { voiceKey } from '../conversation/voices.ts';
import { threadKey } from '../../domain/thread.ts';
import { answerAt, reactionAt } from '../where-asked.ts';
import type { TalkScene } from './bench.ts';

/** People are answered in a lane of their own: a discussion that waits does not hold them up. */
export function talkLane({ talk }: Pick<TalkScene, 'talk'>): { lane: string } {
  return { lane: `talk:${threadKey(talk.thread)}` };
}

export function react(scene: TalkScene, add: Reaction, remove?: Reaction): void {
  const { thread, comment } = scene.talk;
  const nod = { thread, add, ...(remove && { remove }), evenPaused: true as const };
  want(scene.step, reactionAt(comment, nod), talkLane(scene));
}

/** The one comment that answers. `voice` is the persona who speaks in it. */
export function reply(scene: TalkScene, body: string, voice?: string): void {
  const { talk, step } = scene;
  if (talk.isQuiet) return;
  const { thread, comment } = talk;
  const key = voice === undefined ? `answer-${comment.id}` : voiceKey(voice, comment.id);
  const marker = { kind: 'notice' as const, run: talk.id, key };
  const words = { thread, marker, body, evenPaused: true as const };
  want(step, answerAt(comment, words), talkLane(scene));
}

/** Ends a talk: nothing is kept of it but what `finish` wrote down. Returns the reason, to end a branch with. */
export function drop({ state, talk }: TalkScene, reason?: string): string | undefined {
  if (state.talks !== undefined) delete state.talks[talk.id];
  return reason;
}

/** Says what there is to say and ends the talk. */
export function finish(scene: TalkScene, voice?: string): undefined {
  const { talk } = scene;
  const hasEyes = talk.phase.kind === 'looking' || talk.phase.kind === 'asking';
  react(scene, talk.isDone ? '+1' : 'confused', hasEyes ? 'eyes' : undefined);
  if (talk.parts.length > 0) reply(scene, talk.parts.join('\n\n'), voice);
  drop(scene);
  return undefined;
}
