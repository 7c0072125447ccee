/** What `quorum doctor` asks Bluesky: whether the account lets us in. */
import { QuorumError, toFailure } from '../../domain/event/errors.ts';
import { createBlueskySession, type BlueskyParts } from './bluesky-session.ts';

export interface BlueskyFinding {
  level: 'ok' | 'fail';
  about: string;
  says: string;
  fix?: string;
}

export async function checkBluesky(parts: BlueskyParts): Promise<BlueskyFinding> {
  try {
    const session = createBlueskySession(parts);
    const { data } = await session.run((agent) => agent.com.atproto.server.getSession());
    return { level: 'ok', about: 'Bluesky', says: `@${data.handle}` };
  } catch (error) {
    const fix =
      error instanceof QuorumError && error.details !== undefined ? { fix: error.details } : {};
    return { level: 'fail', about: 'Bluesky', says: toFailure(error).message, ...fix };
  }
}
