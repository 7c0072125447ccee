/** Signs and delivers webhooks to Apps, keeps the delivery log and redelivers on request. */
import { createHmac } from 'node:crypto';
import type { Faults, HookFaultRule } from './behave/faults.ts';
import type { App, Delivery, Installation } from './world/world-model.ts';
import { toInstallation, toOrganization, toUser } from './render/accounts.ts';
import { toRepository } from './render/repositories.ts';
import {
  account,
  drawUuid,
  installationCovers,
  nextId,
  nodeId,
  nowIso,
  type Emission,
  type World,
} from './world/world.ts';

/** Sent to every App of the installation whether it subscribed or not. */
const ALWAYS = new Set([
  'installation',
  'installation_repositories',
  'installation_target',
  'github_app_authorization',
]);
/**
 * The App permissions of which one lets it see an event, whatever it subscribed to; others need only the subscription.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads
 * @see https://github.com/dcoapp/app/issues/303
 */
const EVENT_PERMISSIONS: Record<string, readonly string[]> = {
  issues: ['issues'],
  issue_comment: ['issues', 'pull_requests'],
  label: ['issues', 'pull_requests'],
  pull_request: ['pull_requests'],
  pull_request_review: ['pull_requests'],
  pull_request_review_comment: ['pull_requests'],
  pull_request_review_thread: ['pull_requests'],
  merge_group: ['merge_queues'],
  push: ['contents'],
  create: ['contents'],
  delete: ['contents'],
  repository_dispatch: ['contents'],
  check_run: ['checks'],
  check_suite: ['checks'],
  status: ['statuses'],
  workflow_run: ['actions'],
  workflow_dispatch: ['contents'],
};

export interface HookSettings {
  /** GitHub closes the connection after 10 seconds. */
  timeoutMs: number;
  /** Deliveries under way at once to one App; 1 keeps their order. */
  concurrency: number;
  /** Log entries kept; the oldest go first. */
  keep: number;
  userAgent: string;
}

export const DEFAULT_HOOKS: HookSettings = {
  timeoutMs: 10_000,
  concurrency: 1,
  keep: 2_000,
  userAgent: 'GitHub-Hookshot/emulator',
};

export interface Webhooks {
  emit(emission: Emission): void;
  /** Sends a logged delivery again, with the same id, as a new log entry. */
  redeliver(delivery: Delivery): void;
  /** Resolves when nothing is queued, held back by a timer or under way. */
  settled(): Promise<void>;
  close(): void;
}

interface Queue {
  waiting: Delivery[];
  active: number;
  held: Delivery[];
}

/** What one set of webhooks has under way. */
interface Traffic {
  world: World;
  settings: HookSettings;
  queues: Map<number, Queue>;
  closing: AbortController;
  pending: number;
  waiters: (() => void)[];
}

export function createWebhooks(world: World, faults: Faults, settings: HookSettings): Webhooks {
  const traffic: Traffic = {
    world,
    settings,
    queues: new Map(),
    closing: new AbortController(),
    pending: 0,
    waiters: [],
  };
  return {
    emit(emission) {
      for (const [app, installation] of recipients(world, emission)) {
        const delivery = toDelivery(world, emission, { app, installation });
        send(traffic, delivery, faults.nextHook(delivery.event, delivery.action));
      }
    },
    redeliver(delivery) {
      enqueue(traffic, log(traffic, { ...again(world, delivery), redelivery: true }));
    },
    async settled() {
      for (const queue of traffic.queues.values()) releaseHeld(traffic, queue);
      if (traffic.pending === 0) return;
      await new Promise<void>((resolve) => traffic.waiters.push(resolve));
    },
    close() {
      traffic.closing.abort();
      for (const queue of traffic.queues.values()) queue.waiting.length = 0;
    },
  };
}

function settle(traffic: Traffic): void {
  traffic.pending -= 1;
  if (traffic.pending > 0) return;
  for (const waiter of traffic.waiters.splice(0)) waiter();
}

function queueOf(traffic: Traffic, appId: number): Queue {
  const queue = traffic.queues.get(appId) ?? { waiting: [], active: 0, held: [] };
  traffic.queues.set(appId, queue);
  return queue;
}

function pump(traffic: Traffic, queue: Queue): void {
  while (queue.active < traffic.settings.concurrency) {
    const delivery = queue.waiting.shift();
    if (delivery === undefined) return;
    queue.active += 1;
    void attempt(delivery, traffic).then(() => {
      queue.active -= 1;
      settle(traffic);
      pump(traffic, queue);
      return undefined;
    });
  }
}

function enqueue(traffic: Traffic, delivery: Delivery): void {
  const queue = queueOf(traffic, delivery.appId);
  traffic.pending += 1;
  queue.waiting.push(delivery, ...queue.held.splice(0));
  setImmediate(pump, traffic, queue);
}

function log(traffic: Traffic, delivery: Delivery): Delivery {
  const { deliveries } = traffic.world.state;
  deliveries.push(delivery);
  if (deliveries.length > traffic.settings.keep) deliveries.shift();
  return delivery;
}

