/** Compares what a request brings with a secret. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** How long it takes says nothing about where they differ: digests have the same length whatever is compared. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
