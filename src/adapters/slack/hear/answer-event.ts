/** What Slack delivers by HTTP: the signature first, then each event or press of a button once. */
import { LRUCache } from 'lru-cache';
import type { ChatMessage } from '../../../domain/channel/chat-thread.ts';
import type { Hear } from '../../../ports/channel.ts';
import type { Clock } from '../../../ports/clock.ts';
import { parseSlackClick, type SlackClick } from './read-click.ts';
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
  ofClick: (click: SlackClick) => Promise<ChatMessage | undefined>;
}

export type Answers = (request: SignedRequest, hear: Hear) => Promise<EventAnswer>;

const UNSIGNED: EventAnswer = { status: 401, body: 'signature-invalid' };
const MALFORMED: EventAnswer = { status: 400, body: 'payload-malformed' };
const FAILED: EventAnswer = { status: 500, body: 'internal-error' };
const TAKEN: EventAnswer = { status: 200, body: '' };

const MAX_REMEMBERED = 5_000;

/**
 * For `POST /api/slack/events`. Slack delivers again after 3 seconds or an error: `hear` stores a message under its id,
 * and does no work.
 */
export function createEventAnswers(parts: EventParts): Answers {
  const seen = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  return async (request, hear) => {
    if (!isSignedBySlack(request, parts.signingSecret, parts.clock.now())) return UNSIGNED;
    const body = parse(Buffer.from(request.body).toString());
    if (body === undefined) return MALFORMED;
    const challenge = challengeOf(body);
    if (challenge !== undefined) return { status: 200, body: challenge };
    const delivery = parseSlackDelivery(body);
    if (delivery === undefined || seen.has(delivery.eventId)) return TAKEN;
    try {
      const message = await parts.toMessage(delivery.event);
      if (message !== undefined) await hear(message);
    } catch {
      return FAILED;
    }
    seen.set(delivery.eventId, true);
    return TAKEN;
  };
}

/** For `POST /api/slack/interactivity`: a form with one field. Anything but a press of our buttons is acknowledged and dropped. */
export function createClickAnswers(parts: EventParts): Answers {
  return async (request, hear) => {
    if (!isSignedBySlack(request, parts.signingSecret, parts.clock.now())) return UNSIGNED;
    const fields = new URLSearchParams(Buffer.from(request.body).toString()).getAll('payload');
    const body = fields.length === 1 ? parse(fields[0] ?? '') : undefined;
    if (body === undefined) return MALFORMED;
    const click = parseSlackClick(body);
    try {
      const message = click && (await parts.ofClick(click));
      if (message !== undefined) await hear(message);
    } catch {
      return FAILED;
    }
    return TAKEN;
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
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
