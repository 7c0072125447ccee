/** What arrives at the door from GitHub, and what the door makes of it. */
import type { NewEvent } from '../event/event.ts';

/** One webhook delivery whose signature was right and whose body is JSON. */
export interface Delivery {
  /** `X-GitHub-Event`. */
  event: string;
  /** `X-GitHub-Delivery`: the same again when GitHub delivers the same thing again. */
  deliveryId: string;
  payload: unknown;
  /** When it arrived, ISO 8601. */
  at: string;
}

/** Who received a delivery: what our own events are known by. Each is unknown until GitHub has been asked. */
export interface Receiver {
  appId?: number | undefined;
  /** Numeric id of the account that our comments carry. */
  botId?: number | undefined;
  /** Installation to assume for webhooks of a repository, which name none (a token instead of an App). */
  installationId?: number | undefined;
}

/** Either way there is something to write down: the store keeps what was refused, with the reason. */
export type DeliveryVerdict =
  { kind: 'events'; events: NewEvent[] } | { kind: 'ignored'; reason: string; events: NewEvent[] };

/** What became of a delivery. */
export type Receipt = { status: 'queued' | 'duplicate' } | { status: 'ignored'; reason: string };
