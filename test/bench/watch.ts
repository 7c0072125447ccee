/** Watches work that goes on in this process: when it is over, and how long it waited for servers. */
import { channel } from 'node:diagnostics_channel';
import type { World } from '../../src/demo/open-world.ts';
import { wait } from './machine.ts';

const LIMIT_MS = 60_000;
const EVERY_MS = 5;

/** Waits until a thread's model was asked and nothing is left to do but timers. */
export async function untilOver(store: World['store'], key: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await isOver(store, key))) {
    if (performance.now() > deadline) throw new Error(`${key} did not end`);
    await wait(EVERY_MS);
  }
}

async function isOver({ records }: World['store'], key: string): Promise<boolean> {
  const events = await records.events({ key, limit: 500 });
  const isEnded = events.some(({ data }) => data.kind === 'done' && data.effectKind === 'ask');
  const waits = events.filter(({ data, status }) => status === 'pending' && data.kind !== 'timer');
  const wanted = await records.effects({ key, status: 'pending', limit: 1 });
  return isEnded && waits.length === 0 && wanted.length === 0;
}

export interface Waited {
  /** When the last answer came, on the clock of `performance`. */
  lastMs: number;
  /** In which at least one request was under way. */
  busyMs: number;
}

/** Watches what this process asks of one server. */
export function watchRequests(url: string): () => Waited {
  let underWay = 0;
  let since = 0;
  let busyMs = 0;
  let lastMs = 0;
  const begin = (message: unknown): void => {
    if (!isTo(message, url)) return;
    if (underWay === 0) since = performance.now();
    underWay += 1;
  };
  const end = (message: unknown): void => {
    if (!isTo(message, url)) return;
    underWay -= 1;
    lastMs = performance.now();
    if (underWay === 0) busyMs += lastMs - since;
  };
  channel('undici:request:create').subscribe(begin);
  channel('undici:request:trailers').subscribe(end);
  return () => {
    channel('undici:request:create').unsubscribe(begin);
    channel('undici:request:trailers').unsubscribe(end);
    return { lastMs, busyMs };
  };
}

/** Of a message on undici's channels. */
function isTo(message: unknown, url: string): boolean {
  const { request } = message as { request: { origin: string | URL } };
  return String(request.origin) === url;
}
