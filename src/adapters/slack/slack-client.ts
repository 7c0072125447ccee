/** Calls of Slack's Web API: each once, its answer checked, its failure in our own words. Loaded with the first call. */
import type { Logger, LogLevel, WebClient } from '@slack/web-api';
import * as z from 'zod';
import { TransientError } from '../../domain/event/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { toSlackFailure } from './slack-errors.ts';
import type { SlackSettings } from './slack-settings.ts';

const TIMEOUT_MS = 10_000;
/** Slack takes one message a second in a channel. */
const POST_EVERY_MS = 1_000;

export interface SlackClient {
  call<T>(method: string, args: Readonly<Record<string, unknown>>, shape: z.ZodType<T>): Promise<T>;
  /** As `call`, for what appears in a channel: not more than one a second, in the order asked for. */
  post<T>(channel: string, send: () => Promise<T>): Promise<T>;
  /** In one message. */
  upload(files: SlackUpload): Promise<void>;
}

export interface SlackUpload {
  channel: string;
  thread: string;
  files: readonly { name: string; title: string; text: string }[];
}

export interface SlackParts {
  settings: SlackSettings;
  clock: Clock;
}

/** Options for every client: retries happen in our queue, because a repeated call may post twice. */
export function clientOptions({ apiUrl }: SlackSettings, level: LogLevel) {
  return {
    ...(apiUrl !== undefined && { slackApiUrl: apiUrl }),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    allowAbsoluteUrls: true,
    logger: silentLogger(level),
  };
}

const nothing = (): void => undefined;
/** The SDK would write requests to the console. */
function silentLogger(level: LogLevel): Logger {
  const names = { setLevel: nothing, setName: nothing, getLevel: () => level };
  return { debug: nothing, info: nothing, warn: nothing, error: nothing, ...names };
}

export function createSlackClient({ settings, clock }: SlackParts): SlackClient {
  let client: Promise<WebClient> | undefined;
  const open = (): Promise<WebClient> => {
    client ??= import('@slack/web-api').then(
      (sdk) => new sdk.WebClient(settings.token, clientOptions(settings, sdk.LogLevel.ERROR)),
    );
    return client;
  };
  return {
    call: async (method, args, shape) => {
      const web = await open();
      return read(shape, await web.apiCall(method, { ...args }).catch(rethrow));
    },
    upload: async ({ channel, thread, files }) => {
      const web = await open();
      const uploads = files.map(({ name, title, text }) => ({
        file: Buffer.from(text),
        filename: name,
        title,
      }));
      const at = { channel_id: channel, thread_ts: thread };
      await web.files.uploadV2({ ...at, file_uploads: uploads }).catch(rethrow);
    },
    post: createPace(clock),
  };
}

function rethrow(error: unknown): never {
  throw toSlackFailure(error);
}

function read<T>(shape: z.ZodType<T>, answer: unknown): T {
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new TransientError({
    code: 'channel-unavailable',
    message: 'Slack sent an answer that is not in its protocol.',
    details: z.prettifyError(parsed.error).slice(0, 500),
  });
}

/** What is known of a channel once somebody had a turn there. */
interface Paced {
  sentAt: number;
  /** Slack named this time when it last refused: nothing is sent before it is over. */
  limitMs: number;
}

/** One queue a channel; a failure does not stop those behind it, but a limit of the service does. */
function createPace(clock: Clock): SlackClient['post'] {
  const last = new Map<string, Promise<Paced>>();
  return async (channel, send) => {
    const before = last.get(channel) ?? Promise.resolve({ sentAt: -Infinity, limitMs: 0 });
    const turn = before.then(async ({ sentAt: known, limitMs }) => {
      // Where the clock was set back, nothing waits longer than it would have waited after that message.
      const sentAt = Math.min(known, clock.now());
      const closedMs = sentAt + limitMs - clock.now();
      if (closedMs > 0) return { sentAt, limitMs, result: refusedFor(closedMs) };
      const wait = sentAt + POST_EVERY_MS - clock.now();
      if (wait > 0) await clock.sleep(wait);
      const [result] = await Promise.allSettled([send()]);
      return { sentAt: clock.now(), limitMs: limitOf(result), result };
    });
    last.set(channel, turn);
    const { result } = await turn;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  };
}

/** The queue tries again, so that nothing waits in here for an hour. */
function refusedFor(retryAfterMs: number): PromiseRejectedResult {
  const reason = new TransientError({
    code: 'channel-rate-limited',
    message: 'Slack is rate limited.',
    details: 'It is tried again later.',
    retryAfterMs,
  });
  return { status: 'rejected', reason };
}

function limitOf(result: PromiseSettledResult<unknown>): number {
  const reason: unknown = result.status === 'rejected' ? result.reason : undefined;
  const isLimit = reason instanceof TransientError && reason.code === 'channel-rate-limited';
  return isLimit ? (reason.retryAfterMs ?? 0) : 0;
}
