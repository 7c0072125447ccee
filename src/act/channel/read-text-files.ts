/** Text files of a message. Their author learns which cannot be read. */
import type { ChatFile } from '../../domain/channel/chat-thread.ts';
import {
  unreadableFile,
  MOST_FILE_TEXT,
  MOST_TEXT_BYTES,
  MOST_TEXT_FILES,
  NOT_TEXT,
  readFileText,
  TOO_LARGE,
  TOO_MANY,
  type TextFile,
} from '../../domain/channel/text-files.ts';
import type { ChatLook } from '../../domain/event/result.ts';
import { fetchAttached, type FileSource } from './fetch-attached.ts';

type Read = Pick<ChatLook, 'texts' | 'unread'>;

/** `patienceMs`: how long files that the service does not send now may still be retried. Until then a TransientError is thrown. */
export async function readTextFiles(
  files: readonly ChatFile[],
  channel: FileSource,
  patienceMs = 0,
): Promise<Read> {
  const texts: TextFile[] = [];
  const unread = new Set<string>(files.flatMap((file) => unreadableFile(file) ?? []));
  let left = MOST_FILE_TEXT;
  const readable = files.filter((file) => unreadableFile(file) === undefined);
  if (readable.length > MOST_TEXT_FILES) unread.add(TOO_MANY);
  // Of more than these, none is asked for: each question takes time, whatever comes of it.
  for (const file of readable.slice(0, MOST_TEXT_FILES)) {
    const read = await readOne(file, channel, { most: left, patienceMs });
    if (typeof read === 'string') unread.add(read);
    else {
      texts.push(read);
      left -= read.text.length;
    }
  }
  return {
    ...(texts.length > 0 && { texts }),
    ...(unread.size > 0 && { unread: [...unread] }),
  };
}

/** A string says why it was not read. */
async function readOne(
  file: ChatFile,
  channel: FileSource,
  { most, patienceMs }: { most: number; patienceMs: number },
): Promise<TextFile | string> {
  const bytes = await fetchAttached(file, channel, { maxBytes: MOST_TEXT_BYTES, patienceMs });
  if (typeof bytes === 'string') return bytes;
  const read = bytes.length > MOST_TEXT_BYTES ? TOO_LARGE : readFileText(bytes, most);
  if (typeof read === 'string') return read;
  return read === undefined ? NOT_TEXT : { name: file.name, ...read };
}
