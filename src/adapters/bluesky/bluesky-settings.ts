/** What an operator sets for Bluesky. */
import { ConfigError } from '../../domain/event/errors.ts';

export interface BlueskySettings {
  service: string;
  /** The handle or DID of the account. */
  identifier: string;
  /** An app password. */
  password: string;
  /** Whose own posts the team answers where they link to GitHub, DID or handle; absent: no posts are read. */
  owner?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Undefined without an account: the channel is off. */
export function readBlueskySettings(env: Env): BlueskySettings | undefined {
  const identifier = env['BLUESKY_IDENTIFIER']?.trim() ?? '';
  const password = env['BLUESKY_PASSWORD']?.trim() ?? '';
  if (identifier === '' || password === '') return undefined;
  const owner = (env['BLUESKY_OWNER'] ?? '').trim().replace(/^@/, '');
  const service = env['BLUESKY_SERVICE']?.trim() || 'https://bsky.social';
  return {
    service: checkAddress(service),
    identifier,
    password,
    ...(owner !== '' && { owner }),
  };
}

/** The password is sent there: only over TLS, or to this machine. */
function checkAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLoopback =
    url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback)) return url.origin;
  throw new ConfigError({
    code: 'channel-url-invalid',
    message: '`BLUESKY_SERVICE` is not an `https://` address.',
    details: 'Remove it to use `https://bsky.social`. `http://` is accepted for this machine only.',
  });
}
