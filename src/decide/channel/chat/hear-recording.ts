/** A recording in a thread becomes text. Then it is a request or a question, as if its author had written that. */
import type { EventData } from '../../../domain/event/event.ts';
import type { RepositoryRef } from '../../../domain/run/thread-ref.ts';
import { emitEffect, type Step } from '../../run/decision.ts';
import { toChatPost, type ChatState, type SaidInChat } from './chat-state.ts';
import { explainUnheard, NO_WORDS, readFilesOnly } from './files-only.ts';
import { answer, reactTo } from './say-in-chat.ts';
import type { Chatting } from './to-github.ts';

/** Whether the message is a recording. It is seen at once, because its text may take minutes. */
export function listen(chatting: Chatting, repository: RepositoryRef): boolean {
  const { state, step, said, look: found } = chatting;
  const unread = readFilesOnly(said.message, found?.canTranscribe === true);
  if (unread === undefined || 'say' in unread || found?.person === undefined) return false;
  const chat = toChatPost(said.message);
  const asker = { id: found.person.id };
  reactTo(chatting, repository, 'seen');
  const wanted = { kind: 'transcribe', repository, chat, file: unread.recording, asker } as const;
  state.listening = { effectId: emitEffect(step, wanted), said, repository };
  return true;
}

/** Which message is next. What is said while a recording becomes text waits for it, but presses come first. */
export function firstInTurn(state: ChatState): SaidInChat | undefined {
  if (state.listening === undefined) return state.heard[0];
  const at = state.heard.findIndex(({ message }) => message.click !== undefined);
  if (at < 0) return undefined;
  state.heard.unshift(...state.heard.splice(at, 1));
  return state.heard[0];
}

/** The words are next in the thread. Without words, its author reads why. */
export function takeTranscript(
  { state, step }: { state: ChatState; step: Step },
  data: Extract<EventData, { kind: 'done' | 'failed' }>,
): void {
  const { listening } = state;
  if (listening === undefined) return;
  delete state.listening;
  const { said, repository } = listening;
  const text = data.kind === 'done' && data.effectKind === 'transcribe' ? data.result.text : '';
  const say = data.kind === 'failed' ? explainUnheard(data.failure) : NO_WORDS;
  if (text.trim() === '') return answer({ step, said }, repository, say);
  const spoken = { ...said, message: { ...said.message, text }, isSpoken: true as const };
  // The first is in hand while there is a phase.
  state.heard.splice(state.phase === undefined ? 0 : 1, 0, spoken);
}
