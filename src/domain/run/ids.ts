/** Identifiers that sort by time and derive from what caused them, so that the same cause gives the same id. */
import { createHash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const HASH_LENGTH = 16;
const ID = new RegExp(`^[${CROCKFORD}]{${TIME_LENGTH + HASH_LENGTH}}$`);

/**
 * A 26-character id in ULID's form. First 48 bits of time, then 80 bits of a hash.
 *
 * @param cause - what made it, as an event
 * @param now - milliseconds since the epoch
 */
export function derivedId(cause: string, now: number): string {
  let time = '';
  for (let rest = now, i = 0; i < TIME_LENGTH; i += 1, rest = Math.floor(rest / 32))
    time = CROCKFORD.charAt(rest % 32) + time;
  const hash = createHash('sha256').update(cause).digest();
  const tail = Array.from({ length: HASH_LENGTH }, (_, i) => CROCKFORD.charAt((hash[i] ?? 0) % 32));
  return time + tail.join('');
}

/** The moment in an id of {@link derivedId}, in milliseconds since the epoch; undefined where it is no such id. */
export function timeOfId(id: string): number | undefined {
  if (!ID.test(id)) return undefined;
  return Array.from(id.slice(0, TIME_LENGTH)).reduce(
    (time, digit) => time * 32 + CROCKFORD.indexOf(digit),
    0,
  );
}
