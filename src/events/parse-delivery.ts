/** One GitHub delivery becomes one event to reduce, or one that is kept as ignored with the reason. Never throws. */
import { createHash } from 'node:crypto';
import type { Delivery, DeliveryVerdict, Receiver } from '../domain/github/delivery.ts';
import { EVENT_VERSION } from '../domain/event/event.ts';
import type { EventData, NewEvent } from '../domain/event/event.ts';
import { repositoryKey, threadKey } from '../domain/run/thread-ref.ts';
import { BUILD_TRIGGERS } from './build-triggers.ts';
import { deliveryName, refuseDelivery, toEventActor } from './facts.ts';
import type { Builder, Built, Facts } from './facts.ts';
import { Envelope } from './payload.ts';
import { installationKey, PLACE_TRIGGERS } from './place-triggers.ts';
import { THREAD_TRIGGERS } from './thread-triggers.ts';
import { OWN_EVENT } from './comment-triggers.ts';

const BUILDERS: ReadonlyMap<string, Builder> = new Map([
  ...THREAD_TRIGGERS,
  ...PLACE_TRIGGERS,
  ...BUILD_TRIGGERS,
]);

/** Builds of what Quorum pushed name it as the sender, but their results are not its own actions. */
const TOLD_BY_GITHUB = new Set(['workflow_run', 'check_suite']);

/** The stream of what names neither an installation nor a repository. */
const NOWHERE = 'deliveries';

/**
 * What a delivery means to Quorum. Its payload is a hint: GitHub is read again before anything is done.
 *
 * @returns one event for the store; `ignored`: kept, not reduced
 */
export function parseDelivery(delivery: Delivery & Receiver): DeliveryVerdict {
  const envelope = Envelope.safeParse(delivery.payload).data;
  if (envelope === undefined) return toIgnored(delivery, {}, 'the payload is no JSON object');
  const built = build(delivery, envelope);
  if (built.kind === 'refused') return toIgnored(delivery, envelope, built.reason);
  const event = toEvent(delivery, built.key, { kind: 'trigger', trigger: built.trigger });
  const dedupKey = toDedupKey(delivery, envelope, built);
  return { kind: 'events', events: [dedupKey === undefined ? event : { ...event, dedupKey }] };
}

function build(delivery: Delivery & Receiver, envelope: Envelope): Built {
  const name = deliveryName(delivery.event, envelope.action);
  if (delivery.event === 'ping') return refuseDelivery('ping');
  const builder = BUILDERS.get(name);
  if (builder === undefined) return refuseDelivery(`nothing acts on ${name}`);
  const installationId = envelope.installation?.id ?? delivery.installationId;
  if (installationId === undefined)
    return refuseDelivery(`no installation in the payload of ${name}: no webhook of a GitHub App`);
  const isOwn = envelope.sender?.id !== undefined && envelope.sender.id === delivery.botId;
  if (isOwn && !TOLD_BY_GITHUB.has(delivery.event)) return refuseDelivery(OWN_EVENT);
  return builder(toFacts(delivery, envelope, installationId));
}

function toFacts(delivery: Delivery & Receiver, envelope: Envelope, installationId: number): Facts {
  return {
    event: delivery.event,
    action: envelope.action ?? '',
    installationId,
    repository: envelope.repository ?? undefined,
    actor: toEventActor(envelope.sender),
    payload: delivery.payload,
    receiver: delivery,
  };
}

function toEvent(delivery: Delivery, key: string, data: EventData): NewEvent {
  return { id: delivery.deliveryId, key, version: EVENT_VERSION, at: delivery.at, data };
}

function toIgnored(delivery: Delivery, envelope: Envelope, reason: string): DeliveryVerdict {
  const data: EventData = {
    kind: 'refused',
    event: delivery.event,
    action: envelope.action ?? null,
  };
  const event = toEvent(delivery, toKey(envelope), data);
  return { kind: 'ignored', reason, events: [{ ...event, ignoredReason: reason }] };
}

/** The narrowest stream that a delivery belongs to, so that a thread's journal shows what was refused there. */
function toKey({ repository, issue, pull_request: pullRequest, installation }: Envelope): string {
  const item = issue ?? pullRequest;
  if (repository && item) return threadKey({ repositoryId: repository.id, number: item.number });
  if (repository) return repositoryKey({ repositoryId: repository.id });
  return installation ? installationKey(installation.id) : NOWHERE;
}

/** The same for a body that is sent again under a new GUID, and different whenever the thing was truly done again. */
function toDedupKey(
  delivery: Delivery,
  envelope: Envelope,
  built: Extract<Built, { kind: 'trigger' }>,
): string | undefined {
  if (built.says === undefined) return undefined;
  const says = [
    delivery.event,
    envelope.action ?? '',
    envelope.repository?.id ?? 0,
    envelope.sender?.id ?? 0,
    ...built.says,
  ];
  return createHash('sha256').update(JSON.stringify(says)).digest('base64url');
}
