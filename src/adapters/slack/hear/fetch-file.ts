/** Reads a file that somebody posted. The token goes to Slack's own hosts only. */
import type { ChatFile } from '../../../domain/channel/chat-thread.ts';
import { RefusedError, TransientError } from '../../../domain/event/errors.ts';
import type { SlackSettings } from '../slack-settings.ts';

const TIMEOUT_MS = 30_000;

export async function fetchSlackFile(
  settings: SlackSettings,
  file: ChatFile,
  maxBytes: number,
): Promise<Uint8Array> {
  const url = addressOf(settings, file.url);
  if (url === undefined || file.bytes > maxBytes)
    throw new RefusedError({
      code: 'channel-file-refused',
      message: `The file “${file.name}” is not read: ${url === undefined ? 'it is not on Slack' : 'it is too large'}.`,
    });
  const response = await ask(url, settings.token);
  return readUpTo(response, maxBytes).catch((error: unknown) =>
    error instanceof RefusedError ? Promise.reject(error) : notSent(error),
  );
}

async function ask(url: string, token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { headers, redirect: 'manual', signal }).catch(notSent);
  // Without the scope, Slack sends the page on which people sign in.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  if (response.ok && !isPage) return response;
  await response.body?.cancel();
  if (response.status >= 500 || response.status === 429) return notSent(undefined);
  if (isPage || (response.status >= 300 && response.status < 400))
    throw new RefusedError({
      code: 'channel-file-refused',
      message:
        'Slack does not give the file to the app. Add the scope `files:read` and install the app again.',
    });
  throw new RefusedError({
    code: 'channel-not-found',
    message: 'Slack does not have this file any more.',
  });
}

function notSent(cause: unknown): never {
  const message = 'Slack did not send the file.';
  throw new TransientError({ code: 'channel-unavailable', message, cause });
}

function addressOf({ apiUrl }: SlackSettings, address: string): string | undefined {
  const base = apiUrl ?? 'https://slack.com/';
  if (!URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  const isSlack = url.protocol === 'https:' && /(?:^|\.)slack\.com$/.test(url.hostname);
  const isOwn = apiUrl !== undefined && url.origin === new URL(apiUrl).origin;
  return isSlack || isOwn ? url.href : undefined;
}

/** What a file says of its size may be wrong. */
async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes)
      throw new RefusedError({
        code: 'channel-file-refused',
        message: 'The file is larger than it said.',
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
