/** What `quorum doctor` asks Bluesky: whether the account lets us in, and whose posts are looked at. */
import { QuorumError, toFailure } from '../../domain/event/errors.ts';
import { createBlueskySession, type BlueskyParts } from './bluesky-session.ts';

export interface BlueskyFinding {
  level: 'ok' | 'warn' | 'fail' | 'skip';
  about: string;
  says: string;
  fix?: string;
}

export async function checkBluesky(parts: BlueskyParts): Promise<BlueskyFinding[]> {
  const session = createBlueskySession(parts);
  const { owner } = parts.settings;
  const account = await find('Bluesky', async () => {
    const { data } = await session.run((agent) => agent.com.atproto.server.getSession());
    return `@${data.handle}`;
  });
  if (account.level !== 'ok' || owner === undefined) return [account];
  const shared = await find('posts of the owner', async () => {
    await session.run((agent) => agent.getAuthorFeed({ actor: owner, limit: 1 }));
    return `${owner}: answered where \`access.identities\` names this account`;
  });
  const fix = 'Set `BLUESKY_OWNER` to the DID or the handle of the owner.';
  return [account, shared.level === 'fail' ? { ...shared, fix } : shared];
}

async function find(about: string, ask: () => Promise<string>): Promise<BlueskyFinding> {
  try {
    return { level: 'ok', about, says: await ask() };
  } catch (error) {
    const { code, message, retryable } = toFailure(error);
    const says = `not checked: ${message}`;
    if (code === 'channel-rate-limited') return { level: 'skip', about, says };
    if (retryable)
      return {
        level: 'warn',
        about,
        says,
        fix: 'Check the network and `BLUESKY_SERVICE`. Then run this command again.',
      };
    const fix =
      error instanceof QuorumError && error.details !== undefined ? { fix: error.details } : {};
    return { level: 'fail', about, says: message, ...fix };
  }
}
