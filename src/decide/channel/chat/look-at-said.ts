/** Before a message is taken up: which repository it is for, who its author is on GitHub, and what its text files say. */
import {
  isPublicChannel,
  type ChatFile,
  type ChatMessage,
} from '../../../domain/channel/chat-thread.ts';
import { isAttached } from '../../../domain/channel/text-files.ts';
import type { DataOfLook } from '../../../domain/channel/channel-effects.ts';
import { emitEffect, type Step } from '../../run/decision.ts';
import type { ChatState, SaidInChat } from './chat-state.ts';
import { isToTeam } from './files-only.ts';
import { firstInTurn } from './hear-recording.ts';
import { aboutNumber } from './to-github.ts';

export function lookAtSaid({ state, step }: { state: ChatState; step: Step }): void {
  const said = firstInTurn(state);
  if (said === undefined) return;
  const { channel, place, thread, message, author, why, click } = said.message;
  const files = filesOf(state, said.message);
  const effectId = emitEffect(step, {
    kind: 'look-chat',
    chat: { channel, place, thread, message },
    person: author,
    ...whereOf(state, said),
    ...(files.length > 0 && { files }),
    ...(click?.of !== undefined && { of: click.of }),
    ...(why === 'shared' && { isUnprompted: true as const }),
  });
  state.phase = { kind: 'looking', effectId };
}

/** Where no channel is mapped, the newest link says what the thread is about. */
function whereOf(state: ChatState, said: SaidInChat): Pick<DataOfLook, 'links' | 'at'> {
  const { channel, links } = said.message;
  if (isPublicChannel(channel) && links.length > 0) return { links };
  const { repository } = state;
  const number = aboutNumber({ state, said });
  return repository === undefined || number === undefined ? {} : { at: { ...repository, number } };
}

/** What people send to each other is not repeated on GitHub. */
function filesOf(state: ChatState, message: ChatMessage): ChatFile[] {
  const { why, text, files } = message;
  const isAsked = why !== 'shared' && text.trim() !== '' && isToTeam(state, message);
  return isAsked ? files.filter(isAttached) : [];
}