function send(
  traffic: Traffic,
  delivery: Delivery,
  fault: HookFaultRule['fault'] | undefined,
): void {
  switch (fault?.kind) {
    case undefined:
      enqueue(traffic, log(traffic, delivery));
      return;
    case 'duplicate':
      enqueue(traffic, log(traffic, delivery));
      enqueue(traffic, log(traffic, again(traffic.world, delivery)));
      return;
    case 'lost':
      delivery.status = 'failed to connect to host';
      if (fault.recorded ?? true) log(traffic, delivery);
      return;
    case 'reorder':
      // Counted as pending so that `settled` waits for it.
      traffic.pending += 1;
      queueOf(traffic, delivery.appId).held.push(log(traffic, delivery));
      return;
    case 'delay':
      void delayed(traffic, delivery, fault.ms);
  }
}

async function delayed(traffic: Traffic, delivery: Delivery, ms: number): Promise<void> {
  traffic.pending += 1;
  try {
    await traffic.world.clock.sleep(ms, traffic.closing.signal);
    enqueue(traffic, log(traffic, delivery));
  } catch {
    // The emulator was closed meanwhile.
  }
  settle(traffic);
}

/** A held delivery with nothing after it goes out when someone waits for quiet. */
function releaseHeld(traffic: Traffic, queue: Queue): void {
  queue.waiting.push(...queue.held.splice(0));
  pump(traffic, queue);
}

function again(world: World, delivery: Delivery): Delivery {
  return { ...delivery, id: nextId(world), deliveredAt: nowIso(world) };
}

function recipients(world: World, emission: Emission): [App, Installation][] {
  const found: [App, Installation][] = [];
  for (const installation of world.state.installations.values()) {
    const app = world.state.apps.get(installation.appId);
    if (app?.webhookUrl === undefined || !wants(installation, emission)) continue;
    found.push([app, installation]);
  }
  return found;
}

function wants(installation: Installation, emission: Emission): boolean {
  if (ALWAYS.has(emission.event)) return emission.installation === installation;
  if (emission.installation !== undefined && emission.installation !== installation) return false;
  if (installation.suspendedAt !== undefined || !installation.events.includes(emission.event))
    return false;
  if (emission.repository === undefined || !installationCovers(installation, emission.repository))
    return false;
  const any = EVENT_PERMISSIONS[emission.event];
  return any === undefined || any.some((name) => installation.permissions[name] !== undefined);
}

function toDelivery(
  world: World,
  emission: Emission,
  to: { app: App; installation: Installation },
): Delivery {
  const { app, installation } = to;
  const payload = JSON.stringify(toPayload(world, emission, installation));
  const guid = drawUuid(world.random);
  return {
    id: nextId(world),
    guid,
    appId: app.id,
    event: emission.event,
    action: emission.action ?? null,
    installationId: installation.id,
    repositoryId: emission.repository?.id ?? null,
    deliveredAt: nowIso(world),
    redelivery: false,
    duration: 0,
    status: 'pending',
    statusCode: 0,
    url: app.webhookUrl ?? '',
    requestHeaders: signedHeaders(app, { event: emission.event, guid, payload }),
    payload,
    responseHeaders: {},
    responsePayload: '',
  };
}

function toPayload(
  world: World,
  emission: Emission,
  installation: Installation,
): Record<string, unknown> {
  const { repository } = emission;
  const owner = repository === undefined ? undefined : account(world, repository.ownerId);
  const isMeta = ALWAYS.has(emission.event);
  return {
    ...(emission.action === undefined ? {} : { action: emission.action }),
    ...emission.payload,
    ...(repository === undefined ? {} : { repository: toRepository(world, repository) }),
    ...(owner?.type === 'Organization' ? { organization: toOrganization(world, owner) } : {}),
    sender: toUser(world, emission.sender),
    installation: isMeta
      ? toInstallation(world, installation)
      : { id: installation.id, node_id: nodeId('MDI', installation.id) },
  };
}

function signedHeaders(
  app: App,
  of: { event: string; guid: string; payload: string },
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/emulator',
    'x-github-delivery': of.guid,
    'x-github-event': of.event,
    'x-github-hook-id': String(app.id),
    'x-github-hook-installation-target-id': String(app.id),
    'x-github-hook-installation-target-type': 'integration',
  };
  if (app.webhookSecret === undefined) return headers;
  const sign = (algorithm: string): string =>
    `${algorithm}=${createHmac(algorithm, app.webhookSecret ?? '')
      .update(of.payload)
      .digest('hex')}`;
  headers['x-hub-signature'] = sign('sha1');
  headers['x-hub-signature-256'] = sign('sha256');
  return headers;
}

/** One HTTP attempt; every outcome ends in the log and none is retried, as on GitHub. */
async function attempt(delivery: Delivery, { settings, closing }: Traffic): Promise<void> {
  const startedAt = performance.now();
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      headers: { ...delivery.requestHeaders, 'user-agent': settings.userAgent },
      body: delivery.payload,
      redirect: 'manual',
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(settings.timeoutMs)]),
    });
    delivery.responsePayload = (await response.text()).slice(0, 65_536);
    delivery.statusCode = response.status;
    delivery.status = response.ok ? 'OK' : response.statusText || String(response.status);
    delivery.responseHeaders = Object.fromEntries(response.headers);
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    delivery.status = isTimeout ? 'timed out' : 'failed to connect to host';
    delivery.statusCode = isTimeout ? 504 : 502;
  }
  delivery.duration = Math.round(performance.now() - startedAt) / 1000;
}
