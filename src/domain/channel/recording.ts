/** Recordings that people send in a channel: which of them are turned into text. */
import type { ChatFile } from './chat-thread.ts';

/** What OpenAI takes. */
export const MOST_RECORDED_BYTES = 25 * 1024 * 1024;
const MOST_SECONDS = 60 * 60;
const FORMATS = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'ogg', 'wav', 'webm'] as const;

/** The name under which it is sent on. Its own name is foreign text, so only a known ending is kept of it. */
export function recordingName({ name }: Pick<ChatFile, 'name'>): string | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const format = FORMATS.find((each) => each === ending);
  return format === undefined ? undefined : `recording.${format}`;
}

/** Why a recording is not turned into text, for its author; undefined where it is. */
export function recordingProblem(
  file: Pick<ChatFile, 'name' | 'bytes' | 'seconds'>,
): string | undefined {
  const { bytes, seconds = 0 } = file;
  if (seconds >= MOST_SECONDS)
    return `This recording is ${Math.round(seconds / 60)} minutes long. I listen to recordings of less than 60 minutes. Send a shorter one, or write what you want.`;
  if (bytes > MOST_RECORDED_BYTES)
    return `This recording has ${Math.ceil(bytes / 1024 / 1024)} MB. I listen to recordings of up to 25 MB. Send a shorter one, or write what you want.`;
  if (recordingName(file) === undefined)
    return `I do not know the format of this recording. I listen to these: ${FORMATS.join(', ')}.`;
  return undefined;
}
