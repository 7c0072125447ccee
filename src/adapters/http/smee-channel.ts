/** A channel of smee.io: webhooks arrive at a public address that anybody may read, and are fetched from there. */
import type { Log } from '../../ports/log.ts';

export interface SmeeChannel {
  close(): Promise<void>;
}

interface SmeeOptions {
  /** The channel's address. */
  source: string;
  /** Where webhooks are taken in. They are checked there like all others: who knows the channel can send any. */
  target: string;
  log: Log;
}

/**
 * Loads the client only when it is wanted. A channel that cannot be reached is logged, and the client retries on its
 * own.
 */
export async function openSmeeChannel({ source, target, log }: SmeeOptions): Promise<SmeeChannel> {
  const { default: SmeeClient } = await import('smee-client');
  const client = new SmeeClient({
    source,
    target,
    // A sender must not choose any part of Quorum's own address.
    queryForwarding: false,
    // The process's own, which knows its proxy and whom it trusts.
    fetch: (url: string, options: object) => fetch(url, withoutDispatcher(options)),
    logger: {
      info: (message: unknown) => log.info({ smee: String(message) }, 'smee'),
      error: (message: unknown) => log.warn({ smee: String(message) }, 'smee failed'),
    },
  });
  // It reconnects: what is lost in between is found by the reconcile pass.
  await client.start().catch((error: unknown) => {
    log.warn({ err: error, source }, 'the smee channel cannot be reached');
  });
  return { close: () => client.stop() };
}

function withoutDispatcher(options: object): RequestInit {
  return Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'dispatcher'));
}
