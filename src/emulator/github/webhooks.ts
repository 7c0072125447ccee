/** Signs and delivers webhooks to Apps, keeps the delivery log and redelivers on request. */
import type { Faults, HookFaultRule } from './behave/faults.ts';
import type { Delivery } from './world/world-model.ts';
import { nextId, nowIso, type Emission, type World } from './world/world.ts';
import { findRecipients, toDelivery } from './render/webhook-delivery.ts';

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
      for (const [app, installation] of findRecipients(world, emission)) {
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
