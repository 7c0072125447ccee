/** Uploads the picture of a card. A post never waits for its picture: without one it goes as it is. */
import type { Agent, BlobRef } from '@atproto/api';
import type { CardPicture } from '../../domain/channel/bluesky/card-picture.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import { isSessionOver, xrpcWord } from './bluesky-errors.ts';
import { drawPicture } from './draw-picture.ts';

export interface CardPictures {
  /** Undefined where Bluesky did not take the picture. `isAgain`: the session is new. */
  upload(agent: Agent, picture: CardPicture, isAgain: boolean): Promise<BlobRef | undefined>;
  /** Bluesky refused a post with a picture. */
  refused(error: unknown): void;
}

export interface CardPictureParts {
  clock: Clock;
  log?: Pick<Log, 'warn'> | undefined;
  draw?: ((picture: CardPicture) => Uint8Array) | undefined;
}

const TIMEOUT_MS = 10_000;
/** Bluesky allows 30 logins in five minutes, and 300 in a day. */
const PAUSE_MS = 600_000;

/**
 * Uploads for each post. The server deletes a picture with the last post that shows it, so a kept reference may name
 * nothing.
 */
export function createCardPictures({
  clock,
  log,
  draw = drawPicture,
}: CardPictureParts): CardPictures {
  let pausedUntil = 0;
  let isLogged = false;
  const refused = (error: unknown): void => {
    if (!isLogged) log?.warn({ err: error }, 'card picture refused; posts go without it');
    isLogged = true;
  };
  return {
    refused,
    upload: async (agent, picture, isAgain) => {
      if (clock.now() < pausedUntil) return undefined;
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const { data } = await agent.uploadBlob(draw(picture), { encoding: 'image/png', signal });
        return data.blob;
      } catch (error) {
        // A new session helps the post and its picture, once.
        if (isSessionOver(error) && !isAgain) throw error;
        // Each try would cost a login.
        if (isSessionOver(error)) pausedUntil = clock.now() + PAUSE_MS;
        refused(error);
        return undefined;
      }
    },
  };
}

/** Whether the server refused the record or failed at it, so that it may take the post without its picture. */
export function mayBeThePicture(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown };
  const isAnswered = typeof status === 'number' && (status === 400 || status >= 500);
  return isAnswered && xrpcWord(error) !== 'InvalidSwap' && !isSessionOver(error);
}
