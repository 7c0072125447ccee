/** Keys of records that follow from the key of the message: sending it again meets the record that is there. */
import { createHash } from 'node:crypto';

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz';
/** Keys look like times; those before this one are never given to anything that is written now. 2023-01-01 in µs. */
const BEFORE = 1_672_531_200_000_000n;

/** A TID: 53 bits of a time and 10 bits more, here all from the digest of the key. */
export function recordKey(key: string): string {
  const digest = createHash('sha256').update(key).digest();
  const time = digest.readBigUInt64BE(0) % BEFORE;
  const bits = (time << 10n) | BigInt(digest.readUInt16BE(8) & 0x3ff);
  return Array.from(
    { length: 13 },
    (_, at) => ALPHABET[Number((bits >> BigInt(60 - 5 * at)) & 31n)],
  ).join('');
}
