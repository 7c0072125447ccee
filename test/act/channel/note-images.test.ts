/** Images that came with a message: what is noted of them, and what their author hears of the others. */
import { expect, test } from 'vitest';
import { noteImages } from '../../../src/act/channel/note-images.ts';
import type { ChatFile } from '../../../src/domain/channel/chat-thread.ts';
import {
  IMAGE_TOO_LARGE,
  MOST_IMAGE_BYTES,
  NOT_AN_IMAGE,
  TOO_MANY_IMAGES,
} from '../../../src/domain/channel/images.ts';
import { NOT_GIVEN, NOT_SENT } from '../../../src/domain/channel/text-files.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';

const GIF = Buffer.from('47494638396150003c00', 'hex');
const anImage = (over: Partial<ChatFile> = {}): ChatFile => ({
  id: 'F1',
  name: 'a.png',
  kind: 'image',
  bytes: 10,
  url: 'u',
  ...over,
});
/** Each file holds this. What was asked for is counted. */
function holding(content: Uint8Array | Error) {
  const asked: number[] = [];
  const readFile = async (_: ChatFile, most: number): Promise<Uint8Array> => {
    asked.push(most);
    if (content instanceof Error) throw content;
    return content;
  };
  return { asked, channel: { readFile } };
}

test('is what its bytes say, whatever its name says', async () => {
  const { channel, asked } = holding(GIF);
  expect(await noteImages([anImage()], channel)).toEqual({
    images: [{ name: 'a.png', bytes: 10, type: 'GIF', width: 80, height: 60 }],
  });
  expect(asked).toEqual([MOST_IMAGE_BYTES]);
});

test.each<[string, Partial<ChatFile>, Uint8Array | Error, string, number]>([
  ['more than 10 MB by its own word', { bytes: MOST_IMAGE_BYTES + 1 }, GIF, IMAGE_TOO_LARGE, 0],
  ['the bytes of a page', {}, Buffer.from('<html><script>'), NOT_AN_IMAGE, 1],
  ['what Slack refuses', {}, refused(), NOT_GIVEN, 1],
  ['what Slack does not send', {}, notSent(), NOT_SENT, 1],
])('an image with %s is left out, and its author hears why', async (...given) => {
  const [, over, content, says, times] = given;
  const { channel, asked } = holding(content);
  expect(await noteImages([anImage(over)], channel)).toEqual({ unread: [says] });
  expect(asked).toHaveLength(times);
});

test('after an image that Slack does not send, the others are not asked for', async () => {
  const { channel, asked } = holding(notSent());
  const files = [anImage(), anImage(), anImage()];
  expect(await noteImages(files, channel)).toEqual({ unread: [NOT_SENT] });
  expect(asked).toHaveLength(1);
});

test('a request is not repeated for an image that Slack asks to wait for', async () => {
  const later = new TransientError({ code: 'channel-unavailable', message: '', retryAfterMs: 1 });
  const { channel, asked } = holding(later);
  expect(await noteImages([anImage()], channel)).toEqual({ unread: [NOT_SENT] });
  expect(asked).toHaveLength(1);
});

function refused(): Error {
  return new RefusedError({ code: 'channel-file-refused', message: '' });
}

function notSent(): Error {
  return new TransientError({ code: 'channel-unavailable', message: '' });
}

test('of more than four, the others are not asked for', async () => {
  const { channel, asked } = holding(GIF);
  const { images, unread } = await noteImages(
    Array.from({ length: 6 }, () => anImage()),
    channel,
  );
  expect([images?.length, asked.length]).toEqual([4, 4]);
  expect(unread).toEqual([TOO_MANY_IMAGES]);
});
