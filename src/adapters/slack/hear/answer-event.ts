/** Slack's Events API: the signature first, then each event once. For `POST /api/slack/events`. */
import { LRUCache } from 'lru-cache';
import type { ChatMessage } from '../../../domain/channel/chat-thread.ts';
import type { Hear } from '../../../ports/channel.ts';
import type { Clock } from '../../../ports/clock.ts';
import { parseSlackDelivery, type SlackMessageEvent } from './read-event.ts';
import { isSignedBySlack, type SignedRequest } from './verify-event.ts';

export interface EventAnswer {
  status: 200 | 400 | 401 | 500;
  body: string;
}

export interface EventParts {
  signingSecret: string;
  clock: Clock;
  toMessage: (event: SlackMessageEvent) => Promise<ChatMessage | undefined>;
}

const MAX_REMEMBERED = 5_000;

/** Slack delivers again after 3 seconds or an error: `hear` stores a message under its id, and does no work. */
export function createEventAnswers(
  parts: EventParts,
): (request: SignedRequest, hear: Hear) => Promise<EventAnswer> {
  const seen = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  return async (request, hear) => {
    if (!isSignedBySlack(request, parts.signingSecret, parts.clock.now()))
      return { status: 401, body: 'signature-invalid' };
    const body = parse(request.body);
    if (body === undefined) return { status: 400, body: 'payload-malformed' };
    const challenge = challengeOf(body);
    if (challenge !== undefined) return { status: 200, body: challenge };
    const delivery = parseSlackDelivery(body);
    if (delivery === undefined || seen.has(delivery.eventId)) return { status: 200, body: '' };
    try {
      const message = await parts.toMessage(delivery.event);
      if (message !== undefined) await hear(message);
    } catch {
      return { status: 500, body: 'internal-error' };
    }
    seen.set(delivery.eventId, true);
    return { status: 200, body: '' };
  };
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** Slack asks once whether the address is ours. */
function challengeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('challenge' in body)) return undefined;
  const isAsked = 'type' in body && body.type === 'url_verification';
  return isAsked && typeof body.challenge === 'string' ? body.challenge.slice(0, 1_000) : undefined;
}
