/** Feeds GitHub's own example webhooks, signed, through the App's door and follows each to its end. */
import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ConfigError } from '../domain/event/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Store, StoredEvent } from '../ports/store.ts';
import { WEBHOOK_PATH } from '../hosts/setup/app-manifest.ts';
import type { World } from './open-world.ts';

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
  const secret = world.emulator.app(world.appId).webhookSecret ?? '';
  const answers: Record<string, number> = {};
  const sent: Example[] = [];
  for (const { name, examples } of await readExamples())
    for (const payload of examples) {
      const example = { id: randomUUID(), event: name, payload, secret };
      sent.push(example);
      const status = await send(world.app.url, example);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  const ids = sent.map(({ id }) => id);
  const events = await settle(world.store, ids, clock);
  const erased = await findErased(
    sent.filter(({ id }) => !events.has(id)),
    world,
  );
  const lost = ids.filter((id) => !hasEnded(events.get(id)) && !erased.has(id));
  const isAccepted = Object.keys(answers).every((status) => status === '202');
  return {
    ok: isAccepted && lost.length === 0,
    payloads: ids.length,
    answers,
    outcomes: countOutcomes(ids.map((id) => (erased.has(id) ? ERASED : outcomeOf(events.get(id))))),
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

/** How an event is counted that ended before a later example deleted its issue or comment. */
const ERASED = 'erased with its issue or comment';

/**
 * Some examples delete an issue or a comment, which erases the content of earlier events about it. The store keeps the ids
 * of those: the same delivery, sent again, is a duplicate and adds no event. A delivery that was lost becomes an event.
 */
async function findErased(missing: readonly Example[], world: World): Promise<Set<string>> {
  const erased = new Set<string>();
  for (const example of missing) {
    await send(world.app.url, example);
    const found = await world.store.records.events({ idEnd: example.id, limit: 1 });
    if (found.length === 0) erased.add(example.id);
  }
  return erased;
}

/** Done, or ignored with a reason; nothing else is an end that we promise. */
function hasEnded(event: StoredEvent | undefined): boolean {
  if (event?.status === 'ignored') return (event.reason ?? '') !== '';
  return event?.status === 'done';
}

function countOutcomes(names: readonly string[]): Fed['outcomes'] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

function outcomeOf(event: StoredEvent | undefined): string {
  if (event === undefined) return 'lost';
  const { status, reason, data } = event;
  if (reason !== undefined) return `${status}: ${reason}`;
  return data.kind === 'trigger' ? `${status}: ${data.trigger.kind}` : status;
}
