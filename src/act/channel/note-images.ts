/** Images of a message: noted by what their bytes say, and never kept. Their author learns which were left out. */
import type { ChatFile } from '../../domain/channel/chat-thread.ts';
import {
  IMAGE_TOO_LARGE,
  MOST_IMAGE_BYTES,
  MOST_IMAGES,
  noteImage,
  TOO_MANY_IMAGES,
  type NotedImage,
} from '../../domain/channel/images.ts';
import type { ChatLook } from '../../domain/event/result.ts';
import { fetchAttached, type FileSource } from './fetch-attached.ts';

export async function noteImages(
  files: readonly ChatFile[],
  channel: FileSource,
  patienceMs: number,
): Promise<Pick<ChatLook, 'images' | 'unread'>> {
  const images: NotedImage[] = [];
  const unread = new Set<string>(files.length > MOST_IMAGES ? [TOO_MANY_IMAGES] : []);
  for (const file of files.slice(0, MOST_IMAGES)) {
    const noted = await noteOne(file, channel, patienceMs);
    if (typeof noted === 'string') unread.add(noted);
    else images.push(noted);
  }
  return {
    ...(images.length > 0 && { images }),
    ...(unread.size > 0 && { unread: [...unread] }),
  };
}

/** A string says why it is left out. */
async function noteOne(
  file: ChatFile,
  channel: FileSource,
  patienceMs: number,
): Promise<NotedImage | string> {
  if (file.bytes > MOST_IMAGE_BYTES) return IMAGE_TOO_LARGE;
  const bytes = await fetchAttached(file, channel, { maxBytes: MOST_IMAGE_BYTES, patienceMs });
  return typeof bytes === 'string' ? bytes : noteImage(file.name, bytes);
}
