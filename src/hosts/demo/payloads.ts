/** Feeds GitHub's own example webhooks, signed, through the App's door and follows each to its end. */
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ConfigError } from '../../domain/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store, StoredEvent } from '../../ports/store.ts';
import { WEBHOOK_PATH } from '../manifest.ts';
import type { World } from './world.ts';

const PACKAGE = '@octokit/webhooks-examples';
const Examples = z.array(
  z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }),
);

export interface Fed {
  /** Whether every payload was accepted and each is done or ignored with a reason. */
  ok: boolean;
  payloads: number;
  /** HTTP answers by status. */
  answers: Record<string, number>;
  /** How the events ended, `ignored: nothing acts on …` and so on, most frequent first. */
  outcomes: { name: string; count: number }[];
  /** Ids of events that did not end, died, or are not in the store at all. */
  lost: string[];
}

const TIMEOUT_MS = 60_000;
const EVERY_MS = 50;

/** Sends them one after the other, as GitHub would, and waits for each to end. ConfigError `examples-missing`. */
export async function feedExamples(world: World, clock: Clock): Promise<Fed> {
  const secret = world.sandbox.app(world.appId).webhookSecret ?? '';
  const answers: Record<string, number> = {};
  const ids: string[] = [];
  for (const { name, examples } of await readExamples())
    for (const payload of examples) {
      const id = randomUUID();
      ids.push(id);
      const status = await send(world.app.url, { id, event: name, payload, secret });
      answers[status] = (answers[status] ?? 0) + 1;
    }
  const events = await settle(world.store, ids, clock);
  const lost = ids.filter((id) => !hasEnded(events.get(id)));
  const isAccepted = Object.keys(answers).every((status) => status === '202');
  return {
    ok: isAccepted && lost.length === 0,
    payloads: ids.length,
    answers,
    outcomes: countOutcomes(ids.map((id) => events.get(id))),
    lost,
  };
}

async function readExamples(): Promise<z.infer<typeof Examples>> {
  try {
    const file = fileURLToPath(import.meta.resolve(PACKAGE));
    return Examples.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new ConfigError({
      code: 'examples-missing',
      message: `The example webhooks are not installed. Run npm install ${PACKAGE}, or leave --payloads out.`,
      cause,
    });
  }
}

interface Example {
  id: string;
  event: string;
  payload: unknown;
  secret: string;
}

async function send(appUrl: string, { id, event, payload, secret }: Example): Promise<number> {
  const body = JSON.stringify(payload);
  const answer = await fetch(`${appUrl}${WEBHOOK_PATH}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    body,
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function settle(
  store: Store,
  ids: readonly string[],
  clock: Clock,
): Promise<Map<string, StoredEvent>> {
  const deadline = clock.now() + TIMEOUT_MS;
  for (;;) {
    // Room for what the examples set off, and for what was there before.
    const stored = await store.records.events({
      limit: ids.length * 10 + 1_000,
      newestFirst: true,
    });
    const events = new Map(stored.map((event) => [event.id, event]));
    const { effects } = await store.records.counts();
    const isDone = ids.every((id) => events.get(id)?.status !== 'pending') && effects.pending === 0;
    if (isDone || clock.now() > deadline) return events;
    await clock.sleep(EVERY_MS);
  }
}

/** Done, or ignored with a reason; nothing else is an end that we promise. */
function hasEnded(event: StoredEvent | undefined): boolean {
  if (event?.status === 'ignored') return (event.reason ?? '') !== '';
  return event?.status === 'done';
}

function countOutcomes(events: readonly (StoredEvent | undefined)[]): Fed['outcomes'] {
  const counts = new Map<string, number>();
  for (const event of events) {
    const name = event === undefined ? 'lost' : outcomeOf(event);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

function outcomeOf({ status, reason, data }: StoredEvent): string {
  if (reason !== undefined) return `${status}: ${reason}`;
  return data.kind === 'trigger' ? `${status}: ${data.trigger.kind}` : status;
}
