/** Socket Mode: events without an address of our own. An event is acknowledged once it is stored. */
import type { SocketModeClient } from '@slack/socket-mode';
import type { Clock } from '../../../ports/clock.ts';
import { clientOptions } from '../slack-client.ts';
import { toSlackFailure } from '../slack-errors.ts';
import type { SlackSettings } from '../slack-settings.ts';

/** What the client hands over for each envelope. */
interface Envelope {
  ack: () => Promise<void>;
  body: unknown;
}

export interface SocketParts {
  settings: SlackSettings & { appToken: string };
  clock: Clock;
  /** Rejected: the event is not acknowledged, and Slack delivers it again. */
  take: (body: unknown) => Promise<void>;
  /** Called with each connection: what was said before it is looked for then. */
  connected: () => Promise<void>;
}

const PAUSE_MS = { first: 1_000, most: 60_000 };

/**
 * Until the signal is aborted; rejects where Slack does not let us in. The client's own reconnecting is off, because its
 * failures reach nobody who could catch them.
 */
export async function listenOnSocket(parts: SocketParts, signal: AbortSignal): Promise<void> {
  let pause = PAUSE_MS.first;
  while (!signal.aborted) {
    try {
      await holdConnection(parts, signal);
      pause = PAUSE_MS.first;
    } catch (error) {
      const failure = toSlackFailure(error);
      if (!failure.retryable) throw failure;
      pause = Math.min(2 * pause, PAUSE_MS.most);
    }
    if (!signal.aborted) await parts.clock.sleep(pause, signal).catch(() => undefined);
  }
}

/** Resolves when the connection ended, which Slack asks for some times a day. */
async function holdConnection(parts: SocketParts, signal: AbortSignal): Promise<void> {
  const client = await createClient(parts);
  const ended = new Promise<void>((resolve) => {
    client.on('disconnected', () => resolve());
  });
  await client.start();
  try {
    await parts.connected();
    await Promise.race([ended, aborted(signal)]);
  } finally {
    // For a connection that has ended already, the client would wait for another end.
    await Promise.race([ended, client.disconnect()]);
  }
}

async function createClient({ settings, take }: SocketParts): Promise<SocketModeClient> {
  const sdk = await import('@slack/socket-mode');
  const { logger, ...options } = clientOptions(settings, sdk.LogLevel.ERROR);
  const client = new sdk.SocketModeClient({
    appToken: settings.appToken,
    logger,
    clientOptions: options,
    autoReconnectEnabled: false,
  });
  client.on('slack_event', ({ ack, body }: Envelope) => {
    // An acknowledgement that is lost brings the event again, under the same id.
    void take(body)
      .then(ack)
      .catch(() => undefined);
  });
  client.on('error', () => undefined);
  return client;
}

export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
