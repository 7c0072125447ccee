/**
 * Images of a message: noted by what their bytes say, and never kept. Their author learns which were left out. These are
 * facts beside the request, so that it is never tried again for one that the service does not send now.
 */
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
import { NOT_SENT } from '../../domain/channel/text-files.ts';
import { fetchAttached, type FileSource } from './fetch-attached.ts';

export async function noteImages(
  files: readonly ChatFile[],
  channel: FileSource,
): Promise<Pick<ChatLook, 'images' | 'unread'>> {
  const images: NotedImage[] = [];
  const unread = new Set<string>(files.length > MOST_IMAGES ? [TOO_MANY_IMAGES] : []);
  for (const file of files.slice(0, MOST_IMAGES)) {
    const noted = await noteOne(file, channel);
    if (typeof noted === 'string') unread.add(noted);
    else images.push(noted);
    // The service may take long to say that. The request does not wait for the others too.
    if (noted === NOT_SENT) break;
  }
  return {
    ...(images.length > 0 && { images }),
    ...(unread.size > 0 && { unread: [...unread] }),
  };
}

/** A string says why it is left out. */
async function noteOne(file: ChatFile, channel: FileSource): Promise<NotedImage | string> {
  if (file.bytes > MOST_IMAGE_BYTES) return IMAGE_TOO_LARGE;
  const bytes = await fetchAttached(file, channel, { maxBytes: MOST_IMAGE_BYTES, patienceMs: 0 });
  return typeof bytes === 'string' ? bytes : noteImage(file.name, bytes);
}
