/**
 * Keeps the session of Bluesky in the store, so that a restart signs in no second time. The account's password seals it:
 * who reads the store alone cannot use it, and another password or account does not open it.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { SessionStore } from '../../adapters/bluesky/bluesky-session.ts';
import type { BlueskySettings } from '../../adapters/bluesky/bluesky-settings.ts';
import { createSealer } from '../../adapters/secrets/seal.ts';
import { EVENT_VERSION } from '../../domain/event/event.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';

const KEY = 'session:bluesky';

const Kept = z.object({ sealed: z.string() });
const Session = z.looseObject({
  refreshJwt: z.string(),
  accessJwt: z.string(),
  handle: z.string(),
  did: z.string(),
  active: z.boolean(),
});

export interface SessionParts {
  store: Pick<Store, 'append' | 'load'>;
  settings: BlueskySettings;
  clock: Clock;
}

export function keepSession({ store, settings, clock }: SessionParts): SessionStore {
  const { service, identifier, password } = settings;
  const sealer = createSealer(password, `${KEY}\n${service}\n${identifier}`);
  /** One after the other: the newest is kept last. */
  let last: Promise<unknown> = Promise.resolve();
  const append = async (session: object | undefined): Promise<void> => {
    const sealed = session === undefined ? '' : await sealer.seal(JSON.stringify(session));
    const at = new Date(clock.now()).toISOString();
    const name = createHash('sha256').update(`${at}\n${sealed}`).digest('hex').slice(0, 32);
    const data = { kind: 'session-kept', run: KEY, sealed } as const;
    await store.append([{ id: `${KEY}:${name}`, key: KEY, version: EVENT_VERSION, at, data }]);
  };
  return {
    load: async () => {
      const kept = Kept.safeParse((await store.load(KEY))?.state);
      const text = kept.success ? await sealer.open(kept.data.sealed) : undefined;
      return text === undefined ? undefined : Session.safeParse(JSON.parse(text)).data;
    },
    save: (session) => {
      const saved = last.then(() => append(session));
      last = saved.catch(() => undefined);
      return saved;
    },
  };
}
