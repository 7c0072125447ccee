/** Recordings and other files without text: the team reads text. */
import type { ChatMessage } from '../../../domain/channel/chat-thread.ts';

/** The answer to its author; undefined where there is text to go by. Names of files are foreign text, so none is repeated. */
export function answerToFiles({ text, files }: ChatMessage): string | undefined {
  const [file] = files;
  if (file === undefined || text.trim() !== '') return undefined;
  const isAudio = files.some(({ kind }) => kind === 'audio');
  if (!isAudio) return 'I read text, not files alone. Mention me, and write what you want.';
  const { seconds = 0 } = files.find(({ kind }) => kind === 'audio') ?? file;
  const length = seconds < 60 ? '' : ` of ${Math.round(seconds / 60)} minutes`;
  return `I cannot listen to recordings, so I did not hear this one${length}. Mention me, and write what you want.`;
}
