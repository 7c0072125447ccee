/** Recordings and other files without text: the team reads text, and what recordings say where a model can listen. */
import type { ChatFile, ChatMessage } from '../../../domain/channel/chat-thread.ts';
import { recordingProblem } from '../../../domain/channel/recording.ts';
import type { ErrorCode } from '../../../domain/event/error-codes.ts';
import { isBudgetCode } from '../../../domain/event/budget-codes.ts';
import type { Failure } from '../../../domain/event/errors.ts';
import type { ChatState } from './chat-state.ts';
import type { Chatting } from './to-github.ts';

/**
 * The recording to be turned into text, or the answer to its author; undefined where there is text to go by. Names of files
 * are foreign text, so none is repeated.
 */
export function readFilesOnly(
  { text, files }: Pick<ChatMessage, 'text' | 'files'>,
  canTranscribe: boolean,
): { recording: ChatFile } | { say: string } | undefined {
  if (files.length === 0 || text.trim() !== '') return undefined;
  const [recording, ...others] = files.filter(({ kind }) => kind === 'audio');
  if (recording === undefined) return { say: NO_TEXT };
  if (!canTranscribe) return { say: unheard(recording) };
  if (others.length > 0) return { say: 'Send one recording at a time.' };
  const say = recordingProblem(recording);
  return say === undefined ? { recording } : { say };
}

const NO_TEXT = 'I read text, not files alone. Mention me, and write what you want.';

function unheard({ seconds = 0 }: ChatFile): string {
  const length = seconds < 60 ? '' : ` of ${Math.round(seconds / 60)} minutes`;
  return `I cannot listen to recordings, so I did not hear this one${length}. Mention me, and write what you want.`;
}

/** To the author of a recording that was not turned into text. */
export function explainUnheard({ code, message }: Failure): string {
  if (code === 'channel-recording-refused') return message;
  const why = isBudgetCode(code) ? message : WHY[code];
  return `I did not hear this recording.${why === undefined ? '' : ` ${why}`} Write what you want.`;
}

const WHY: Readonly<Partial<Record<ErrorCode, string>>> = {
  'channel-file-refused':
    'The file is too large, it is not on Slack, or Slack does not give it to me.',
  'channel-not-found': 'The file is not on Slack any more.',
};

/** In a thread about an issue. */
export const NOT_ASKED =
  'I did not listen to this recording, because it does not mention me. Mention me in the message that has it.';

export const NO_WORDS = 'I heard no words in this recording. Write what you want.';

/**
 * Where people speak to the team they need an answer. In a thread about an issue they also share files among themselves, so
 * one answer is enough.
 */
export function mustSayUnread({ state, said }: Pick<Chatting, 'state' | 'said'>): boolean {
  const isFirst = state.isToldOfFiles !== true;
  state.isToldOfFiles = true;
  return isFirst || isToTeam(state, said.message);
}

/** What people send to each other goes to no model. */
export function isToTeam({ number }: ChatState, { why }: ChatMessage): boolean {
  return number === undefined || why === 'mention';
}
