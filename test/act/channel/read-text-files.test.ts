/** Text files that came with a message: what is read of them, and what their author hears of the others. */
import { describe, expect, test } from 'vitest';
import { readTextFiles } from '../../../src/act/channel/read-text-files.ts';
import type { ChatFile } from '../../../src/domain/channel/chat-thread.ts';
import {
  NOT_GIVEN,
  NOT_SENT,
  NOT_TEXT,
  TOO_LARGE,
  TOO_MANY,
} from '../../../src/domain/channel/text-files.ts';
import { RefusedError, TransientError } from '../../../src/domain/event/errors.ts';

const aFile = (over: Partial<ChatFile> = {}): ChatFile => ({
  id: 'F1',
  name: 'app.log',
  kind: 'text',
  bytes: 5,
  url: 'u',
  ...over,
});
/** Each file holds this. */
const holding = (content: string | Uint8Array | Error) => ({
  readFile: async (): Promise<Uint8Array> => {
    if (content instanceof Error) throw content;
    return Buffer.from(content);
  },
});

test('is its text, without what looks like a secret', async () => {
  const token = ['ghp', '_', 'a1B2'.repeat(9)].join('');
  const { texts, unread } = await readTextFiles([aFile()], holding(`a\ntoken ${token}\nb`));
  expect(texts).toEqual([{ name: 'app.log', text: expect.stringMatching(/^a\ntoken .*\nb$/) }]);
  expect(JSON.stringify(texts)).not.toContain(token);
  expect(unread).toBeUndefined();
});

test.each<[string, Partial<ChatFile>, string | Uint8Array | Error, string]>([
  ['a zero byte', {}, 'a\0b', NOT_TEXT],
  ['bytes that are no UTF-8', {}, Uint8Array.from([0xff, 0xfe, 0x41]), NOT_TEXT],
  ['the name of a program', { kind: 'other', name: 'tool.exe' }, 'text', NOT_TEXT],
  ['more than 100 KB by its own word', { bytes: 102_401 }, 'text', TOO_LARGE],
  ['more than 100 KB', {}, 'a'.repeat(102_401), TOO_LARGE],
  [
    'what Slack refuses',
    {},
    new RefusedError({ code: 'channel-file-refused', message: '' }),
    NOT_GIVEN,
  ],
  [
    'what Slack does not send',
    {},
    new TransientError({ code: 'channel-unavailable', message: '' }),
    NOT_SENT,
  ],
])('a file with %s is not read, and its author hears why', async (...[, over, content, says]) => {
  expect(await readTextFiles([aFile(over)], holding(content))).toEqual({ unread: [says] });
});

describe('a file that Slack does not send now', () => {
  const failing = (retryAfterMs?: number) => {
    const error = new TransientError({ code: 'channel-unavailable', message: '', retryAfterMs });
    return { error, channel: holding(error) };
  };

  test('is asked for again while there is time for that', async () => {
    const { error, channel } = failing();
    await expect(readTextFiles([aFile()], channel, 1)).rejects.toBe(error);
  });

  test('is given up where Slack names a longer wait', async () => {
    const { channel } = failing(60_000);
    expect(await readTextFiles([aFile()], channel, 60_000)).toEqual({ unread: [NOT_SENT] });
  });
});

test('a log of an unknown type is text by its name', async () => {
  const { texts } = await readTextFiles([aFile({ kind: 'other' })], holding('line'));
  expect(texts).toEqual([{ name: 'app.log', text: 'line' }]);
});

test('three are read, and the author hears that others were left out', async () => {
  const files = Array.from({ length: 5 }, (_, at) => aFile({ name: `${at}.txt` }));
  const { texts, unread } = await readTextFiles(files, holding('x'));
  expect(texts?.map(({ name }) => name)).toEqual(['0.txt', '1.txt', '2.txt']);
  expect(unread).toEqual([TOO_MANY]);
});

test('of long files 30,000 characters are kept in all, and that is said of each', async () => {
  const files = [aFile(), aFile({ name: 'b.log' })];
  const { texts } = await readTextFiles(files, holding('a'.repeat(20_000)));
  expect(texts?.map(({ text, isCut }) => [text.length, isCut])).toEqual([
    [20_000, undefined],
    [10_000, true],
  ]);
});

test('where the service has no files none is read', async () => {
  expect(await readTextFiles([aFile()], {})).toEqual({ unread: [NOT_GIVEN] });
  expect(await readTextFiles([], undefined)).toEqual({});
});

test('of ten files that cannot be read, three are asked for', async () => {
  let asked = 0;
  const files = Array.from({ length: 10 }, () => aFile());
  const channel = {
    readFile: async () => {
      asked += 1;
      return Buffer.from('a\0b');
    },
  };
  expect(await readTextFiles(files, channel)).toEqual({ unread: [TOO_MANY, NOT_TEXT] });
  expect(asked).toBe(3);
});
